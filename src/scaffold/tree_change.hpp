// The files that a command writes. Everything is checked before the first write, so a refused command changes nothing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "src/scaffold/project.hpp"

namespace keelson::scaffold {

// The folder with a copy of each generated file as it was generated: the common ancestor of the three-way merge of
// `update`.
inline constexpr std::string_view kBaseFolder = ".scaffold";
[[nodiscard]] std::string base_path(std::string_view path);

class TreeChange {
 public:
  explicit TreeChange(std::filesystem::path root) : root_(std::move(root)) {}

  // Writes a generated file that must not exist, and its copy in the base folder.
  void create(const std::string& path, const std::string& content);
  // Replaces a file, or writes a new one.
  void write(const std::string& path, const std::string& content);
  // The content that a file will have: of an earlier write(), or on the disk. kInvalid if there is no such file.
  [[nodiscard]] Result<std::string> content(const std::string& path) const;

  // kInvalid, which names them, if files to create exist already, or if a link leads one out of the project; then
  // nothing is written. A failing write is undone
  // with all before it, and the folders that were created for them. The copies in the base folder follow after the
  // files of the user, and PROJECT comes last, so that a command that was killed can be repeated.
  [[nodiscard]] Result<void> apply() const;
  // The paths that apply() creates and changes, without those of the base folder. Ask before apply().
  [[nodiscard]] std::vector<std::string> created() const;
  [[nodiscard]] std::vector<std::string> changed() const;

 private:
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> in_order() const;

  std::filesystem::path root_;
  Files created_;
  Files written_;
};

}  // namespace keelson::scaffold
