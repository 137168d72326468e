#include "src/kubeconfig/entry_files.hpp"

#include <filesystem>

#include "keelson/base/try.hpp"

namespace keelson::kube {

std::string joined(const std::string& base, const std::string& path) {
  return (std::filesystem::path(base) / path).lexically_normal().string();
}

void resolve_path(std::string& path, const std::string& directory) {
  if (!path.empty() && path.front() != '/') path = joined(directory, path);
}

void check_readable(const std::string& path, const char* what, const std::string& owner, const ReadFile& read_file,
                    std::vector<std::string>& messages) {
  if (path.empty()) return;
  auto content = required_file(path, read_file);
  if (content) return;
  messages.push_back(std::string("unable to read ") + what + " " + path + " for " + owner + " due to " +
                     content.error().text);
}

Result<std::string> required_file(const std::string& path, const ReadFile& read_file) {
  KEELSON_LET(auto content, read_file(path));
  if (!content) return invalid_error("open " + path + ": no such file or directory");
  return std::move(*content);
}

Result<std::string> data_or_file(const std::string& data, const std::string& path, const ReadFile& read_file) {
  if (!data.empty() || path.empty()) return data;
  return required_file(path, read_file);
}

}  // namespace keelson::kube
