// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Profiles are read exactly, added up, and refused when anything is wrong.

#include "Profile/ProfileFile.h"
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace ambit;

namespace {
/// A file that goes away.
struct File {
  std::string path;
  explicit File(const std::string &text)
      : path((std::filesystem::temp_directory_path() /
              ("ambit-profile-file-" + std::to_string(getpid())))
                 .string()) {
    std::ofstream(path) << text;
  }
  ~File() { std::filesystem::remove(path); }
};
} // namespace

/// A line with its parts replaced.
static std::string line(const std::string &from = "",
                        const std::string &to = "") {
  std::string text =
      R"({"ambit_profile":1,"model":"m","inputs":[{"name":"x","dtype":1,)"
      R"("rank":2}],"symbols":["a","b"],"calls":9,"other":2,"refused":1,)"
      R"("shapes":[[1,2,3],[1,4,4]]})"
      "\n";
  if (size_t at = text.find(from); !from.empty() && at != std::string::npos)
    text.replace(at, from.size(), to);
  else
    CHECK(from.empty());
  return text;
}

static std::string problem(const std::string &text) {
  File file(text);
  llvm::Expected<Profile> profile = readProfile(file.path);
  REQUIRE_FALSE(bool(profile));
  return llvm::toString(profile.takeError());
}

static Profile read(const std::string &text) {
  File file(text);
  llvm::Expected<Profile> profile = readProfile(file.path);
  REQUIRE(bool(profile));
  return *profile;
}

TEST_CASE("lines of one model are added up and written again") {
  Profile profile = read(line() + "\n" + line("[1,4,4]", "[5,6,4]"));
  CHECK(profile.model == "m");
  CHECK(profile.symbols == std::vector<std::string>{"a", "b"});
  CHECK(profile.other == 4);
  CHECK(profile.refused == 2);
  CHECK(profile.shapes == std::map<std::vector<int64_t>, int64_t>{
                              {{1, 2}, 6}, {{1, 4}, 4}, {{5, 6}, 4}});
  CHECK(read(writeProfile(profile)).shapes == profile.shapes);
  Traffic traffic = makeTraffic(profile);
  CHECK(traffic.symbols == profile.symbols);
  REQUIRE(traffic.rows.size() == 3);
  CHECK(traffic.rows[2].sizes == std::vector<int64_t>{5, 6});
  CHECK(traffic.rows[2].count == 4);
}

TEST_CASE("a model without symbols has one shape") {
  Profile profile =
      read(line("[\"a\",\"b\"],\"calls\":9", "[],\"calls\":9")
               .replace(line("[\"a\",\"b\"],\"calls\":9", "[],\"calls\":9")
                            .find("[[1,2,3],[1,4,4]]"),
                        17, "[[7]]"));
  CHECK(profile.shapes == std::map<std::vector<int64_t>, int64_t>{{{}, 7}});
}

TEST_CASE("names are bytes") {
  Profile profile = read(line("\"a\"", "\"\\u00c3\\u00a9\\\"\""));
  CHECK(profile.symbols[0] == "\xc3\xa9\"");
  CHECK(read(writeProfile(profile)).symbols == profile.symbols);
}

TEST_CASE("a damaged profile is an error with its line") {
  CHECK(problem("") == "it is empty, expected a profile");
  CHECK(problem(line() + line().substr(0, 60)) ==
        "line 2: it is damaged: not a line of JSON");
  CHECK(problem("[]") == "line 1: it is no profile");
  CHECK(problem("{\"shapes\":[]}") == "line 1: it is no profile");
  CHECK(problem(line("profile\":1", "profile\":2")) ==
        "line 1: it is a profile of version 2, expected 1");
  CHECK(problem(line("\"m\"", "7")) ==
        "line 1: it is damaged: 'model' is no name");
  CHECK(problem(line("\"m\"", "\"\\u0100\"")) ==
        "line 1: it is damaged: 'model' is no name");
  CHECK(problem(line("\"dtype\":1", "\"dtype\":true")) ==
        "line 1: it is damaged: 'inputs' is no list of inputs");
  CHECK(problem(line("\"b\"", "\"a\"")) ==
        "line 1: it is damaged: 'symbols' is no list of distinct names");
  CHECK(problem(line("\"other\":2", "\"other\":-2")) ==
        "line 1: it is damaged: 'other' is no count");
  CHECK(problem(line("\"shapes\"", "\"shape\"")) ==
        "line 1: it is damaged: 'shapes' is no list");
  CHECK(problem(line("[1,2,3]", "[1,3]")) ==
        "line 1: it is damaged: shape 0 has no 2 sizes and a count");
  CHECK(problem(line("[1,4,4]", "[1,4.5,4]")) ==
        "line 1: it is damaged: shape 1 holds something that is no integer");
  CHECK(problem(line("[1,4,4]", "[1,4,0]")) ==
        "line 1: it is damaged: shape 1 has the count 0");
  CHECK(problem(line("[1,4,4]", "[1,2,4]")) ==
        "line 1: it is damaged: shape 1 is there twice");
  CHECK(problem(line("[1,4,4]", "[1,4,9223372036854775807]")) ==
        "line 1: it is damaged: counts overflow 64 bits");
  CHECK(problem(line("\"calls\":9", "\"calls\":10")) ==
        "line 1: it is damaged: the counts add up to 9, expected 10");
  llvm::Expected<Profile> none = readProfile("/nowhere/profile.json");
  CHECK(llvm::toString(none.takeError()).find("cannot read it: ") == 0);
}

TEST_CASE("profiles of different models are not added up") {
  CHECK(problem(line() + line("\"m\"", "\"n\"")) ==
        "line 2: it is a profile of model 'n', expected 'm'");
  CHECK(problem(line() + line("\"rank\":2", "\"rank\":3")) ==
        "line 2: it is a profile of a model 'm' with other inputs or symbols");
  CHECK(problem(line() + line("\"b\"", "\"c\"")) ==
        "line 2: it is a profile of a model 'm' with other inputs or symbols");
  std::string most = line("[1,4,4]", "[1,4,9223372036854775802]");
  most.replace(most.find("\"calls\":9"), 9, "\"calls\":9223372036854775807");
  CHECK(problem(most + most) ==
        "line 2: its counts and others overflow 64 bits");
}
