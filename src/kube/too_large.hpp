// The error of a reply that exceeds a limit of bytes or values: fewer objects in a reply may be readable.
#pragma once

#include <string>

#include "keelson/detail/base/error.hpp"

namespace keelson::kube {

// As net's error of a body over its limit: kMalformed with code 413.
[[nodiscard]] inline Error too_large_error(std::string text) {
  auto error = malformed_error(std::move(text));
  error.code = 413;
  return error;
}

[[nodiscard]] inline bool is_too_large(const Error& error) {
  return error.kind == Error::Kind::kMalformed && error.code == 413;
}

}  // namespace keelson::kube
