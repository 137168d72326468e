#include "src/profiling/process_image.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

namespace keelson::profiling {
namespace {

TEST_CASE("mappings of the kernel's list are parsed, and lines in another form are skipped") {
  std::istringstream list(
      "55d0c0a12000-55d0c0f99000 r-xp 00211000 fd:00 131                  /opt/my manager\n"
      "\n"
      "not a mapping\n"
      "7f00-7f0z r-xp\n"
      "7ffc1000-7ffc3000 rw-p 00000000 00:00 0\n"
      "7fff1000-7fff3000 r-xp 00000000 00:00 0                          [vdso]\n");

  const auto mappings = parse_mappings(list);

  REQUIRE(mappings.size() == 3);
  CHECK(mappings[0].begin == 0x55d0c0a12000);
  CHECK(mappings[0].end == 0x55d0c0f99000);
  CHECK(mappings[0].offset == 0x211000);
  CHECK(mappings[0].is_executable);
  CHECK(mappings[0].file == "/opt/my manager");
  CHECK(!mappings[1].is_executable);
  CHECK(mappings[1].file.empty());
  CHECK(mappings[2].file == "[vdso]");
}

TEST_CASE("the first mapping of code is that of the program") {
  const auto mappings = code_mappings();

  REQUIRE(!mappings.empty());
  CHECK(mappings[0].contains(reinterpret_cast<std::uintptr_t>(&code_mappings)));
  CHECK(mappings[0].file.find("test_profiling") != std::string::npos);
}

}  // namespace
}  // namespace keelson::profiling
