// The error of a request that the API server has rejected.
#pragma once

#include <string>

#include "keelson/detail/base/error.hpp"

namespace keelson::testing {

// For example status_error(404, "NotFound"). `server_text` is the message of the Status; without it, the text of the
// error is the reason.
[[nodiscard]] Error status_error(int code, std::string reason = "", std::string server_text = "");

}  // namespace keelson::testing
