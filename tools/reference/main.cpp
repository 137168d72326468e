// `reference --output docs/reference` writes the reference pages. For contributors to Keelson; not part of a release.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>

#include "tools/reference/pages.hpp"

int main(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "--output") {
    std::cerr << "Usage: reference --output DIR\n";
    return 2;
  }
  const std::filesystem::path folder = argv[2];
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  for (const auto& page : keelson::reference::pages()) {
    std::ofstream file(folder / page.file, std::ios::binary | std::ios::trunc);
    file << page.content;
    file.close();
    if (!file) {
      std::cerr << "cannot write " << (folder / page.file).string() << "\n";
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}
