#include "keelson/tls/pem_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "keelson/base/limits.hpp"
#include "keelson/base/text.hpp"

namespace keelson::tls {

Result<std::string> read_pem_file(const std::string& path) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  if (failed) return invalid_error("open " + path + ": " + base::with_lower_first(failed.message()));
  if (size > limits::kLocalFileBytes) return invalid_error("open " + path + ": the file is too large");
  std::ifstream file(path, std::ios::binary);
  if (!file) return invalid_error("open " + path + ": " + base::with_lower_first(std::strerror(errno)));
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty()) return invalid_error(path + " is empty");
  return text;
}

}  // namespace keelson::tls
