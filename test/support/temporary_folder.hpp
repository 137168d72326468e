// A folder for a test with access only for its user; the destructor deletes it.
#pragma once

#include <filesystem>
#include <string>

namespace keelson::testing {

class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // The path of a file in it, which need not exist; `name` may contain folders.
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

  // Replaces the file atomically, as a kubelet does, and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  // Empty if the file does not exist.
  [[nodiscard]] std::string read(const std::string& name) const;
  void remove(const std::string& name) const;

 private:
  std::filesystem::path path_;
};

}  // namespace keelson::testing
