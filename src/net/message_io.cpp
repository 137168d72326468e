#include "src/net/message_io.hpp"

#include <algorithm>
#include <string_view>

#include "keelson/base/try.hpp"

namespace keelson::net {

namespace {

// A body up to this size is written together with its header; a larger one is not copied.
constexpr std::size_t kJoinedBodyBytes = std::size_t{16} << 10;

// Feeds the unread bytes to the parser; false if it used none of them.
Result<bool> advance(Connection& connection, MessageParser& parser) {
  auto unread = connection.unread();
  if (unread.empty()) return false;
  KEELSON_LET(auto used, parser.feed(unread));
  connection.consume(used);
  return used > 0;
}

// Waits for more bytes, or for the end of the connection, which may be the proper end of the message.
Task<void> more(Connection& connection, MessageParser& parser) {
  KEELSON_CO_LET(auto got, co_await connection.fill());
  if (got == 0) co_return parser.feed_end();
  co_return Result<void>();
}

}  // namespace

Task<void> read_header(Connection& connection, MessageParser& parser, std::function<void()> on_read) {
  while (!parser.header_done()) {
    KEELSON_CO_LET(auto moved, advance(connection, parser));
    const bool has_more = moved && !connection.unread().empty();
    if (!parser.header_done() && !has_more) {
      KEELSON_CO_TRY(co_await more(connection, parser));
    }
    if (on_read) on_read();
  }
  co_return Result<void>();
}

Task<void> read_body(Connection& connection, MessageParser& parser, std::function<Result<void>(std::size_t)> may_grow) {
  while (!parser.done()) {
    KEELSON_CO_LET(auto moved, advance(connection, parser));
    if (parser.done()) break;
    if (moved && !connection.unread().empty()) continue;
    KEELSON_CO_TRY(may_grow(parser.response().body.size()));
    KEELSON_CO_TRY(co_await more(connection, parser));
  }
  co_return Result<void>();
}

Task<std::size_t> read_piece(Connection& connection, MessageParser& parser, std::span<char> piece) {
  parser.set_piece(piece);
  while (!parser.done()) {
    KEELSON_CO_LET(auto moved, advance(connection, parser));
    if (parser.piece_used() > 0 || parser.done()) break;
    if (moved && !connection.unread().empty()) continue;
    KEELSON_CO_TRY(co_await more(connection, parser));
  }
  co_return parser.piece_used();
}

Task<void> write_message(Connection& connection, std::string head, const std::string& body,
                         std::function<bool()> may_send) {
  // A fenced body is written in pieces, so that a process that is suspended between two of them cannot complete the
  // request when it continues.
  auto piece = may_send ? kJoinedBodyBytes : std::max(body.size(), kJoinedBodyBytes);
  auto joined = body.size() <= kJoinedBodyBytes ? body.size() : 0;
  head.append(body, 0, joined);
  std::string_view rest = std::string_view(body).substr(joined);
  for (std::string_view next = head;;) {
    if (may_send && !may_send()) {
      co_return Error(Error::Kind::kFenced, "not sent: this process does not hold the lease");
    }
    auto wrote = co_await connection.write_all(next);
    if (!wrote || rest.empty()) co_return wrote;
    next = rest.substr(0, piece);
    rest.remove_prefix(next.size());
  }
}

}  // namespace keelson::net
