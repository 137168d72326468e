// A response as a server writes it: the start line and headers, and the chunks of a chunked body.
#pragma once

#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/net/http.hpp"

namespace keelson::net {

// kFrames: the pieces are frames of a WebSocket.
enum class Framing { kLength, kChunks, kUntilClose, kFrames, kNone };
enum class After { kKeepAlive, kClose };

struct ReplyFrame {
  Framing framing = Framing::kLength;
  After after = After::kKeepAlive;
  bool is_http_1_0 = false;
};

// The server writes the headers that frame the message itself: those in `response` are skipped, and so is a header that
// would break its line.
[[nodiscard]] std::string reply_head(const Response& response, ReplyFrame frame, async::WallTime now);

// A chunk of a chunked body; `piece` is not empty, because an empty one would end the body.
[[nodiscard]] std::string chunk(std::string_view piece);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

// "Service Unavailable"; empty for a status without a phrase of its own, as in Go.
[[nodiscard]] std::string_view reason_phrase(int status);

// Responses with 1xx, 204 and 304 never have a body or a Content-Length.
[[nodiscard]] bool has_no_body(int status);

}  // namespace keelson::net
