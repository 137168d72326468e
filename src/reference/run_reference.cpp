#include "keelson/reference/run_reference.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/program/flags.hpp"
#include "src/reference/kind_page.hpp"

namespace keelson {

namespace {

constexpr cli::Flag kReferenceFlags[] = {{"output", "DIR", "The folder of the pages, created if it is missing.", true}};
constexpr cli::Command kReference{"", "", "Writes the reference pages of the operator.", kReferenceFlags};

using PagesByFile = std::map<std::string, std::string>;

// Kinds of one name have their group in the name of their page.
std::string file_of(const kube::Kind& kind, const PagesByFile& pages) {
  const auto name = base::to_lower(kind.resource.kind);
  const bool is_taken = pages.contains(name + ".md") || name == "condition" || name == "flags" || name == "readme";
  return is_taken ? name + "." + kind.resource.group + ".md" : name + ".md";
}

PagesByFile pages_of(const std::vector<controller::Definition>& controllers) {
  PagesByFile pages;
  std::string index = "# Reference\n\nGenerated from the declarations of the operator; do not change it by hand.\n\n";
  for (const auto& definition : controllers) {
    for (const auto& kind : definition.parts().kinds) {
      const auto file = file_of(kind, pages);
      pages[file] = reference::kind_page(kind, definition);
      index += "- [" + kind.resource.kind + "](" + file + ") (`" + kind.resource.api_version() + "`)\n";
    }
  }
  pages["condition.md"] = reference::condition_page();
  pages["flags.md"] = "# Flags\n\n" + program::flags_markdown(program::syntax_of({}, controllers));
  pages["README.md"] = index + "- [Condition](condition.md), an entry of `status.conditions`\n- [Flags](flags.md)\n";
  return pages;
}

bool write_page(const std::filesystem::path& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  if (!file) std::cerr << "reference: cannot write " << path.string() << "\n";
  return bool{file};
}

// Returns the exit code.
int write_pages(const std::filesystem::path& folder, const std::vector<controller::Definition>& controllers) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    std::cerr << "reference: cannot create " << folder.string() << ": " << failure.message() << "\n";
    return EXIT_FAILURE;
  }
  for (const auto& [file, content] : pages_of(controllers)) {
    if (!write_page(folder / file, content)) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace

int run_reference(int argc, char** argv, std::vector<controller::Definition> controllers) {
  return cli::run_command(
      {"reference", std::cout, std::cerr}, kReference, cli::words_of(argc, argv),
      [&](const cli::Words& words) -> Result<int> { return write_pages(words.flag("output"), controllers); });
}

}  // namespace keelson
