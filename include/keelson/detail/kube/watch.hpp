// The events of a watch: a line of the stream each, which json::LineSplitter (json/scan.hpp) splits off.
//
// Reconcilers use an informer (keelson/cache), which lists first, watches again after each end of the stream, relists
// if the version has expired (410; src/cache/list_watch_policy.hpp decides), and stores the objects.
#pragma once

#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::kube {

// One line of the stream, not copied.
struct WatchEvent {
  enum class Type { kAdded, kModified, kDeleted, kBookmark, kError };
  Type type = Type::kAdded;
  std::string_view object;  // JSON, a Status for kError; refers to the line
};

// Splits `{"type":"ADDED","object":{…}}` without parsing the object. kMalformed for unknown types and other lines.
[[nodiscard]] Result<WatchEvent> parse_watch_line(std::string_view line);

}  // namespace keelson::kube
