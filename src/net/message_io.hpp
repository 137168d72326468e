// Moves one message between a connection and its parser.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "src/net/connection.hpp"
#include "src/net/message_parser.hpp"

namespace keelson::net {

// Reads on towards the end of the header, one piece at most.
[[nodiscard]] boost::asio::awaitable<Result<void>> read_some_header(Connection& connection, MessageParser& parser);

// Reads until the header is complete. An orderly end before the first byte is a kTransport "EOF".
[[nodiscard]] boost::asio::awaitable<Result<void>> read_header(Connection& connection, MessageParser& parser);

// Reads the rest of the message into the parser's request or response.
[[nodiscard]] boost::asio::awaitable<Result<void>> read_body(Connection& connection, MessageParser& parser);

// Reads at least one byte of the body into `piece`, or 0 at its proper end.
[[nodiscard]] boost::asio::awaitable<Result<std::size_t>> read_piece(Connection& connection, MessageParser& parser,
                                                                     std::span<char> piece);

// Writes the text, small bodies together with what stands before them. `may_send`, unless empty, is asked directly
// before each piece that goes to the socket: false is a kFenced error, and the connection is lost.
[[nodiscard]] boost::asio::awaitable<Result<void>> write_message(Connection& connection, std::string head,
                                                                 const std::string& body,
                                                                 std::function<bool()> may_send);

}  // namespace keelson::net
