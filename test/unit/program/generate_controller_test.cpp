// `generate controller` runs the program keelson.
#include <stdlib.h>

#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <string>

#include "src/program/commands/generate.hpp"

using namespace keelson;

TEST_CASE("generate controller without the program keelson on PATH names what is missing") {
  const char* before = getenv("PATH");
  const std::string path = before == nullptr ? "" : before;
  std::ostringstream out, errors;

  setenv("PATH", "/nonexistent", 1);
  const int code = program::generate_command("manager", {"controller", "--kind", "Website"}, {}, out, errors);
  setenv("PATH", path.c_str(), 1);

  CHECK(code == 1);
  CHECK(errors.str().starts_with("`generate controller` runs keelson create api, and keelson cannot be run: "));
}
