#include "keelson/detail/tls/pem_file.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/local_file.hpp"

namespace keelson::tls {

Result<std::string> read_pem_file(const std::string& path) {
  KEELSON_LET(auto text, base::read_local_file(path));
  if (!text) return invalid_error("open " + path + ": no such file or directory");
  if (text->empty()) return invalid_error(path + " is empty");
  return std::move(*text);
}

}  // namespace keelson::tls
