#include "src/net/message_io.hpp"

namespace keelson::net {
namespace asio = boost::asio;

namespace {

// One segment, one write; larger bodies are not copied.
constexpr std::size_t kJoinedBodyBytes = std::size_t{16} << 10;

// Feeds what is there; false if that was not enough for the parser to move on.
Result<bool> advance(Connection& connection, MessageParser& parser) {
  auto unread = connection.unread();
  if (unread.empty()) return false;
  auto used = parser.feed(unread);
  if (!used) return std::move(used).error();
  connection.consume(*used);
  return *used > 0;
}

// Waits for more bytes, or for the end, which may be the proper one.
asio::awaitable<Result<void>> more(Connection& connection, MessageParser& parser) {
  auto got = co_await connection.fill();
  if (!got) co_return std::move(got).error();
  if (*got == 0) co_return parser.feed_end();
  co_return Result<void>();
}

}  // namespace

asio::awaitable<Result<void>> read_header(Connection& connection, MessageParser& parser) {
  for (;;) {
    auto moved = advance(connection, parser);
    if (!moved) co_return std::move(moved).error();
    if (parser.header_done()) co_return Result<void>();
    if (*moved && !connection.unread().empty()) continue;
    auto read = co_await more(connection, parser);
    if (!read) co_return read;
  }
}

asio::awaitable<Result<void>> read_body(Connection& connection, MessageParser& parser) {
  while (!parser.done()) {
    auto moved = advance(connection, parser);
    if (!moved) co_return std::move(moved).error();
    if (parser.done()) break;
    if (*moved && !connection.unread().empty()) continue;
    auto read = co_await more(connection, parser);
    if (!read) co_return read;
  }
  co_return Result<void>();
}

asio::awaitable<Result<std::size_t>> read_piece(Connection& connection, MessageParser& parser, std::span<char> piece) {
  parser.set_piece(piece);
  while (!parser.done()) {
    auto moved = advance(connection, parser);
    if (!moved) co_return std::move(moved).error();
    if (parser.piece_used() > 0 || parser.done()) break;
    if (*moved && !connection.unread().empty()) continue;
    auto read = co_await more(connection, parser);
    if (!read) co_return std::move(read).error();
  }
  co_return parser.piece_used();
}

asio::awaitable<Result<void>> write_message(Connection& connection, std::string head, const std::string& body) {
  bool joined = body.size() <= kJoinedBodyBytes;
  if (joined) head += body;
  auto wrote = co_await connection.write_all(head);
  if (!wrote || joined) co_return wrote;
  auto wrote_body = co_await connection.write_all(body);
  co_return wrote_body;
}

}  // namespace keelson::net
