#include "keelson/reference/run_reference.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "keelson/base/text.hpp"
#include "keelson/program/flags.hpp"
#include "src/reference/kind_page.hpp"

namespace keelson {

namespace {

constexpr int kUsageError = 2;

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
  program::Syntax syntax;
  for (const auto& definition : controllers) {
    for (const auto& kind : definition.kinds()) {
      const auto file = file_of(kind, pages);
      pages[file] = reference::kind_page(kind, definition);
      index += "- [" + kind.resource.kind + "](" + file + ") (`" + kind.resource.api_version() + "`)\n";
    }
    syntax.flags.insert(syntax.flags.end(), definition.flags().begin(), definition.flags().end());
  }
  pages["condition.md"] = reference::condition_page();
  pages["flags.md"] = "# Flags\n\n" + program::flags_markdown(syntax);
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

}  // namespace

int run_reference(int argc, char** argv, std::vector<controller::Definition> controllers) {
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() == 2 && (words[1] == "--help" || words[1] == "-h")) {
    std::cout << "Usage: reference --output DIR\n";
    return EXIT_SUCCESS;
  }
  if (words.size() != 3 || words[1] != "--output") {
    std::cerr << "Usage: reference --output DIR\n";
    return kUsageError;
  }
  const std::filesystem::path folder = words[2];
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

}  // namespace keelson
