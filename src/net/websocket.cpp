#include "keelson/detail/net/websocket.hpp"

#include <openssl/sha.h>

#include <algorithm>
#include <array>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/net/text.hpp"
#include "src/net/websocket_frames.hpp"

namespace keelson::net {

namespace {

// RFC 6455, section 4.2.2: proves that the server has read the key of this handshake.
std::string accept_value(std::string_view key) {
  const auto text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return base::base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

// Whether the comma-separated list has this word.
bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (equal_ignoring_case(base::trim(list.substr(0, end)), word)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

Response rejected_upgrade(int status, std::string why) {
  return {status, {{"Connection", "close"}, {"Content-Type", "text/plain; charset=utf-8"}}, std::move(why)};
}

}  // namespace

bool wants_websocket(const Headers& headers) {
  return equal_ignoring_case(header(headers, "Upgrade"), "websocket") &&
         has_word(header(headers, "Connection"), "upgrade");
}

Response upgrade_response(const Headers& headers) {
  const auto protocol = header(headers, "Sec-WebSocket-Protocol");
  const auto key = header(headers, "Sec-WebSocket-Key");
  if (header(headers, "Sec-WebSocket-Version") != "13") {
    auto rejected = rejected_upgrade(400, "missing or bad WebSocket Version");
    rejected.headers.emplace_back("Sec-WebSocket-Version", "13");
    return rejected;
  }
  if (key.empty()) return rejected_upgrade(400, "mismatch challenge/response");
  if (header(headers, "Origin").empty()) return rejected_upgrade(403, "");
  if (protocol.find(',') != std::string_view::npos) return rejected_upgrade(400, "");
  Response response;
  response.status = 101;
  response.headers = {{"Upgrade", "websocket"}, {"Sec-WebSocket-Accept", accept_value(key)}};
  if (!protocol.empty()) response.headers.emplace_back("Sec-WebSocket-Protocol", protocol);
  return response;
}

std::string websocket_frame(WebSocketMessage type, std::string_view payload) {
  return frame_of(type == WebSocketMessage::kText ? FrameCode::kText : FrameCode::kBinary, payload);
}

}  // namespace keelson::net
