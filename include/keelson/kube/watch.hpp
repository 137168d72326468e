// A watch as events: the line-delimited stream of the API server, split and named.
#pragma once

#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::kube {

struct WatchEvent {
  enum class Type { kAdded, kModified, kDeleted, kBookmark, kError };
  Type type = Type::kAdded;
  std::string_view object;  // JSON; for kError a Status. Valid only during the call.
};

// Splits `{"type":"ADDED","object":{…}}`; unknown types and broken lines are kMalformed.
[[nodiscard]] Result<WatchEvent> parse_watch_line(std::string_view line);

}  // namespace keelson::kube
