#include "src/scaffold/tree_change.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"

namespace keelson::scaffold {

namespace fs = std::filesystem;

namespace {

Result<void> write_file(const fs::path& name, const std::string& content) {
  std::error_code failure;
  // A link stays a link: the file that it refers to is replaced.
  const bool is_link = fs::symlink_status(name, failure).type() == fs::file_type::symlink;
  failure.clear();
  const auto path = is_link ? fs::canonical(name, failure) : name;
  if (failure) return invalid_error("follow the link " + name.string() + ": " + failure.message());
  fs::create_directories(path.parent_path(), failure);
  if (failure) return invalid_error("create the folder " + path.parent_path().string() + ": " + failure.message());
  const fs::path fresh = path.string() + ".new";
  errno = 0;
  {
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << content;
    file.close();
    if (!file) return invalid_error("write " + fresh.string() + ": " + std::strerror(errno));
  }
  auto mode = fs::status(path, failure).permissions();
  if (!fs::exists(path, failure)) mode = fs::status(fresh, failure).permissions();
  constexpr auto kExecutable = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  if (path.extension() == ".sh") mode |= kExecutable;
  fs::permissions(fresh, mode, failure);
  fs::rename(fresh, path, failure);
  if (failure) return invalid_error("write " + path.string() + ": " + failure.message());
  return {};
}

// Puts back what was there before a write.
void restore(const fs::path& path, const std::optional<std::string>& before) {
  std::error_code ignored;
  if (before) {
    (void)write_file(path, *before);
  } else {
    fs::remove(path, ignored);
  }
}

std::vector<std::string> paths_of(const Files& files) {
  std::vector<std::string> paths;
  for (const auto& [path, content] : files) {
    if (!path.starts_with(std::string(kBaseFolder) + "/")) paths.push_back(path);
  }
  return paths;
}

}  // namespace

std::string base_path(std::string_view path) { return std::string(kBaseFolder) + "/" + std::string(path); }

Result<std::optional<std::string>> read_file(const fs::path& path) {
  std::error_code failure;
  const auto status = fs::status(path, failure);
  if (status.type() == fs::file_type::not_found) return std::optional<std::string>();
  if (!fs::is_regular_file(status)) return invalid_error(path.string() + " is not a file");
  std::ifstream file(path, std::ios::binary);
  std::string content(std::istreambuf_iterator<char>(file), {});
  if (!file) return invalid_error("read " + path.string() + ": " + std::strerror(errno));
  return std::optional(std::move(content));
}

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

  std::vector<std::pair<fs::path, std::optional<std::string>>> before;
  for (const auto* files : {&created_, &written_}) {
    for (const auto& [path, content] : *files) {
      auto old = read_file(root_ / path);
      auto done = old ? write_file(root_ / path, content) : Result<void>(old.error());
      if (!done) {
        for (const auto& [written, text] : before) restore(written, text);
        return done;
      }
      before.emplace_back(root_ / path, std::move(*old));
    }
  }
  return {};
}

std::vector<std::string> TreeChange::created() const { return paths_of(created_); }

std::vector<std::string> TreeChange::changed() const { return paths_of(written_); }

}  // namespace keelson::scaffold
