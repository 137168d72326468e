#include "keelson/detail/net/websocket.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

namespace {

const std::string kHandshake =
    "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nOrigin: http://a\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
const std::string kGoodbye("\x88\x02\x03\xe8", 4);

// A frame of a client; its mask changes nothing.
std::string masked(unsigned char first, const std::string& payload) {
  std::string frame(1, static_cast<char>(first));
  frame += static_cast<char>(0x80U | payload.size());
  return frame + std::string(4, '\0') + payload;
}

// One message, and then nothing until `end` is notified.
net::Handler message_until(async::Notify& end) {
  return [&end](net::Request request) -> asio::awaitable<net::ServerReply> {
    net::ServerReply made;
    made.response = net::upgrade_response(request.headers);
    if (made.response.status != 101) co_return made;
    auto first = std::make_shared<bool>(true);
    made.streaming = net::StreamingBody{[first, &end]() -> asio::awaitable<std::optional<std::string>> {
      if (std::exchange(*first, false)) co_return net::websocket_frame(net::WebSocketMessage::kText, "hello");
      co_await end.wait();
      co_return std::nullopt;
    }};
    co_return made;
  };
}

// The bytes after the header that the server answers to `sent`. `is_ended`: the body ends, otherwise the client has to
// close.
std::string frames_to(const std::string& sent, bool is_ended) {
  NetFixture fixture;
  async::Notify end;
  auto server = fixture.server(message_until(end));
  std::string answer;
  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto raw = co_await connect_raw(server->port());
    co_await raw->write(kHandshake + sent);
    co_await fixture.settle();
    if (is_ended) end.notify_all();
    answer = co_await raw->read_to_end();
    co_await server->stop(0s);
  });
  CHECK(
      answer.starts_with("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: "
                         "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nConnection: Upgrade\r\n\r\n"));
  return body_of(answer);
}

net::Headers handshake_with(const std::string& name, const std::string& value) {
  net::Headers headers{{"Sec-WebSocket-Version", "13"}, {"Sec-WebSocket-Key", "x"}, {"Origin", "http://a"}};
  std::erase_if(headers, [&name](const auto& one) { return one.first == name; });
  if (!value.empty()) headers.emplace_back(name, value);
  return headers;
}

}  // namespace

TEST_CASE("the pieces of an upgraded reply are messages, and its end closes the WebSocket") {
  CHECK(frames_to("", true) == "\x81\x05hello" + kGoodbye);
}

TEST_CASE("a client's ping is answered, and its messages are skipped") {
  const std::string long_text = std::string("\x82\xfe\x01\x00", 4) + std::string(4 + 256, 'x');
  const auto answers = frames_to(masked(0x81, "text") + long_text + masked(0x89, "hi") + masked(0x89, ""), true);
  CHECK(answers == "\x81\x05hello\x8a\x02hi" + std::string("\x8a\x00", 2) + kGoodbye);
}

TEST_CASE("the masked payload of a ping is returned without its mask") {
  const std::string ping =
      std::string("\x89\x82\x01\x02\x03\x04", 6) + static_cast<char>('h' ^ 1) + static_cast<char>('i' ^ 2);
  CHECK(frames_to(ping, true) == "\x81\x05hello\x8a\x02hi" + kGoodbye);
}

TEST_CASE("a client's close is answered and ends the body") {
  CHECK(frames_to(masked(0x88, "\x03\xe8"), false) == "\x81\x05hello" + kGoodbye);
}

TEST_CASE("a client that breaks the rules of WebSocket is disconnected") {
  const std::string protocol_error("\x88\x02\x03\xea", 4);
  const std::string unmasked = "\x81\x02hi";
  const std::string long_ping = std::string("\x89\xfe\x00\xc8", 4) + std::string(4 + 200, 'x');
  for (const auto& sent : {unmasked, long_ping}) CHECK(frames_to(sent, false) == "\x81\x05hello" + protocol_error);
}

TEST_CASE("an upgrade is rejected as by the API server") {
  CHECK(net::upgrade_response(handshake_with("", "")).status == 101);
  CHECK(net::upgrade_response(handshake_with("Origin", "")).status == 403);
  CHECK(net::upgrade_response(handshake_with("Sec-WebSocket-Version", "8")).body == "missing or bad WebSocket Version");
  CHECK(net::upgrade_response(handshake_with("Sec-WebSocket-Key", "")).body == "mismatch challenge/response");
  CHECK(net::upgrade_response(handshake_with("Sec-WebSocket-Protocol", "a, b")).status == 400);
  const auto accepted = net::upgrade_response(handshake_with("Sec-WebSocket-Protocol", "a"));
  CHECK(net::header(accepted.headers, "Sec-WebSocket-Protocol") == "a");
}

TEST_CASE("only a request to upgrade the connection wants a WebSocket") {
  CHECK(net::wants_websocket({{"upgrade", "WebSocket"}, {"Connection", "keep-alive, Upgrade"}}));
  CHECK_FALSE(net::wants_websocket({{"Upgrade", "websocket"}, {"Connection", "keep-alive"}}));
  CHECK_FALSE(net::wants_websocket({{"Upgrade", "h2c"}, {"Connection", "Upgrade"}}));
}

TEST_CASE("the length of a message has 1, 2 or 8 bytes") {
  using net::WebSocketMessage;
  CHECK(net::websocket_frame(WebSocketMessage::kBinary, "a") == std::string("\x82\x01"
                                                                            "a"));
  CHECK(net::websocket_frame(WebSocketMessage::kText, std::string(126, 'a'))
            .starts_with(std::string("\x81\x7e\x00\x7e", 4)));
  CHECK(net::websocket_frame(WebSocketMessage::kText, std::string(65536, 'a'))
            .starts_with(std::string("\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00", 10)));
}
