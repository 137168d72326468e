#include "src/scaffold/merge.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/scaffold/file_io.hpp"
#include "src/scaffold/lines.hpp"

namespace keelson::scaffold {

namespace fs = std::filesystem;

namespace {

// A folder that is removed with its files.
class ScratchFolder {
 public:
  static Result<ScratchFolder> make() {
    std::error_code failure;
    const auto parent = fs::temp_directory_path(failure);
    if (failure) return invalid_error("the folder of TMPDIR cannot be used: " + failure.message());
    auto name = (parent / "keelson-merge-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      return invalid_error("create a folder in " + parent.string() + ": " + base::words_of_errno(errno));
    }
    return ScratchFolder(name);
  }
  explicit ScratchFolder(fs::path path) : path_(std::move(path)) {}
  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// Runs git, without a shell, and returns its exit code.
Result<int> run_git(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, "git", nullptr, nullptr, arguments.data(), environ);
  if (failure != 0) {
    return invalid_error("cannot run git, which merges the files (" + base::words_of_errno(failure) + "): install git");
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return invalid_error("wait for git merge-file: " + base::words_of_errno(errno));
  }
  if (!WIFEXITED(status)) return invalid_error("git merge-file was killed by a signal");
  return WEXITSTATUS(status);
}

}  // namespace

Result<Merged> merge_texts(const std::string& mine, const std::string& base, const std::string& theirs) {
  KEELSON_LET(const auto folder, ScratchFolder::make());
  KEELSON_TRY(write_file(folder.file("mine"), mine));
  KEELSON_TRY(write_file(folder.file("base"), base));
  KEELSON_TRY(write_file(folder.file("theirs"), theirs));
  // The exit code is the number of conflicts, at most 127, or 255 after an error. `mine` is overwritten.
  KEELSON_LET(const int code,
              run_git({"git", "merge-file", "--quiet", "--diff3", "-L", "yours", "-L", "generated before", "-L",
                       "generated now", folder.file("mine"), folder.file("base"), folder.file("theirs")}));
  if (code > 127) return invalid_error("git merge-file failed with status " + std::to_string(code));
  KEELSON_LET(auto merged, read_file(folder.file("mine")));
  if (!merged) return invalid_error("git merge-file has removed " + folder.file("mine"));
  return Merged{std::move(*merged), code > 0};
}

bool has_conflict_markers(std::string_view text) {
  for (const auto& line : split_lines(text)) {
    if (line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ")) return true;
  }
  return false;
}

}  // namespace keelson::scaffold
