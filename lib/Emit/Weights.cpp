// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights as an ELF64 relocatable object, written by hand: the file is a
// header, the bytes, and five small tables, so nothing stands between the
// caller's memory and the disk.

#include "Internals.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace ambit::emit {
namespace {
enum Section { Null, Data, SymbolTable, StringTable, NameTable, StackNote };
} // namespace

static void writeZeros(raw_ostream &os, uint64_t count) {
  for (; count > 1024; count -= 1024)
    os.write_zeros(1024);
  os.write_zeros(count);
}

template <typename T>
static void writeRecord(raw_ostream &os, const T &record) {
  os.write(reinterpret_cast<const char *>(&record), sizeof record);
}

static void writeBytes(const WeightSection &weights, raw_ostream &os) {
  uint64_t at = 0;
  for (const WeightSection::Chunk &chunk : weights.chunks) {
    assert(chunk.offset >= at &&
           chunk.offset + chunk.bytes.size() <= weights.size &&
           "chunks ascend and stay inside the section");
    writeZeros(os, chunk.offset - at);
    os.write(chunk.bytes.data(), chunk.bytes.size());
    at = chunk.offset + chunk.bytes.size();
  }
  writeZeros(os, weights.size - at);
}

namespace {
/// Where everything stands in the file, and the tables that say so.
struct Layout {
  explicit Layout(const WeightSection &weights);

  ELF::Elf64_Shdr sections[StackNote + 1] = {};
  ELF::Elf64_Sym symbols[2] = {}; // the first is null by the ABI
  std::string strings, names;
  uint64_t dataAt, symbolsAt, end;

private:
  uint32_t addName(StringRef name) {
    uint32_t at = names.size();
    names += name.str() + '\0';
    return at;
  }
  void addData(const WeightSection &weights);
  void addSymbols(const WeightSection &weights);
  void addStrings();
};
} // namespace

Layout::Layout(const WeightSection &weights)
    : strings('\0' + kWeightSymbol.str() + '\0'), names(1, '\0'),
      dataAt(alignTo(sizeof(ELF::Elf64_Ehdr), weights.alignment)),
      symbolsAt(alignTo(dataAt + weights.size, 8)),
      end(symbolsAt + sizeof symbols) {
  addData(weights);
  addSymbols(weights);
  addStrings();
}

void Layout::addData(const WeightSection &weights) {
  bool large = weights.size >= kLargeWeights;
  ELF::Elf64_Shdr &data = sections[Data];
  data.sh_name = addName(large ? ".lrodata.ambit" : ".rodata.ambit");
  data.sh_type = ELF::SHT_PROGBITS;
  data.sh_flags =
      ELF::SHF_ALLOC | (large ? uint64_t(ELF::SHF_X86_64_LARGE) : 0);
  data.sh_offset = dataAt;
  data.sh_size = weights.size;
  data.sh_addralign = weights.alignment;
}

void Layout::addSymbols(const WeightSection &weights) {
  ELF::Elf64_Shdr &table = sections[SymbolTable];
  table.sh_name = addName(".symtab");
  table.sh_type = ELF::SHT_SYMTAB;
  table.sh_offset = symbolsAt;
  table.sh_size = sizeof symbols;
  table.sh_link = StringTable;
  table.sh_info = 1; // the first global symbol
  table.sh_addralign = 8;
  table.sh_entsize = sizeof(ELF::Elf64_Sym);

  symbols[1].st_name = 1;
  symbols[1].setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
  symbols[1].st_other = ELF::STV_HIDDEN;
  symbols[1].st_shndx = Data;
  symbols[1].st_size = weights.size;
}

void Layout::addStrings() {
  sections[StringTable].sh_name = addName(".strtab");
  sections[NameTable].sh_name = addName(".shstrtab");
  sections[StackNote].sh_name = addName(".note.GNU-stack");
  sections[StackNote].sh_type = ELF::SHT_PROGBITS;
  for (auto [index, size] :
       {std::pair<int, size_t>(StringTable, strings.size()),
        {NameTable, names.size()}}) {
    sections[index].sh_type = ELF::SHT_STRTAB;
    sections[index].sh_offset = end;
    sections[index].sh_size = size;
    end += size;
  }
  for (int index : {StringTable, NameTable, StackNote})
    sections[index].sh_addralign = 1;
  sections[StackNote].sh_offset = end;
}

static ELF::Elf64_Ehdr makeHeader(uint64_t sectionsAt) {
  ELF::Elf64_Ehdr header = {};
  memcpy(header.e_ident, ELF::ElfMagic, 4);
  header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
  header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  header.e_type = ELF::ET_REL;
  header.e_machine = ELF::EM_X86_64;
  header.e_version = ELF::EV_CURRENT;
  header.e_shoff = sectionsAt;
  header.e_ehsize = sizeof(ELF::Elf64_Ehdr);
  header.e_shentsize = sizeof(ELF::Elf64_Shdr);
  header.e_shnum = StackNote + 1;
  header.e_shstrndx = NameTable;
  return header;
}

void writeWeights(const WeightSection &weights, raw_ostream &os) {
  Layout layout(weights);
  ELF::Elf64_Ehdr header = makeHeader(alignTo(layout.end, 8));
  writeRecord(os, header);
  writeZeros(os, layout.dataAt - sizeof header);
  writeBytes(weights, os);
  writeZeros(os, layout.symbolsAt - layout.dataAt - weights.size);
  writeRecord(os, layout.symbols);
  os << layout.strings << layout.names;
  writeZeros(os, header.e_shoff - layout.end);
  writeRecord(os, layout.sections);
}

} // namespace ambit::emit
