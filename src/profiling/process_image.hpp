// The files whose code the kernel has mapped into this process.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace keelson::profiling {

struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::uint64_t offset = 0;  // of `begin` in the file
  bool is_executable = false;
  std::string file;      // empty: memory without a file; "[stack]", "[vdso]"
  std::string build_id;  // of the program itself, in hexadecimal; otherwise empty

  [[nodiscard]] bool contains(std::uintptr_t address) const { return address >= begin && address < end; }
};

// Parses /proc/PID/maps; a line in another form is skipped.
[[nodiscard]] std::vector<Mapping> parse_mappings(std::istream& maps);

// The executable mappings of this process, that of the program first, as pprof expects, and with its build ID.
[[nodiscard]] std::vector<Mapping> code_mappings();

}  // namespace keelson::profiling
