// Parts of a log line: JSON strings as zap escapes them, and times in six encodings.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "keelson/base/log.hpp"

namespace keelson::base {

// `text` as a JSON string with its quotes. A text longer than about `limit` bytes is cut and ends with "…".
// Bytes that are not UTF-8 become \ufffd.
[[nodiscard]] std::string log_json_string(std::string_view text, std::size_t limit);

// Text outside of JSON: control characters become spaces, so that a text adds neither lines nor columns.
[[nodiscard]] std::string log_plain_text(std::string_view text, std::size_t limit);

// The value of "ts". zap prints epochs with a fixed point in JSON and as fmt.Print does on the console; times
// are in UTC, so that the lines of all replicas compare.
[[nodiscard]] std::string log_time(LogOptions::WallTime when, LogOptions::TimeEncoding encoding,
                                   LogOptions::Encoder encoder);

}  // namespace keelson::base
