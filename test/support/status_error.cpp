#include "test/support/status_error.hpp"

#include <utility>

namespace keelson::testing {

Error status_error(int code, std::string reason, std::string server_text) {
  Error error(Error::Kind::kStatus, server_text.empty() ? reason : std::string());
  error.code = code;
  error.reason = std::move(reason);
  error.server_text = std::move(server_text);
  return error;
}

}  // namespace keelson::testing
