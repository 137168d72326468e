// The API server itself: whether it answers, its version, its clock, and its fast paths.
#pragma once

#include <optional>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/doctor/findings.hpp"
#include "src/doctor/reader.hpp"

namespace keelson::doctor {

// The time of an HTTP header: "Sun, 06 Nov 1994 08:49:37 GMT".
[[nodiscard]] std::optional<async::WallTime> parse_http_date(std::string_view text);

// False if the API server cannot be used, so that no other check is possible. `now` is this machine's time of the
// answer.
[[nodiscard]] bool check_server(const StreamedReply& answer, async::WallTime now, Findings& findings);

// The reply to a watch that requested a streamed list.
void check_watch(const StreamedReply& watch, Findings& findings);

}  // namespace keelson::doctor
