// Parses one HTTP/1.1 message from the bytes of a connection, its body into a string or piece by piece.
//
// One parser a message: a finished one is never fed again. Bytes go in with `feed`, which says how many it used.
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
  enum class Expect { kRequest, kResponse, kResponseWithoutBody };  // the last one answers a HEAD
  enum class Problem { kMalformed, kUnknownEncoding, kHeaderTooLarge, kBodyTooLarge };

  // Without a limit the body may be endless (a watch).
  MessageParser(Expect expect, std::optional<std::size_t> body_limit);
  MessageParser(const MessageParser&) = delete;
  MessageParser& operator=(const MessageParser&) = delete;
  ~MessageParser();

  // How many of the bytes were used. Fewer than there are: more must come behind the rest, the header or the message
  // is complete, or the piece is full. After an error the parser must not be fed again.
  [[nodiscard]] Result<std::size_t> feed(std::string_view bytes);
  // The peer has ended its side: fine if that is how this message ends, else a kTransport "unexpected EOF".
  [[nodiscard]] Result<void> feed_end();

  // Why feed failed.
  [[nodiscard]] Problem problem() const;

  [[nodiscard]] bool has_begun() const;
  [[nodiscard]] bool header_done() const;
  [[nodiscard]] bool done() const;
  // May the connection carry another message after this one? Asked when the header is done.
  [[nodiscard]] bool keep_alive() const;
  [[nodiscard]] bool is_http_1_0() const;

  // What the start line and the headers take in memory so far.
  [[nodiscard]] std::size_t header_bytes() const;
  // As the header says; none if the body has no length known ahead. Asked when the header is done.
  [[nodiscard]] std::optional<std::size_t> content_length() const;

  // The start line and headers, and the body unless it is taken by pieces.
  [[nodiscard]] Request& request();
  [[nodiscard]] Response& response();

  // From now on the body goes here instead, until it is full; `piece_used` says how far.
  void set_piece(std::span<char> piece);
  [[nodiscard]] std::size_t piece_used() const;

 private:
  struct Base;
  template <bool is_request>
  class Parser;
  std::unique_ptr<Base> parser_;
};

}  // namespace keelson::net
