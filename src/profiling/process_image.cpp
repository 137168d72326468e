#include "src/profiling/process_image.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <span>
#include <string_view>

#include "keelson/detail/base/hex.hpp"

namespace keelson::profiling {

namespace {

bool read_hex(std::string_view& text, std::uint64_t& number) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (failed != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// "55d0c0a12000-55d0c0f99000 r-xp 00211000 fd:00 131                  /manager"
bool read_mapping(std::string_view line, Mapping& mapping) {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  if (!read_hex(line, begin) || !line.starts_with('-')) return false;
  line.remove_prefix(1);
  if (!read_hex(line, end) || line.size() < 6) return false;
  mapping.begin = begin;
  mapping.end = end;
  mapping.is_executable = line[3] == 'x';
  line.remove_prefix(6);
  if (!read_hex(line, mapping.offset)) return false;
  // The device and the inode contain neither a slash nor a bracket.
  const auto name = line.find_first_of("/[");
  if (name != std::string_view::npos) mapping.file = line.substr(name);
  return true;
}

std::vector<Mapping> own_mappings() {
  std::ifstream maps("/proc/self/maps");
  return parse_mappings(maps);
}

// Looks for the note NT_GNU_BUILD_ID of "GNU".
std::string build_id_in(std::span<const std::byte> notes) {
  while (notes.size() > sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note{};
    std::memcpy(&note, notes.data(), sizeof note);
    const auto padded = [](std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; };
    const auto name = padded(note.n_namesz);
    const auto value = padded(note.n_descsz);
    notes = notes.subspan(sizeof note);
    if (name > notes.size() || value > notes.size() - name) break;
    const bool is_of_gnu = note.n_namesz == 4 && std::memcmp(notes.data(), "GNU", 4) == 0;
    if (is_of_gnu && note.n_type == NT_GNU_BUILD_ID) {
      return base::to_hex(std::span(reinterpret_cast<const std::uint8_t*>(notes.data() + name), note.n_descsz));
    }
    notes = notes.subspan(name + value);
  }
  return "";
}

// The first module is the program.
int read_build_id(dl_phdr_info* info, std::size_t, void* context) {
  auto& id = *static_cast<std::string*>(context);
  for (const auto& header : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    if (header.p_type != PT_NOTE || !id.empty()) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader reports addresses as numbers
    id = build_id_in({reinterpret_cast<const std::byte*>(info->dlpi_addr + header.p_vaddr), header.p_memsz});
  }
  return 1;
}

}  // namespace

std::vector<Mapping> parse_mappings(std::istream& maps) {
  std::vector<Mapping> found;
  for (std::string line; std::getline(maps, line);) {
    Mapping mapping;
    if (read_mapping(line, mapping)) found.push_back(std::move(mapping));
  }
  return found;
}

std::vector<Mapping> code_mappings() {
  auto mappings = own_mappings();
  std::erase_if(mappings, [](const Mapping& mapping) { return !mapping.is_executable; });
  const auto own = reinterpret_cast<std::uintptr_t>(&code_mappings);
  const auto program = std::ranges::find_if(mappings, [&](const Mapping& mapping) { return mapping.contains(own); });
  if (program == mappings.end()) return mappings;
  ::dl_iterate_phdr(read_build_id, &program->build_id);
  std::rotate(mappings.begin(), program, program + 1);
  return mappings;
}

}  // namespace keelson::profiling
