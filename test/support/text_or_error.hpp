// A text, or the error that is returned instead, in a single string.
#pragma once

#include <string>

#include "keelson/base/result.hpp"

namespace keelson::testing {

// "error: " and the text of the error.
inline std::string text_or_error(const Result<std::string>& result) {
  return result ? *result : "error: " + result.error().text;
}

}  // namespace keelson::testing
