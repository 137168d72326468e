#include "src/net/message_parser.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cstring>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/net/limits.hpp"
#include "src/net/text.hpp"

namespace keelson::net {
namespace http = boost::beast::http;
using boost::beast::error_code;

namespace {
// The maximum memory that is reserved because of a Content-Length header alone.
constexpr std::size_t kReserveBytes = std::size_t{1} << 20;
}  // namespace

// The common interface of the two kinds of parsers.
struct MessageParser::Base {
  virtual ~Base() = default;
  virtual std::size_t put(std::string_view bytes, error_code& failed) = 0;
  virtual void put_eof(error_code& failed) = 0;
  virtual bool begun() const = 0;
  virtual bool header_done() const = 0;
  virtual bool done() const = 0;
  virtual bool keep_alive() const = 0;
  virtual std::optional<std::size_t> content_length() const = 0;

  void add_field(std::string_view name, std::string_view value, error_code& failed) {
    // The library bounds each piece of a header, not the sum of pieces that arrive slowly. Fields with few letters use
    // memory too.
    header_bytes += name.size() + value.size() + sizeof(Headers::value_type);
    if (header_bytes > limits::kHeaderBytes) failed = http::error::header_limit;
    check_framing(name, value, failed);
    if (failed) return;
    headers().emplace_back(std::string(name), std::string(value));
  }

  void begin_body(std::optional<std::uint64_t> length) {
    // Nothing is reserved for a request, because clients are not trusted.
    if (length && !by_pieces && !takes_request) {
      body().reserve(static_cast<std::size_t>(std::min<std::uint64_t>(*length, kReserveBytes)));
    }
  }

  // Rejects framing that two parsers could understand differently (request smuggling).
  void check_framing(std::string_view name, std::string_view value, error_code& failed) {
    // The library accepts a list of equal lengths.
    if (equal_ignoring_case(name, "Content-Length") && value.find(',') != std::string_view::npos) {
      failed = http::error::bad_content_length;
    }
    if (!equal_ignoring_case(name, "Transfer-Encoding")) return;
    // Only "chunked" is supported, without another encoding before it, and not in HTTP/1.0.
    if (version != 10 && equal_ignoring_case(value, "chunked")) return;
    failed = http::error::bad_transfer_encoding;
    if (version != 10) parse_error = ParseError::kUnknownEncoding;
  }

  std::size_t add_body(std::string_view bytes) {
    if (!by_pieces) {
      body().append(bytes);
      return bytes.size();
    }
    auto room = std::min(bytes.size(), piece.size() - used);
    std::memcpy(piece.data() + used, bytes.data(), room);
    used += room;
    return room;
  }

  Headers& headers() { return takes_request ? request.headers : response.headers; }
  std::string& body() { return takes_request ? request.body : response.body; }

  bool takes_request = false;
  Request request;
  Response response;
  int version = 11;
  std::size_t header_bytes = 0;
  bool by_pieces = false;
  std::span<char> piece;
  std::size_t used = 0;
  ParseError parse_error = ParseError::kMalformed;
};

template <bool is_request_parser>
class MessageParser::Parser final : public Base, private http::basic_parser<is_request_parser> {
  using Beast = http::basic_parser<is_request_parser>;

 public:
  Parser(Expect expect, std::optional<std::size_t> body_limit) {
    this->takes_request = is_request_parser;
    this->header_limit(static_cast<std::uint32_t>(limits::kHeaderBytes));
    if (body_limit) {
      Beast::body_limit(*body_limit);
    } else {
      Beast::body_limit(boost::none);
    }
    if (expect == Expect::kResponseWithoutBody) this->skip(true);
  }

  std::size_t put(std::string_view bytes, error_code& failed) override {
    return Beast::put(boost::asio::const_buffer(bytes.data(), bytes.size()), failed);
  }
  void put_eof(error_code& failed) override { Beast::put_eof(failed); }
  bool begun() const override { return this->got_some(); }
  bool header_done() const override { return this->is_header_done(); }
  bool done() const override { return this->is_done(); }
  bool keep_alive() const override { return Beast::keep_alive(); }
  std::optional<std::size_t> content_length() const override {
    auto length = Beast::content_length();
    return length ? std::optional(static_cast<std::size_t>(*length)) : std::nullopt;
  }

 private:
  using string_view = boost::beast::string_view;

  void on_request_impl(http::verb, string_view method, string_view target, int version, error_code&) override {
    this->request.method = method;
    this->request.target = target;
    this->version = version;
    this->header_bytes += method.size() + target.size();
  }
  void on_response_impl(int status, string_view, int version, error_code&) override {
    this->response.status = status;
    this->version = version;
  }
  void on_field_impl(http::field, string_view name, string_view value, error_code& failed) override {
    bool is_trailer = this->is_header_done();
    if (!is_trailer) this->add_field(name, value, failed);
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, error_code&) override {
    this->begin_body(length ? std::optional<std::uint64_t>(*length) : std::nullopt);
  }
  std::size_t on_body_impl(string_view bytes, error_code&) override { return this->add_body(bytes); }
  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code&) override {
    return this->add_body(bytes);
  }
  void on_finish_impl(error_code&) override {}
};

MessageParser::MessageParser(Expect expect, std::optional<std::size_t> body_limit) {
  if (expect == Expect::kRequest) {
    parser_ = std::make_unique<Parser<true>>(expect, body_limit);
  } else {
    parser_ = std::make_unique<Parser<false>>(expect, body_limit);
  }
}
MessageParser::~MessageParser() = default;

Result<std::size_t> MessageParser::feed(std::string_view bytes) {
  KEELSON_ASSERT(!done());
  std::size_t used = 0;
  bool header_was_done = header_done();
  while (used < bytes.size() && !done() && header_done() == header_was_done) {
    bool full = parser_->by_pieces && parser_->used == parser_->piece.size();
    if (full) break;
    error_code failed;
    used += parser_->put(bytes.substr(used), failed);
    if (failed == http::error::need_more) break;
    if (!failed) continue;
    if (failed == http::error::header_limit) parser_->parse_error = ParseError::kHeaderTooLarge;
    if (failed == http::error::body_limit) parser_->parse_error = ParseError::kBodyTooLarge;
    auto error = malformed_error("malformed HTTP message: " + failed.message());
    if (failed == http::error::body_limit) error.code = 413;
    return error;
  }
  return used;
}

Result<void> MessageParser::feed_end() {
  if (!has_begun()) return transport_error("EOF");
  error_code failed;
  parser_->put_eof(failed);
  if (failed) return transport_error("unexpected EOF");
  return {};
}

MessageParser::ParseError MessageParser::parse_error() const { return parser_->parse_error; }
bool MessageParser::has_begun() const { return parser_->begun(); }
bool MessageParser::header_done() const { return parser_->header_done(); }
bool MessageParser::done() const { return parser_->done(); }
bool MessageParser::keep_alive() const { return parser_->keep_alive(); }
bool MessageParser::is_http_1_0() const { return parser_->version == 10; }
std::size_t MessageParser::header_bytes() const { return parser_->header_bytes; }
std::optional<std::size_t> MessageParser::content_length() const { return parser_->content_length(); }
Request& MessageParser::request() { return parser_->request; }
Response& MessageParser::response() { return parser_->response; }

void MessageParser::set_piece(std::span<char> piece) {
  parser_->by_pieces = true;
  parser_->piece = piece;
  parser_->used = 0;
}
std::size_t MessageParser::piece_used() const { return parser_->used; }

}  // namespace keelson::net
