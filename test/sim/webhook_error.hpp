// The error of a write that the API server rejects because a third-party webhook fails, with any code.
#pragma once

#include "keelson/detail/base/error.hpp"

namespace keelson::testing {

inline Error webhook_error(int code = 500) {
  Error error(Error::Kind::kStatus, "");
  error.code = code;
  error.reason = "InternalError";
  error.server_text =
      R"(Internal error occurred: failed calling webhook "policy.example.com": Post "https://policy/": EOF)";
  return error;
}

}  // namespace keelson::testing
