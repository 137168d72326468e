// `reference --output docs/reference --argocd deploy/argocd` writes the reference pages and Argo CD's health checks.
// For contributors to Keelson; not part of a release.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "keelson/detail/cli/command_line.hpp"
#include "src/kinds/built_in.hpp"
#include "tools/reference/health_checks.hpp"
#include "tools/reference/pages.hpp"

namespace {

using std::filesystem::path;

bool write(const path& name, const std::string& content) {
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  if (!file) std::cerr << "cannot write " << name.string() << "\n";
  return bool{file};
}

bool write_pages(const path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  for (const auto& page : keelson::reference::pages()) {
    if (!write(folder / page.file, page.content)) return false;
  }
  return true;
}

// The check itself is in the folder.
bool write_health_checks(const path& folder) {
  std::ifstream file(folder / "health.lua", std::ios::binary);
  const std::string check{std::istreambuf_iterator<char>(file), {}};
  if (check.empty()) std::cerr << "cannot read " << (folder / "health.lua").string() << "\n";
  return !check.empty() &&
         write(folder / "health-checks.yaml", keelson::reference::health_checks(keelson::kinds::built_in(), check));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace keelson;
  constexpr cli::Flag kFlags[] = {{"output", "DIR", "The folder of the pages.", true},
                                  {"argocd", "DIR", "The folder of the health checks.", true}};
  const cli::Command command{"", "", "Writes the reference pages and Argo CD's health checks.", kFlags};
  return cli::run_command({"reference", std::cout, std::cerr}, command, cli::words_of(argc, argv),
                          [](const cli::Words& words) -> Result<int> {
                            const bool done =
                                write_pages(words.flag("output")) && write_health_checks(words.flag("argocd"));
                            return done ? EXIT_SUCCESS : EXIT_FAILURE;
                          });
}
