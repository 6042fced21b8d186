// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's .npy: a magic, a version, the length of a header, the header as a
// Python dict literal, then the elements. The format is specified in NumPy's
// documentation of numpy.lib.format.

#include "ambit/Driver/Object/TensorFile.h"
#include "ambit/Files/InputFile.h"
#include "ambit/Files/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

using namespace ambit;
using llvm::StringRef;

static constexpr StringRef kMagic("\x93NUMPY", 6);

namespace {
struct DtypeName {
  int32_t dtype;
  StringRef descr;
};

/// What the header says.
struct Header {
  int32_t dtype = 0;
  bool fortranOrder = false;
  std::vector<int64_t> dims;
};
} // namespace

/// bfloat16 has no NumPy type; ml_dtypes writes it as an opaque 2-byte one.
static constexpr DtypeName kDtypes[] = {
    {AMBIT_FLOAT32, "<f4"},    {AMBIT_FLOAT64, "<f8"},
    {AMBIT_FLOAT16, "<f2"},    {AMBIT_BFLOAT16, "<V2"},
    {AMBIT_INT8, "|i1"},       {AMBIT_INT16, "<i2"},
    {AMBIT_INT32, "<i4"},      {AMBIT_INT64, "<i8"},
    {AMBIT_UINT8, "|u1"},      {AMBIT_UINT16, "<u2"},
    {AMBIT_UINT32, "<u4"},     {AMBIT_UINT64, "<u8"},
    {AMBIT_BOOL, "|b1"},       {AMBIT_COMPLEX64, "<c8"},
    {AMBIT_COMPLEX128, "<c16"}};

static llvm::Error fileError(StringRef path, const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 path + ": " + message);
}

/// The text of the value of `key`, up to the next key or the closing brace.
static StringRef findValue(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "':").str());
  return at == StringRef::npos ? ""
                               : header.drop_front(at + key.size() + 3).ltrim();
}

static std::string readDescr(StringRef header, Header &result) {
  StringRef value = findValue(header, "descr");
  if (!value.consume_front("'"))
    return "has no plain element type (structured arrays are not supported)";
  StringRef descr = value.take_until([](char c) { return c == '\''; });
  // '=' and '|' and '<' all mean little-endian or no order here.
  for (const DtypeName &entry : kDtypes)
    if (descr.size() > 1 && entry.descr.drop_front() == descr.drop_front() &&
        descr.front() != '>')
      result.dtype = entry.dtype;
  if (result.dtype == 0)
    return "element type '" + descr.str() + "' is not supported";
  return "";
}

static std::string readShape(StringRef header, Header &result) {
  StringRef value = findValue(header, "shape");
  size_t end = value.find(')');
  if (!value.starts_with("(") || end == StringRef::npos)
    return "has no shape in its header";
  llvm::SmallVector<StringRef> items;
  value.substr(1, end - 1).split(items, ',');
  for (StringRef item : items) {
    int64_t dim;
    if (item.trim().empty())
      continue;
    if (item.trim().getAsInteger(10, dim) || dim < 0)
      return "bad dim '" + item.trim().str() + "' in its header";
    result.dims.push_back(dim);
  }
  return "";
}

static std::string readHeader(StringRef header, Header &result) {
  if (std::string error = readDescr(header, result); !error.empty())
    return error;
  if (std::string error = readShape(header, result); !error.empty())
    return error;
  result.fortranOrder = findValue(header, "fortran_order").starts_with("True");
  if (result.fortranOrder && result.dims.size() > 1)
    return "is in Fortran order; save numpy.ascontiguousarray(x) instead";
  return "";
}

llvm::Expected<TensorData> ambit::readNpy(StringRef path) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInput(path);
  if (!buffer)
    return fileError(path, llvm::toString(buffer.takeError()));
  StringRef text = (*buffer)->getBuffer();
  if (!text.consume_front(kMagic) || text.size() < 6)
    return fileError(path, "not a .npy file");
  unsigned major = static_cast<unsigned char>(text[0]);
  if (major < 1 || major > 3)
    return fileError(path, "unknown .npy version " + llvm::Twine(major));
  size_t lengthBytes = major == 1 ? 2 : 4;
  size_t length = major == 1 ? llvm::support::endian::read16le(text.data() + 2)
                             : llvm::support::endian::read32le(text.data() + 2);
  text = text.drop_front(2 + lengthBytes);
  if (text.size() < length)
    return fileError(path, "is cut off inside its header");
  Header header;
  if (std::string error = readHeader(text.take_front(length), header);
      !error.empty())
    return fileError(path, error);
  text = text.drop_front(length);
  std::optional<int64_t> bytes = tensorBytes(header.dtype, header.dims);
  if (!bytes)
    return fileError(path, "its shape overflows");
  if (static_cast<int64_t>(text.size()) != *bytes)
    return fileError(path, "holds " + llvm::Twine(text.size()) +
                               " bytes of data, expected " +
                               llvm::Twine(*bytes) + " for its shape");
  return TensorData{
      "", header.dtype, std::move(header.dims), {text.begin(), text.end()}};
}

llvm::Error ambit::writeNpy(StringRef path, const TensorData &tensor) {
  const DtypeName *type = llvm::find_if(
      kDtypes, [&](const DtypeName &e) { return e.dtype == tensor.dtype; });
  if (type == std::end(kDtypes))
    return fileError(path,
                     ".npy has no element type for " + dtypeName(tensor.dtype));
  std::string header =
      ("{'descr': '" + type->descr + "', 'fortran_order': False, 'shape': (")
          .str();
  for (int64_t dim : tensor.dims)
    header += std::to_string(dim) + ", ";
  header += "), }";
  // The elements start at a multiple of 64 bytes; the header ends in a newline.
  size_t prefix = kMagic.size() + 2 + 2;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';
  llvm::Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  if (llvm::Error error = file->write([&](llvm::raw_ostream &out) {
        char length[2];
        llvm::support::endian::write16le(length, header.size());
        out << kMagic << '\1' << '\0' << StringRef(length, 2) << header
            << StringRef(tensor.bytes.data(), tensor.bytes.size());
      }))
    return error;
  return file->keep();
}
