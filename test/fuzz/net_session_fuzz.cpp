// Any bytes from a client of our HTTP server, in pieces: it answers in order or closes, with any pieces.
//
// The first byte chooses the behavior of the server and the client, the second the size of the pieces; '@' has no
// special behavior.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/limits.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/net/request_rules.hpp"
#include "src/net/server_session.hpp"
#include "src/net/text.hpp"
#include "test/fuzz/socket_pair.hpp"

namespace {

using namespace keelson;
using namespace std::chrono_literals;
namespace asio = boost::asio;

struct Setting {
  Setting(std::uint8_t flags, std::uint8_t piece)
      : ignores_bodies((flags & 1) != 0),
        small_bodies((flags & 2) != 0),
        hangs_up((flags & 4) != 0),
        stays((flags & 8) != 0),
        is_slow((flags & 16) != 0),
        little_memory((flags & 32) != 0),
        piece_bytes(piece & 63U) {}

  bool ignores_bodies;
  bool small_bodies;
  bool hangs_up;            // closes at the end of the input
  bool stays;               // neither closes nor sends more
  bool is_slow;             // 20 s between two pieces
  bool little_memory;       // the session may be evicted
  std::size_t piece_bytes;  // 0: all at once
};

constexpr std::size_t kSmallBody = 64;
constexpr std::size_t kMostPieces = 64;  // the rest of the input is a single piece

// Formats every line and drops it.
class Sink final : public LogSink {
 public:
  [[nodiscard]] bool enabled(Level, int) const override { return true; }
  void write(const Line& line) override {
    for (const auto& field : line.fields) KEELSON_ASSERT(!field.value.as_json().empty());
  }
};

// The actions of the server for an input.
struct Outcome {
  std::vector<net::Request> requests;
  std::string replies;
  bool has_streamed = false;
};

bool is_framing(std::string_view name, std::string_view what) { return net::equal_ignoring_case(name, what); }

void check_request(const net::Request& request, const Setting& setting) {
  KEELSON_ASSERT(net::is_token(request.method));
  KEELSON_ASSERT(!request.target.empty());
  KEELSON_ASSERT(std::ranges::none_of(request.target, [](unsigned char c) { return c <= ' ' || c == 0x7f; }));
  KEELSON_ASSERT(!net::reject_by_header(request.headers, net::HttpVersion::k10));
  std::optional<std::string_view> length;
  int encodings = 0;
  for (const auto& [name, value] : request.headers) {
    KEELSON_ASSERT(net::is_token(name));
    KEELSON_ASSERT(value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos);
    if (is_framing(name, "Transfer-Encoding")) {
      KEELSON_ASSERT(net::equal_ignoring_case(value, "chunked") && ++encodings == 1);
    }
    if (!is_framing(name, "Content-Length")) continue;
    KEELSON_ASSERT(!length || *length == value);
    length = value;
  }
  KEELSON_ASSERT(!length || encodings == 0);
  if (setting.ignores_bodies) {
    KEELSON_ASSERT(request.body.empty());
    return;
  }
  if (setting.small_bodies) KEELSON_ASSERT(request.body.size() <= kSmallBody);
  if (length) {
    std::size_t bytes = 0;
    auto end = length->data() + length->size();
    auto read = std::from_chars(length->data(), end, bytes);
    KEELSON_ASSERT(read.ec == std::errc() && read.ptr == end && bytes == request.body.size());
  } else if (encodings == 0) {
    KEELSON_ASSERT(request.body.empty());
  }
}

asio::awaitable<std::optional<std::string>> next_piece(std::size_t& left) {
  if (left == 0) co_return std::nullopt;
  --left;
  co_return "piece";
}

asio::awaitable<net::ServerReply> answer(Outcome& outcome, const Setting& setting, net::Request request) {
  check_request(request, setting);
  net::ServerReply reply;
  reply.response.status = 200;
  reply.response.headers.emplace_back("X-Number", std::to_string(outcome.requests.size()));
  const auto has = [&request](std::string_view word) { return request.target.find(word) != std::string::npos; };
  const bool fails = has("throw");
  if (has("close")) reply.response.headers.emplace_back("Connection", "close");
  if (has("empty")) reply.response.status = 204;
  if (has("stream") && !fails) {
    outcome.has_streamed = true;
    auto left = std::make_shared<std::size_t>(3);
    reply.streaming = net::StreamingBody{[left] { return next_piece(*left); }};
  } else {
    reply.response.body = request.body;
  }
  outcome.requests.push_back(std::move(request));
  if (fails) throw std::runtime_error("a bug of the handler");
  co_return reply;
}

asio::awaitable<void> serve(net::ServerSession& session, asio::ip::tcp::socket socket, bool& has_ended) {
  co_await session.run(std::move(socket));
  has_ended = true;
}

asio::awaitable<void> converse(sandbox::loop::TestLoop& loop, fuzz::SocketPair& pair, std::string_view input,
                               const Setting& setting, Outcome& outcome, const bool& has_ended) {
  const async::Duration pause = setting.is_slow ? async::Duration(20s) : async::Duration(1ms);
  for (std::size_t pieces = 0; !input.empty() && !has_ended; ++pieces) {
    const bool is_rest = setting.piece_bytes == 0 || pieces == kMostPieces;
    const auto piece = input.substr(0, is_rest ? input.size() : setting.piece_bytes);
    input.remove_prefix(piece.size());
    if (!pair.write(piece)) break;
    // Virtual time advances when there is nothing else to do.
    co_await async::sleep_for(loop.clock(), pause);
    outcome.replies += pair.read();
  }
  if (setting.hangs_up) {
    pair.close();
  } else if (!setting.stays) {
    pair.stop_writing();
  }
  const auto ended_at = loop.clock().now();
  while (!has_ended) {
    KEELSON_ASSERT(loop.clock().now() - ended_at < 5min);
    co_await async::sleep_for(loop.clock(), 1s);
    if (!setting.hangs_up) outcome.replies += pair.read();
  }
  if (!setting.hangs_up) outcome.replies += pair.read();
}

Outcome run(std::string_view input, const Setting& setting) {
  Outcome outcome;
  Sink sink;
  sandbox::loop::TestLoop loop;
  net::ServerLimits limits;
  if (setting.little_memory) limits.held_bytes = limits::kReadBytes + 2048;
  net::ServerBudget budget(limits);
  net::HttpServerOptions options;
  if (setting.ignores_bodies) options.bodies = net::Bodies::kIgnore;
  if (setting.small_bodies) options.body_limit = kSmallBody;
  auto handler = [&](net::Request request) { return answer(outcome, setting, std::move(request)); };
  net::ServerShared shared{loop.clock(), Logger(sink), handler, options, {}, budget.ledger(), budget.handshakes()};
  {
    fuzz::SocketPair pair(loop.executor());
    net::ServerSession session(shared);
    async::TaskGroup group(loop.executor());
    bool has_ended = false;
    loop.run([&]() -> asio::awaitable<void> {
      group.spawn(serve(session, pair.take_server(), has_ended));
      co_await converse(loop, pair, input, setting, outcome, has_ended);
      co_await group.join();
    });
    KEELSON_ASSERT(budget.held_bytes() == 0);
  }
  KEELSON_ASSERT(budget.connections() == 0);
  KEELSON_ASSERT(loop.clock().timers() == 0);
  return outcome;
}

struct Reply {
  int status = 0;
  std::optional<std::size_t> number;
  bool closes = false;
  bool is_whole = false;
};

// Takes the next bytes as a body of chunks; false when it ends before its end.
bool skip_chunks(std::string_view& text) {
  for (;;) {
    const auto line = text.find("\r\n");
    if (line == std::string_view::npos) return false;
    std::size_t bytes = 0;
    auto read = std::from_chars(text.data(), text.data() + line, bytes, 16);
    KEELSON_ASSERT(read.ec == std::errc() && read.ptr == text.data() + line);
    if (text.size() < line + 2 + bytes + 2) return false;
    KEELSON_ASSERT(text.substr(line + 2 + bytes, 2) == "\r\n");
    text.remove_prefix(line + 2 + bytes + 2);
    if (bytes == 0) return true;
  }
}

// Reads a reply as strictly as a client could.
Reply take_reply(std::string_view& text, bool is_to_head) {
  Reply reply;
  const auto end = text.find("\r\n\r\n");
  if (end == std::string_view::npos) {
    text = {};
    return reply;
  }
  auto head = text.substr(0, end + 2);
  text.remove_prefix(end + 4);
  KEELSON_ASSERT(head.starts_with("HTTP/1.1 ") && head.size() > 13 && head[12] == ' ');
  std::from_chars(head.data() + 9, head.data() + 12, reply.status);
  KEELSON_ASSERT(reply.status >= 100 && reply.status <= 599);
  std::optional<std::size_t> length;
  bool has_chunks = false;
  for (auto line_end = head.find("\r\n");;) {
    head.remove_prefix(line_end + 2);
    line_end = head.find("\r\n");
    if (line_end == std::string_view::npos) break;
    const auto line = head.substr(0, line_end);
    const auto colon = line.find(": ");
    KEELSON_ASSERT(colon != std::string_view::npos);
    const auto name = line.substr(0, colon);
    const auto value = line.substr(colon + 2);
    if (name == "Connection") reply.closes = value == "close";
    if (name == "Transfer-Encoding") has_chunks = true;
    if (name != "Content-Length" && name != "X-Number") continue;
    std::size_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    auto& slot = name == "X-Number" ? reply.number : length;
    KEELSON_ASSERT(!slot);
    slot = number;
  }
  KEELSON_ASSERT(!length || !has_chunks);
  reply.is_whole = true;
  if (is_to_head || reply.status < 200 || reply.status == 204) return reply;
  if (has_chunks) {
    reply.is_whole = skip_chunks(text);
  } else if (length) {
    reply.is_whole = text.size() >= *length;
    text.remove_prefix(std::min(text.size(), *length));
  } else {
    KEELSON_ASSERT(reply.closes);
    text = {};
  }
  if (!reply.is_whole) text = {};
  return reply;
}

// One reply for each request, in their order, and at most one more, which rejects and ends the connection.
void check_replies(const Outcome& outcome, const Setting& setting) {
  std::string_view text = outcome.replies;
  std::size_t finals = 0;
  bool is_over = false;
  while (!text.empty()) {
    KEELSON_ASSERT(!is_over);
    const bool is_answer = finals < outcome.requests.size();
    const auto reply = take_reply(text, is_answer && outcome.requests[finals].method == "HEAD");
    if (reply.status == 100) continue;
    is_over = reply.closes || !reply.is_whole;
    if (!reply.is_whole && reply.status == 0) KEELSON_ASSERT(setting.little_memory);
    ++finals;
    if (is_answer) {
      const bool has_failed = reply.status == 500 && !reply.number;
      KEELSON_ASSERT(has_failed || !reply.is_whole || reply.number == finals - 1);
      continue;
    }
    KEELSON_ASSERT(finals == outcome.requests.size() + 1 && reply.closes && !reply.number);
    KEELSON_ASSERT(reply.status == 400 || reply.status == 413 || reply.status == 417 || reply.status == 431 ||
                   reply.status == 501);
  }
  if (!setting.hangs_up && !setting.little_memory) KEELSON_ASSERT(finals >= outcome.requests.size());
}

bool same(const net::Request& one, const net::Request& other) {
  return one.method == other.method && one.target == other.target && one.headers == other.headers &&
         one.body == other.body;
}

std::size_t count_header_ends(std::string_view text) {
  std::size_t count = 0;
  for (auto at = text.find("\r\n\r\n"); at != std::string_view::npos; at = text.find("\r\n\r\n", at + 1)) ++count;
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Setting setting(data[0], data[1]);
  const std::string_view input(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto outcome = run(input, setting);
  KEELSON_ASSERT(outcome.requests.size() <= count_header_ends(input));
  check_replies(outcome, setting);
  // Two readers of a stream see the same requests. A stream ends early if its client sends something meanwhile.
  const bool is_comparable =
      !setting.is_slow && !setting.little_memory && !setting.hangs_up && setting.piece_bytes != 0;
  if (!is_comparable) return 0;
  Setting whole = setting;
  whole.piece_bytes = 0;
  const auto at_once = run(input, whole);
  if (outcome.has_streamed || at_once.has_streamed) return 0;
  KEELSON_ASSERT(std::ranges::equal(outcome.requests, at_once.requests, same));
  return 0;
}
