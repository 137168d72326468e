// A folder of a test's own, which nobody else may look into; gone with it.
#pragma once

#include <filesystem>
#include <string>

namespace keelson::test {

class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Of a file in it, which need not be there; `name` may have folders in it.
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

  // Replaces the file at once, as a kubelet does, and gives its path.
  std::string write(const std::string& name, const std::string& text) const;
  // Empty when there is no such file.
  [[nodiscard]] std::string read(const std::string& name) const;
  void remove(const std::string& name) const;

 private:
  std::filesystem::path path_;
};

}  // namespace keelson::test
