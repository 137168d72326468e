// Tokens for tests: JWTs that no one has signed.
#pragma once

#include <string>
#include <string_view>

#include "keelson/detail/base/base64.hpp"

namespace keelson::testing {

inline std::string base64url(std::string_view bytes) {
  auto text = base::base64_encode(bytes);
  while (text.ends_with('=')) text.pop_back();
  for (char& c : text) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return text;
}

inline std::string jwt(std::string_view payload, std::string_view header = R"({"alg":"RS256","kid":"k"})") {
  return base64url(header) + "." + base64url(payload) + "." + base64url("signature");
}

}  // namespace keelson::testing
