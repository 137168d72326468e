// Reads and writes a message on a connection.
#pragma once

#include <functional>
#include <string>

#include "keelson/base/task.hpp"
#include "src/net/connection.hpp"
#include "src/net/message_parser.hpp"

namespace keelson::net {

// Reads until the header is complete. The end of the connection before the first byte is a kTransport "EOF". `on_read`,
// unless empty, is called after each read from the socket.
[[nodiscard]] Task<void> read_header(Connection& connection, MessageParser& parser, std::function<void()> on_read = {});

// Reads the rest of the message into the parser's request or response. `may_grow` is called with the size of the body
// before each wait for more; an error of it ends the read.
[[nodiscard]] Task<void> read_body(Connection& connection, MessageParser& parser,
                                   std::function<Result<void>(std::size_t)> may_grow);

// Reads at least one byte of the body into `piece`, or 0 at its proper end.
[[nodiscard]] Task<std::size_t> read_piece(Connection& connection, MessageParser& parser, std::span<char> piece);

// Writes a message; a small body is written together with its head. `may_send`, unless empty, is called directly before
// each piece is written to the socket: if it returns false, the result is kFenced and the connection is unusable.
[[nodiscard]] Task<void> write_message(Connection& connection, std::string head, const std::string& body,
                                       std::function<bool()> may_send);

}  // namespace keelson::net
