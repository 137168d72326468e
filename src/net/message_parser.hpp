// Parses an HTTP/1.1 message from the bytes of a connection; its body into a string, or in pieces.
//
// Each message needs a new parser. feed() takes bytes and returns how many it used.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "keelson/net/http.hpp"

namespace keelson::net {

class MessageParser {
 public:
  enum class Expect { kRequest, kResponse, kResponseWithoutBody };  // the last one is the response to a HEAD
  enum class ParseError { kMalformed, kUnknownEncoding, kHeaderTooLarge, kBodyTooLarge };

  // Without a limit the body may be endless (a watch).
  MessageParser(Expect expect, std::optional<std::size_t> body_limit);
  MessageParser(const MessageParser&) = delete;
  MessageParser& operator=(const MessageParser&) = delete;
  ~MessageParser();

  // Returns the number of used bytes. It is less than all if more bytes are needed after the rest, if the header or the
  // message is complete, or if the piece is full. After an error the parser must not be fed again.
  [[nodiscard]] Result<std::size_t> feed(std::string_view bytes);
  // The peer has ended its side: a success if the end of the connection ends this message, else a kTransport
  // "unexpected EOF".
  [[nodiscard]] Result<void> feed_end();

  // Why feed failed.
  [[nodiscard]] ParseError parse_error() const;

  [[nodiscard]] bool has_begun() const;
  [[nodiscard]] bool header_done() const;
  [[nodiscard]] bool done() const;
  // True if another message may follow on the connection. Valid once the header is done.
  [[nodiscard]] bool keep_alive() const;
  [[nodiscard]] bool is_http_1_0() const;

  // The memory of the start line and the headers so far.
  [[nodiscard]] std::size_t header_bytes() const;
  // The Content-Length; nullopt if the header does not contain it. Valid once the header is done.
  [[nodiscard]] std::optional<std::size_t> content_length() const;

  // The start line and headers, and the body unless it is read in pieces.
  [[nodiscard]] Request& request();
  [[nodiscard]] Response& response();

  // Writes the body into `piece` from now on, until it is full; piece_used() returns the number of bytes in it.
  void set_piece(std::span<char> piece);
  [[nodiscard]] std::size_t piece_used() const;

 private:
  struct Base;
  template <bool is_request>
  class Parser;
  std::unique_ptr<Base> parser_;
};

}  // namespace keelson::net
