// WebSocket (RFC 6455) at a server, for streams of messages to the client: how a handler accepts the upgrade, and its
// messages.
//
// A handler replies with upgrade_response(). If its status is 101, the pieces of its StreamingBody are frames. The
// server then answers pings, ignores other messages of the client, and ends the body when the client closes. It holds
// no more than a ping of the client in memory. After the body, it closes the WebSocket with code 1000.
#pragma once

#include <string>
#include <string_view>

#include "keelson/net/http.hpp"

namespace keelson::net {

// Whether the headers `Upgrade` and `Connection` request a WebSocket.
[[nodiscard]] bool wants_websocket(const Headers& headers);

// 101 and its headers. Otherwise a rejection as that of golang.org/x/net/websocket: 400 for another version than 13, a
// missing key or several protocols, and 403 without an Origin, which is not checked further. A single protocol is
// accepted.
[[nodiscard]] Response upgrade_response(const Headers& headers);

enum class WebSocketMessage { kText, kBinary };
// A message in one frame.
[[nodiscard]] std::string websocket_frame(WebSocketMessage type, std::string_view payload);

}  // namespace keelson::net
