// The API server itself: whether it answers, its version, and its clock.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/detail/doctor/findings.hpp"
#include "src/doctor/reader.hpp"

namespace keelson::doctor {

// Also sets the reader's time of the API server. `is_usable` becomes false if no other check is possible.
[[nodiscard]] boost::asio::awaitable<void> examine_api_server(Reader& reader, async::Clock& clock, bool& is_usable,
                                                              Findings& findings);

// The time of an HTTP header: "Sun, 06 Nov 1994 08:49:37 GMT".
[[nodiscard]] std::optional<async::WallTime> parse_http_date(std::string_view text);

// False if the API server cannot be used, so that no other check is possible. `now` is this machine's time of the
// answer.
[[nodiscard]] bool check_server(const StreamedReply& answer, async::WallTime now, Findings& findings);

}  // namespace keelson::doctor
