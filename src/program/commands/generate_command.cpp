// The subcommand `generate`: its arguments, and writing the files.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>
#include <system_error>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/local_file.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/program/commands/generate.hpp"
#include "src/program/commands/kustomization_merge.hpp"

namespace keelson::program {

namespace {

constexpr cli::Flag kGenerateFlags[] = {
    {"output", "DIR", "The folder of the files, which is created if it is missing.", true}};

Error file_error(const std::filesystem::path& path, std::string_view reason) {
  return invalid_error("write " + path.string() + ": " + std::string(reason));
}

// Writes a new file and renames it, so that a reader never sees a part of it.
Result<void> replace_file(const std::filesystem::path& path, const std::string& content) {
  std::error_code failure;
  std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) return file_error(path, failure.message());
  const std::filesystem::path fresh = path.string() + ".new";
  {
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << content;
    file.close();
    if (!file) return file_error(fresh, std::strerror(errno));
  }
  std::filesystem::rename(fresh, path, failure);
  if (failure) return file_error(path, failure.message());
  return {};
}

// `generate controller` is an alias of `keelson create api`, the program that creates projects. Returns only if it
// cannot be run.
int run_create_api(const std::vector<std::string>& arguments, std::ostream& errors) {
  std::vector<std::string> words{"keelson", "create", "api"};
  words.insert(words.end(), arguments.begin() + 1, arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp("keelson", pointers.data());
  errors << "`generate controller` runs keelson create api, and keelson cannot be run: " << std::strerror(errno)
         << ". Install it with the library, and put its folder on PATH\n";
  return 1;
}

}  // namespace

Result<void> write_files(const std::filesystem::path& directory, const std::vector<GeneratedFile>& files,
                         const OnFile& on_file) {
  for (const GeneratedFile& file : files) {
    const std::filesystem::path path = directory / file.path;
    const auto read = base::read_local_file(path.string());
    if (!read) return file_error(path, read.error().text);
    const auto& existing = *read;
    auto content = Result<std::string>(file.content);
    // Users edit this file, as its comments suggest.
    if (existing && path.filename() == "kustomization.yaml") content = merge_kustomization(*existing, file.content);
    if (!content) return file_error(path, content.error().text);
    if (existing == *content) {
      on_file(path, WriteOutcome::kUnchanged);
      continue;
    }
    auto done = replace_file(path, *content);
    if (!done) return done;
    on_file(path, WriteOutcome::kWritten);
  }
  return {};
}

constexpr cli::Command kGenerateCommand{
    "generate", "crd|rbac|samples|webhook|all|kube-state-metrics",
    "Generate the files of config/ that follow from the controllers, or a file for kube-state-metrics.", kGenerateFlags,
    R"(Generates the files of config/ that follow from the controllers, or a file for kube-state-metrics.
generate controller [flags] is the same as keelson create api [flags].)"};

int generate_command(const std::string& program, const std::vector<std::string>& arguments,
                     const Declarations& declarations, std::ostream& out, std::ostream& errors) {
  if (!arguments.empty() && arguments.front() == "controller") return run_create_api(arguments, errors);
  const auto run = [&](const cli::Words& words) -> Result<int> {
    if (words.arguments.empty()) {
      return invalid_error("the argument is missing: crd, rbac, samples, webhook, all or kube-state-metrics");
    }
    if (words.arguments.size() > 1) return cli::unexpected_argument(words.arguments[1]);
    KEELSON_LET(const auto files, generate(words.arguments.front(), declarations));
    const auto report = [&](const std::filesystem::path& file, WriteOutcome outcome) {
      out << (outcome == WriteOutcome::kWritten ? "written    " : "unchanged  ") << file.string() << "\n";
    };
    const auto done = write_files(words.flag("output"), files, report);
    if (done) return 0;
    errors << base::for_terminal(done.error().text) << "\n";
    return 1;
  };
  return cli::run_command({program, out, errors}, kGenerateCommand, arguments, run);
}

}  // namespace keelson::program
