#include "src/program/memory_trim.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

namespace keelson::program {
namespace {

using namespace std::chrono_literals;
constexpr auto kQuiet = 1ms;
constexpr auto kWork = 500ms;

TEST_CASE("memory is returned once after the start, when the program is idle") {
  TrimPolicy policy(0ms);

  CHECK_FALSE(policy.is_due({kWork}));
  CHECK(policy.is_due({kWork + kQuiet}));
  CHECK_FALSE(policy.is_due({kWork + 2 * kQuiet}));
  CHECK_FALSE(policy.is_due({kWork + 3 * kQuiet}));
}

TEST_CASE("memory is returned after each burst of work, and not during it") {
  TrimPolicy policy(0ms);
  CHECK(policy.is_due({kQuiet}));

  CHECK_FALSE(policy.is_due({kQuiet + kWork}));
  CHECK_FALSE(policy.is_due({kQuiet + 2 * kWork}));
  CHECK(policy.is_due({2 * kQuiet + 2 * kWork}));
}

TEST_CASE("code that rare work has made resident is returned, and code that is always needed is not") {
  constexpr std::size_t kNeeded = std::size_t{1'700} << 10;
  constexpr std::size_t kRare = kNeeded + (std::size_t{3'600} << 10);
  TrimPolicy policy(0ms);
  CHECK_FALSE(policy.is_due({kWork, 2 * kRare}));
  CHECK(policy.is_due({kWork, 2 * kRare}));

  for (int handshake = 0; handshake < 3; ++handshake) {
    CHECK_FALSE(policy.is_due({kWork, kNeeded}));
    CHECK_FALSE(policy.is_due({kWork, kNeeded + TrimPolicy::kRegained}));
    CHECK_FALSE(policy.is_due({kWork, kNeeded - 4096}));
    CHECK(policy.is_due({kWork, kRare}));
  }
  // It is needed all the time now.
  for (int interval = 0; interval < 3; ++interval) CHECK_FALSE(policy.is_due({kWork, kRare}));
}

TEST_CASE("only read-only pieces of files without pages of their own can be dropped") {
  std::istringstream smaps(
      "00400000-00401000 r--p 00000000 fd:00 131 /manager\n"
      "Rss:                   4 kB\n"
      "Anonymous:             0 kB\n"
      "00401000-00403000 r-xp 00001000 fd:00 131 /manager with blanks\n"
      "Anonymous:             0 kB\n"
      "VmFlags: rd ex mr mw me\n"
      "00403000-00404000 r-xp 00003000 fd:00 131 /probed-by-a-debugger\n"
      "Anonymous:             4 kB\n"
      "00404000-00405000 rw-p 00004000 fd:00 131 /manager\n"
      "Anonymous:             0 kB\n"
      "00405000-00406000 r--s 00004000 fd:00 131 /shared\n"
      "Anonymous:             0 kB\n"
      "00406000-00407000 r--p 00000000 00:00 0\n"
      "Anonymous:             0 kB\n"
      "7ffff000-7ffff800 r-xp 00000000 00:00 0                          [vdso]\n"
      "Anonymous:             0 kB\n");

  auto found = droppable_mappings(smaps);

  REQUIRE(found.size() == 2);
  CHECK(found[0].begin == 0x400000);
  CHECK(found[0].bytes == 0x1000);
  CHECK(found[1].begin == 0x401000);
  CHECK(found[1].bytes == 0x2000);
}

TEST_CASE("invalid lines of /proc/self/smaps are not mappings") {
  std::istringstream smaps("\nAnonymous: 0 kB\n-\nzz-zz r--p /x\nAnonymous: 0 kB\n1-\nAnonymous: 0 kB\n");

  CHECK(droppable_mappings(smaps).empty());
}

}  // namespace
}  // namespace keelson::program
