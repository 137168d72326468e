#include "src/scaffold/tree_change.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/scaffold/file_io.hpp"
#include "src/scaffold/open_project.hpp"

namespace keelson::scaffold {

namespace fs = std::filesystem;

namespace {

// What apply() has changed so far.
class Journal {
 public:
  // Notes the folders that a write of `path` will create, and its content before.
  Result<void> note(const fs::path& path) {
    if (is_there(path) && !fs::exists(path)) {
      return invalid_error(path.string() + " is a link to a file that does not exist");
    }
    KEELSON_LET(auto before, read_file(path));
    for (auto folder = path.parent_path(); !folder.empty() && !is_there(folder); folder = folder.parent_path()) {
      folders_.insert(folder);
    }
    files_.emplace_back(path, std::move(before));
    return {};
  }

  // Also true for a link to nothing. A file in the place of a folder makes everything below it absent.
  static bool is_there(const fs::path& path) {
    std::error_code failure;
    const auto type = fs::symlink_status(path, failure).type();
    return type != fs::file_type::not_found && type != fs::file_type::none;
  }

  // Puts everything back, the last first. Returns the files for which that failed.
  std::vector<std::string> undo() const {
    std::vector<std::string> failed;
    std::error_code failure;
    for (auto file = files_.rbegin(); file != files_.rend(); ++file) {
      const auto& [path, before] = *file;
      if (before) {
        const auto now = read_file(path);
        if (now && *now == before) continue;
        if (!write_file(path, *before)) failed.push_back(path.string());
      } else if (is_there(path) && !fs::remove(path, failure)) {
        failed.push_back(path.string());
      }
    }
    // In this order, a folder follows after those in it. remove() leaves a folder that has other files.
    for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder) fs::remove(*folder, failure);
    return failed;
  }

 private:
  std::vector<std::pair<fs::path, std::optional<std::string>>> files_;
  std::set<fs::path> folders_;
};

// kInvalid if a link of the project leads the write out of it: a command writes only where it was called.
Result<void> check_inside(const fs::path& root, const std::string& path) {
  std::error_code failure;
  const auto home = fs::canonical(root, failure);
  if (failure) return invalid_error("find the folder " + root.string() + ": " + failure.message());
  const auto target = fs::weakly_canonical(root / path, failure);
  if (failure) return invalid_error("find " + path + ": " + failure.message());
  if (std::mismatch(home.begin(), home.end(), target.begin(), target.end()).first == home.end()) return {};
  return invalid_error(path + " leads out of the project by a link, to " + target.string() +
                       ": replace the link by a file or a folder, or run the command there");
}

bool is_base_path(std::string_view path) { return path.starts_with(std::string(kBaseFolder) + "/"); }

std::vector<std::string> paths_of(const Files& files) {
  std::vector<std::string> paths;
  for (const auto& [path, content] : files) {
    if (!is_base_path(path)) paths.push_back(path);
  }
  return paths;
}

}  // namespace

std::string base_path(std::string_view path) { return std::string(kBaseFolder) + "/" + std::string(path); }

void TreeChange::create(const std::string& path, const std::string& content) {
  created_[path] = content;
  written_[base_path(path)] = content;
}

void TreeChange::write(const std::string& path, const std::string& content) { written_[path] = content; }

Result<std::string> TreeChange::content(const std::string& path) const {
  for (const auto* files : {&created_, &written_}) {
    if (const auto found = files->find(path); found != files->end()) return found->second;
  }
  KEELSON_LET(auto existing, read_file(root_ / path));
  if (!existing) return invalid_error(path + " does not exist");
  return std::move(*existing);
}

Result<void> TreeChange::apply() const {
  std::vector<std::string> existing;
  for (const auto& [path, content] : created_) {
    std::error_code failure;
    if (fs::symlink_status(root_ / path, failure).type() != fs::file_type::not_found) existing.push_back(path);
  }
  if (!existing.empty()) return invalid_error("these files exist already: " + base::join(existing, ", "));

  const auto files = in_order();
  for (const auto& [path, content] : files) KEELSON_TRY(check_inside(root_, path));

  Journal journal;
  const auto write = [&](const std::string& path, const std::string& content) -> Result<void> {
    KEELSON_TRY(journal.note(root_ / path));
    return write_file(root_ / path, content);
  };
  for (const auto& [path, content] : files) {
    auto done = write(path, content);
    if (done) continue;
    const auto failed = journal.undo();
    if (failed.empty()) return done;
    return std::move(done).error().with_context("these files could not be put back: " + base::join(failed, ", "));
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> TreeChange::in_order() const {
  std::vector<std::pair<std::string, std::string>> files(created_.begin(), created_.end());
  const auto append = [&](const auto& is_wanted) {
    for (const auto& [path, content] : written_) {
      if (is_wanted(path)) files.emplace_back(path, content);
    }
  };
  append([](const std::string& path) { return !is_base_path(path) && path != kProjectFile; });
  append([](const std::string& path) { return is_base_path(path); });
  append([](const std::string& path) { return path == kProjectFile; });
  return files;
}

std::vector<std::string> TreeChange::created() const {
  auto paths = paths_of(created_);
  for (auto& path : paths_of(written_)) {
    std::error_code failure;
    if (!fs::exists(root_ / path, failure)) paths.push_back(std::move(path));
  }
  return paths;
}

std::vector<std::string> TreeChange::changed() const {
  auto paths = paths_of(written_);
  std::erase_if(paths, [&](const std::string& path) {
    std::error_code failure;
    return !fs::exists(root_ / path, failure);
  });
  return paths;
}

}  // namespace keelson::scaffold
