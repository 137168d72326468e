// The checks of a request's headers beyond their grammar, as in Go's server: a single Host, and no expectation except
// 100-continue.
#pragma once

#include <optional>
#include <string_view>

#include "keelson/net/http.hpp"

namespace keelson::net {

struct Rejection {
  int status = 0;
  std::string_view why;
};

enum class HttpVersion { k10, k11 };

// nullopt: the request may be served.
[[nodiscard]] std::optional<Rejection> reject_by_header(const Headers& headers, HttpVersion version);

}  // namespace keelson::net
