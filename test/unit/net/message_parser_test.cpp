#include "src/net/message_parser.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/detail/net/limits.hpp"

using namespace keelson;
using net::MessageParser;
using Expect = MessageParser::Expect;

namespace {

// Feeds `text` in steps of at most `step` new bytes; true if the message is complete.
struct Fed {
  bool done = false;
  std::string error;
  std::string left;
};

Fed feed(MessageParser& parser, const std::string& text, std::size_t step) {
  Fed fed;
  std::string pending;
  for (std::size_t at = 0; at < text.size();) {
    auto more = text.substr(at, step);
    at += more.size();
    pending += more;
    while (!pending.empty() && !parser.done()) {
      auto used = parser.feed(pending);
      if (!used) {
        fed.error = used.error().text;
        return fed;
      }
      pending.erase(0, *used);
      if (*used == 0) break;
    }
  }
  fed.done = parser.done();
  fed.left = pending;
  return fed;
}

}  // namespace

TEST_CASE("a chunked response is the same however its bytes are split") {
  const std::string text =
      "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5;ext=1\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\nX-Trailer: x\r\n\r\nnext";

  for (std::size_t step = 1; step <= text.size(); ++step) {
    INFO("step " << step);
    MessageParser parser(Expect::kResponse, 1000);
    auto fed = feed(parser, text, step);
    CHECK(fed.done);
    CHECK(parser.response().body == "hello world");
    CHECK(parser.response().headers.size() == 2);
    CHECK(parser.keep_alive());
    CHECK(fed.left == "next");
  }
}

TEST_CASE("a body that is read in pieces never exceeds the piece") {
  MessageParser parser(Expect::kResponse, std::nullopt);
  std::string text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
  auto header = parser.feed(text);
  REQUIRE(header);
  text.erase(0, *header);
  std::string body;
  char piece[2];

  while (!parser.done()) {
    parser.set_piece(piece);
    auto used = parser.feed(text);
    REQUIRE(used);
    text.erase(0, *used);
    body.append(piece, parser.piece_used());
  }

  CHECK(body == "hello");
  CHECK(text.empty());
}

TEST_CASE("responses that have no body are complete with their header") {
  for (const auto* status : {"204 No Content", "304 Not Modified"}) {
    MessageParser parser(Expect::kResponse, 1000);
    auto fed = feed(parser, std::string("HTTP/1.1 ") + status + "\r\nContent-Length: 5\r\n\r\n", 1000);
    CHECK(fed.done);
  }
  MessageParser head(Expect::kResponseWithoutBody, 1000);
  CHECK(feed(head, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 1000).done);
  CHECK(head.keep_alive());
}

TEST_CASE("a body without a length ends with the connection") {
  MessageParser parser(Expect::kResponse, 1000);
  auto fed = feed(parser, "HTTP/1.1 200 OK\r\n\r\nhello", 1000);

  CHECK_FALSE(fed.done);
  CHECK(parser.feed_end().has_value());
  CHECK(parser.done());
  CHECK(parser.response().body == "hello");
  CHECK_FALSE(parser.keep_alive());
}

TEST_CASE("an early end is EOF before the first byte and unexpected EOF after it") {
  MessageParser silent(Expect::kResponse, 1000);
  CHECK(silent.feed_end().error().text == "EOF");

  for (const auto* text :
       {"HTTP/1.1 2", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"}) {
    INFO(text);
    MessageParser parser(Expect::kResponse, 1000);
    CHECK(feed(parser, text, 1000).error.empty());
    auto ended = parser.feed_end();
    CHECK(ended.error().text == "unexpected EOF");
    CHECK(ended.error().kind == Error::Kind::kTransport);
  }
}

TEST_CASE("bytes that are not HTTP are malformed") {
  for (const auto* text : {
           "garbage\r\n\r\n",
           "HTTP/2.0 200 OK\r\n\r\n",
           "HTTP/1.1 2xx OK\r\n\r\n",
           "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n",
           "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
           "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n",
       }) {
    INFO(text);
    MessageParser parser(Expect::kResponse, std::nullopt);
    auto fed = feed(parser, text, 1000);
    CHECK(fed.error.starts_with("malformed HTTP message: "));
  }
}

TEST_CASE("a header beyond its limit is rejected, in one piece or byte by byte") {
  std::string many = "GET / HTTP/1.1\r\n";
  while (many.size() < limits::kHeaderBytes + 1000) many += "X-Filler: 0123456789\r\n";
  std::string long_line = "GET / HTTP/1.1\r\nX: " + std::string(limits::kHeaderBytes + 1000, 'x') + "\r\n\r\n";

  // A tenth of the bytes, and as much memory.
  std::string empty_fields = "GET / HTTP/1.1\r\n";
  for (std::size_t i = 0; i <= limits::kHeaderBytes / sizeof(net::Headers::value_type); ++i) empty_fields += "a:\r\n";
  empty_fields += "\r\n";

  for (const auto& text : {many, long_line, empty_fields}) {
    for (std::size_t step : {std::size_t{1000}, text.size()}) {
      MessageParser parser(Expect::kRequest, 1000);
      auto fed = feed(parser, text, step);
      CHECK_FALSE(fed.error.empty());
      CHECK(parser.parse_error() == MessageParser::ParseError::kHeaderTooLarge);
    }
  }
}

TEST_CASE("a body beyond its limit is rejected whatever its framing") {
  for (const auto* text :
       {"POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\n", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n123456\r\n6\r\n"}) {
    INFO(text);
    MessageParser parser(Expect::kRequest, 10);
    auto fed = feed(parser, text, 1000);
    CHECK_FALSE(fed.error.empty());
    CHECK(parser.parse_error() == MessageParser::ParseError::kBodyTooLarge);
  }
  MessageParser until_end(Expect::kResponse, 10);
  CHECK_FALSE(feed(until_end, "HTTP/1.1 200 OK\r\n\r\n01234567890", 1000).error.empty());
}

TEST_CASE("a request is parsed into its method, target, headers and body") {
  MessageParser parser(Expect::kRequest, 1000);
  auto fed = feed(parser, "PATCH /a?b=c HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 1);

  CHECK(fed.done);
  CHECK(parser.request().method == "PATCH");
  CHECK(parser.request().target == "/a?b=c");
  CHECK(parser.request().body == "{}");
  CHECK(net::header(parser.request().headers, "host") == "x");
  CHECK(parser.keep_alive());
  CHECK_FALSE(parser.is_http_1_0());
}
