#include "src/net/server_session.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/async/is_cancelled.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/limits.hpp"
#include "keelson/detail/net/broken_body.hpp"
#include "src/net/message_io.hpp"
#include "src/net/request_rules.hpp"
#include "src/net/text.hpp"
#include "src/net/websocket_frames.hpp"

namespace keelson::net {
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// OpenSSL's buffers and its copy of one message while a handshake is not complete: 58 KiB, measured with mallinfo2 on
// half a ClientHello of 16 KiB.
constexpr std::size_t kHandshakeBytes = std::size_t{64} << 10;

// How long, and how many bytes, to read of a request that was rejected before its end.
constexpr auto kDrainTime = std::chrono::milliseconds(500);
constexpr std::size_t kDrainBytes = std::size_t{256} << 10;

int status_of(MessageParser::ParseError parse_error) {
  switch (parse_error) {
    case MessageParser::ParseError::kHeaderTooLarge:
      return 431;
    case MessageParser::ParseError::kBodyTooLarge:
      return 413;
    case MessageParser::ParseError::kUnknownEncoding:
      return 501;
    case MessageParser::ParseError::kMalformed:
      return 400;
  }
  return 400;
}

Response plain_response(int status, std::string text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text)};
}

Framing framing_of(const ServerReply& reply, std::string_view method, bool is_http_1_0) {
  if (reply.response.status == 101 && reply.streaming) return Framing::kFrames;
  if (has_no_body(reply.response.status)) return Framing::kNone;
  if (!reply.streaming) return Framing::kLength;
  if (is_http_1_0) return Framing::kUntilClose;
  return method == "HEAD" ? Framing::kNone : Framing::kChunks;
}

// The new capacity of a body that gets `bytes` more. It doubles, but never exceeds `most`. Memory follows the received
// bytes, because a Content-Length header alone costs the client nothing.
std::size_t room_for(const std::string& body, std::size_t bytes, std::size_t most) {
  const auto needed = body.size() + bytes;
  if (needed <= body.capacity()) return body.capacity();
  return std::max(needed, std::min(2 * needed, most));
}

// string::reserve is not used, because it allocates at least twice the old capacity.
void make_room_in(std::string& body, std::size_t room) {
  std::string larger;
  larger.reserve(room);
  larger += body;
  body = std::move(larger);
}

}  // namespace

ServerSession::ServerSession(ServerShared& shared)
    : shared_(shared), seat_(shared.ledger, shared.account, [this] { make_room(); }) {}

void ServerSession::make_room() {
  if (group_ == nullptr) return;
  if (auto line = shared_.eviction_lines.admit(shared_.log)) {
    line->info("http: disconnected a client because all connections or their memory are in use", {{"client", peer_}});
  }
  group_->stop();
}

asio::awaitable<void> ServerSession::run(tcp::socket socket) {
  if (shared_.stopping) co_return;
  // shared_ptr only because the function is copied.
  auto accepted = std::make_shared<tcp::socket>(std::move(socket));
  seat_.wait_from(shared_.clock.now());
  auto in_group = [this, accepted](async::TaskGroup& group) -> asio::awaitable<void> {
    group_ = &group;
    group.spawn(converse(std::move(*accepted)));
    co_await group.drain();
  };
  std::exception_ptr failure;
  try {
    co_await async::with_task_group(in_group);
  } catch (...) {
    failure = std::current_exception();
  }
  group_ = nullptr;
  seat_.work();
  seat_.hold(0);
  if (failure) std::rethrow_exception(failure);
}

asio::awaitable<void> ServerSession::converse(tcp::socket socket) {
  auto opened = co_await open(std::move(socket));
  if (!opened) {
    if (!shared_.log.enabled(1)) co_return;
    auto line = shared_.handshake_lines.admit(shared_.log);
    if (line) line->debug("http: TLS handshake error", {{"error", opened.error().text}});
    co_return;
  }
  connection_ = std::move(*opened);
  if (auto chain = connection_->client_certificates(); !chain.empty()) {
    client_certificates_ = std::make_shared<const std::string>(std::move(chain));
  }
  auto limit = shared_.options.header_timeout;
  for (;;) {
    auto has_come = co_await wait_for_request(limit);
    if (!has_come) co_return;
    auto after = co_await serve_one();
    if (after == After::kClose) co_return;
    limit = shared_.options.idle_timeout;
  }
}

void ServerSession::stop_when_idle() {
  if (idle_) connection_->stop_reading();
  // An incomplete handshake cannot lead to a request any more.
  if (!connection_ && group_ != nullptr) group_->stop();
}

asio::awaitable<ServerSession::Opened> ServerSession::open(tcp::socket socket) {
  boost::system::error_code failed;
  auto endpoint = socket.remote_endpoint(failed);
  if (failed) co_return transport_error("the client's address: " + failed.message());
  // ::1 stays itself, so that no other address of its network is mistaken for loopback.
  const auto address = endpoint.address();
  peer_ = (address.is_loopback() ? address : HandshakeQueue::peer_of(address)).to_string();
  seat_.come_from(peer_);
  if (!shared_.tls) co_return make_plain_connection(std::move(socket));
  seat_.hold(kHandshakeBytes);
  auto peer = peer_of(socket);
  auto turn = [&shared = shared_, endpoint] { return shared.handshakes.enter(shared.clock, endpoint.address()); };
  auto handshake = handshake_as_server(shared_.clock, std::move(socket), shared_.tls, turn);
  co_return co_await async::with_timeout(shared_.clock, shared_.options.header_timeout, "TLS handshake with " + peer,
                                         std::move(handshake));
}

asio::awaitable<bool> ServerSession::wait_for_request(async::Duration limit) {
  if (!connection_->unread().empty()) co_return true;
  if (shared_.stopping) co_return false;
  connection_->rest();
  seat_.hold(0);
  idle_ = true;
  seat_.wait_from(shared_.clock.now());
  auto begun = first_bytes();
  auto got = co_await async::with_timeout(shared_.clock, limit, "idle", std::move(begun));
  idle_ = false;
  bool has_come = got.has_value() && *got > 0;
  co_return has_come;
}

// An idle connection has no buffers; they are allocated when there are bytes to read.
Task<std::size_t> ServerSession::first_bytes() {
  if (connection_->is_silent()) co_await connection_->wait_readable();
  // Being idle does not count as slow: the time of a request begins with its first byte.
  seat_.begin_request(shared_.clock.now());
  seat_.hold(connection_->buffer_bytes());
  co_return co_await connection_->fill();
}

asio::awaitable<After> ServerSession::serve_one() {
  MessageParser parser(MessageParser::Expect::kRequest, shared_.options.body_limit);
  auto header_read = read_header(*connection_, parser, [this, &parser] { count_input(parser, 0); });
  auto header = co_await async::with_timeout(shared_.clock, shared_.options.header_timeout, "request header",
                                             std::move(header_read));
  if (!header) co_return co_await reject(parser, std::move(header).error());
  auto version = parser.is_http_1_0() ? HttpVersion::k10 : HttpVersion::k11;
  if (auto rejected = reject_by_header(parser.request().headers, version)) {
    co_await answer_and_end(plain_response(rejected->status, std::string(rejected->why) + "\n"));
    co_return After::kClose;
  }
  if (!parser.done() && !reads_body(parser)) {
    co_await serve_without_body(parser);
    co_return After::kClose;
  }
  co_await offer_to_continue(parser);
  auto body_read = read_counted_body(parser);
  auto body =
      co_await async::with_timeout(shared_.clock, shared_.options.body_timeout, "request body", std::move(body_read));
  if (!body) co_return co_await reject(parser, std::move(body).error());
  auto may_follow = parser.keep_alive() ? After::kKeepAlive : After::kClose;
  co_return co_await serve(parser, may_follow);
}

bool ServerSession::reads_body(const MessageParser& parser) const {
  if (shared_.options.bodies != Bodies::kShort) return shared_.options.bodies == Bodies::kRead;
  const auto length = parser.content_length();
  return length && *length <= kShortBodyBytes;
}

asio::awaitable<After> ServerSession::serve(MessageParser& parser, After may_follow) {
  seat_.work();
  auto after = co_await reply_to(parser, parser.request().method, may_follow);
  seat_.wait_from(shared_.clock.now());
  seat_.prove();
  shared_.ledger.changed().notify_all();
  co_return after;
}

// The reply is sent and the connection closed, as in Go's server if a handler does not read the body.
asio::awaitable<void> ServerSession::serve_without_body(MessageParser& parser) {
  static_cast<void>(co_await serve(parser, After::kClose));
  co_await end_softly();
}

void ServerSession::count_input(MessageParser& parser, std::size_t more) {
  seat_.hold(connection_->buffer_bytes() + parser.header_bytes() + parser.request().body.capacity() + more);
}

Task<void> ServerSession::read_counted_body(MessageParser& parser) {
  if (parser.done()) co_return Result<void>();
  const auto most = parser.content_length().value_or(shared_.options.body_limit);
  std::string piece(std::min(most, limits::kReadBytes), '\0');
  auto& body = parser.request().body;
  while (!parser.done()) {
    KEELSON_CO_LET(auto got, co_await read_piece(*connection_, parser, piece));
    if (auto room = room_for(body, got, most); room > body.capacity()) {
      count_input(parser, piece.size() + room);
      make_room_in(body, room);
    }
    body.append(piece, 0, got);
    count_input(parser, piece.size());
  }
  co_return Result<void>();
}

// Ends a request that could not be read: a malformed one gets a response, others only the end of the connection.
asio::awaitable<After> ServerSession::reject(MessageParser& parser, Error error) {
  if (error.kind != Error::Kind::kMalformed) co_return After::kClose;
  auto status = status_of(parser.parse_error());
  auto response = plain_response(status, error.text + "\n");
  const auto& too_large = shared_.options.too_large;
  if (parser.parse_error() == MessageParser::ParseError::kBodyTooLarge && too_large) response = too_large();
  co_await answer_and_end(std::move(response));
  co_return After::kClose;
}

asio::awaitable<void> ServerSession::answer_and_end(Response response) {
  auto head = reply_head(response, {.after = After::kClose}, shared_.clock.wall_now());
  auto wrote = co_await write(std::move(head), std::move(response.body));
  if (wrote) co_await end_softly();
}

// Ends the sending side, then reads for a short time: closing a socket with unread bytes resets the connection, and the
// client would lose the reply.
asio::awaitable<void> ServerSession::end_softly() {
  connection_->stop_writing();
  auto drained = drain_input();
  co_await async::finish_within(shared_.clock, kDrainTime, std::move(drained));
}

asio::awaitable<void> ServerSession::offer_to_continue(MessageParser& parser) {
  bool expected = equal_ignoring_case(header(parser.request().headers, "Expect"), "100-continue");
  // HTTP/1.0 does not define this reply.
  if (!expected || parser.is_http_1_0() || parser.done() || !connection_->unread().empty()) co_return;
  // If the write fails, reading the body fails too.
  auto wrote = co_await write("HTTP/1.1 100 Continue\r\n\r\n", "");
  static_cast<void>(wrote);
}

// A handler that throws has a bug; it fails this request and not the process, as in Go's server.
asio::awaitable<ServerReply> ServerSession::ask_handler(MessageParser& parser) {
  std::string why;
  parser.request().peer = peer_;
  parser.request().client_certificates = client_certificates_;
  try {
    co_return co_await shared_.handler(std::move(parser.request()));
  } catch (const std::exception& error) {
    if (async::is_cancelled(std::current_exception())) throw;
    why = error.what();
  }
  tell_failure(why);
  ServerReply failed;
  failed.response = plain_response(500, "internal error\n");
  co_return failed;
}

void ServerSession::tell_failure(const std::string& why) {
  if (auto line = shared_.failure_lines.admit(shared_.log)) line->error(transport_error(why), "http: handler failed");
}

asio::awaitable<After> ServerSession::reply_to(MessageParser& parser, std::string method, After may_follow) {
  auto reply = co_await ask_handler(parser);
  auto& response = reply.response;
  bool asked_to_close = equal_ignoring_case(header(response.headers, "Connection"), "close");
  auto framing = framing_of(reply, method, parser.is_http_1_0());
  const bool ends_connection = framing == Framing::kUntilClose || framing == Framing::kFrames;
  bool keep = may_follow == After::kKeepAlive && !shared_.stopping && !asked_to_close && !ends_connection;
  auto after = keep ? After::kKeepAlive : After::kClose;

  ReplyFrame frame{.framing = framing, .after = after, .is_http_1_0 = parser.is_http_1_0()};
  auto head = reply_head(response, frame, shared_.clock.wall_now());
  bool whole = framing == Framing::kLength && method != "HEAD";
  if (!whole) response.body.clear();
  // The request is freed. From here on the server waits for the peer, which may be evicted, but not because of its own
  // reply: a large one would end its own connection.
  seat_.wait_from(shared_.clock.now());
  seat_.hold(connection_->buffer_bytes() + head.capacity() + response.body.capacity(),
             ServerLedger::Seat::Who::kKeepSelf);
  auto wrote = co_await write(std::move(head), std::move(response.body));
  if (!wrote) co_return After::kClose;
  bool by_pieces = reply.streaming && (framing == Framing::kChunks || ends_connection);
  if (!by_pieces || method == "HEAD") co_return after;
  seat_.work();
  auto complete = co_await stream(*reply.streaming, framing);
  if (framing == Framing::kFrames && complete) co_await end_softly();
  co_return complete ? after : After::kClose;
}

// True if the whole body was written.
asio::awaitable<bool> ServerSession::stream(StreamingBody& body, Framing framing) {
  bool complete = false;
  auto both = [this, &body, framing, &complete](async::TaskGroup& group) -> asio::awaitable<void> {
    group.spawn(pump(body, framing, group, complete));
    if (framing == Framing::kFrames) {
      group.spawn(answer_frames(group, complete));
    } else if (!body.is_finite) {
      group.spawn(watch_peer(group));
    }
    co_await group.drain();
  };
  try {
    co_await async::with_task_group(both);
  } catch (const BrokenBody&) {
    complete = false;
  } catch (const std::exception& error) {
    if (async::is_cancelled(std::current_exception())) throw;
    complete = false;
    tell_failure(error.what());
  }
  co_return complete;
}

asio::awaitable<void> ServerSession::pump(StreamingBody& body, Framing framing, async::TaskGroup& group,
                                          bool& complete) {
  try {
    complete = co_await write_pieces(body, framing);
  } catch (...) {
    group.stop();
    throw;
  }
  group.stop();
}

// True if the last piece was written, false if a write failed.
asio::awaitable<bool> ServerSession::write_pieces(StreamingBody& body, Framing framing) {
  for (;;) {
    auto piece = co_await body.next();
    bool ended = !piece || piece->empty();
    std::string text;
    if (framing == Framing::kChunks) {
      text = ended ? std::string(kLastChunk) : chunk(*piece);
    } else if (!ended) {
      text = std::move(*piece);
    } else if (framing == Framing::kFrames) {
      text = close_frame(1000);
    }
    piece.reset();
    seat_.wait_from(shared_.clock.now());
    seat_.hold(connection_->buffer_bytes() + text.capacity(), ServerLedger::Seat::Who::kKeepSelf);
    while (is_answering_) co_await answered_.wait();
    is_writing_ = true;
    auto wrote = co_await write(std::move(text), "");
    is_writing_ = false;
    answered_.notify_all();
    seat_.work();
    seat_.hold(connection_->buffer_bytes());
    if (ended || !wrote) co_return wrote.has_value();
  }
}

// A client of a stream sends nothing until it disconnects: any readable byte is the end, or close_notify of TLS.
asio::awaitable<void> ServerSession::watch_peer(async::TaskGroup& group) {
  co_await connection_->wait_readable();
  group.stop();
}

asio::awaitable<void> ServerSession::answer_frames(async::TaskGroup& group, bool& complete) {
  FrameReader reader;
  bool is_alive = true;
  while (is_alive && !reader.has_ended()) {
    if (connection_->unread().empty() && connection_->is_silent()) co_await connection_->wait_readable();
    while (is_writing_) co_await answered_.wait();
    is_answering_ = true;
    is_alive = co_await answer_frame_bytes(reader);
    is_answering_ = false;
    answered_.notify_all();
  }
  complete = is_alive;
  group.stop();
}

// False if the connection has ended.
asio::awaitable<bool> ServerSession::answer_frame_bytes(FrameReader& reader) {
  if (connection_->unread().empty()) {
    // Over TLS, bytes that have arrived may be a part of a record.
    auto read = connection_->fill();
    auto got = co_await async::with_timeout(shared_.clock, shared_.options.body_timeout, "frame", std::move(read));
    if (!got || *got == 0) co_return false;
  }
  auto answers = reader.answer(connection_->unread());
  connection_->consume(connection_->unread().size());
  if (answers.empty()) co_return true;
  auto wrote = co_await write(std::move(answers), "");
  co_return wrote.has_value();
}

Task<void> ServerSession::write(std::string head, std::string body) {
  auto written = write_message(*connection_, std::move(head), body, {});
  co_return co_await async::with_timeout(shared_.clock, shared_.options.body_timeout, "reply", std::move(written));
}

asio::awaitable<void> ServerSession::drain_input() {
  std::size_t drained = 0;
  while (drained < kDrainBytes) {
    connection_->consume(connection_->unread().size());
    auto got = co_await connection_->fill();
    if (!got || *got == 0) co_return;
    drained += *got;
  }
}

}  // namespace keelson::net
