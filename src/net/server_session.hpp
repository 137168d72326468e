// A connection of a server from its handshake to its end: reads requests and writes replies.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/log_limit.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "src/net/connection.hpp"
#include "src/net/handshake_gate.hpp"
#include "src/net/message_parser.hpp"
#include "src/net/reply_text.hpp"
#include "src/net/server_ledger.hpp"
#include "src/net/transport.hpp"
#include "src/net/websocket_frames.hpp"

namespace keelson::net {

// What the sessions of one server share; outlives them.
struct ServerShared {
  async::Clock& clock;
  Logger log;
  Handler handler;
  HttpServerOptions options;
  TlsContext tls;        // of new connections; null: plain
  ServerLedger& ledger;  // of all servers of the process
  HandshakeGate& handshakes;
  bool stopping = false;  // no request is read after the one in progress
  ServerLedger::Account account = {};
  // Rate limits of log lines that peers can cause at will.
  async::LogLimit handshake_lines{clock};
  async::LogLimit failure_lines{clock};
  async::LogLimit eviction_lines{clock};
};

class ServerSession {
 public:
  explicit ServerSession(ServerShared& shared);
  ServerSession(const ServerSession&) = delete;
  ServerSession& operator=(const ServerSession&) = delete;

  // Serves until the peer, a limit, an eviction or the server's stop ends it. Cancellation is the only exception.
  [[nodiscard]] boost::asio::awaitable<void> run(boost::asio::ip::tcp::socket socket);

  // Ends the connection if it waits for a request or its handshake; a busy connection ends after its reply.
  void stop_when_idle();

 private:
  using Opened = Result<std::unique_ptr<Connection>>;
  void make_room();
  [[nodiscard]] boost::asio::awaitable<void> converse(boost::asio::ip::tcp::socket socket);
  [[nodiscard]] boost::asio::awaitable<Opened> open(boost::asio::ip::tcp::socket socket);
  [[nodiscard]] boost::asio::awaitable<bool> wait_for_request(async::Duration limit);
  [[nodiscard]] boost::asio::awaitable<After> serve_one();
  [[nodiscard]] Task<std::size_t> first_bytes();
  [[nodiscard]] Task<void> read_counted_body(MessageParser& parser);
  void count_input(MessageParser& parser, std::size_t more);
  [[nodiscard]] boost::asio::awaitable<After> reject(MessageParser& parser, Error error);
  [[nodiscard]] boost::asio::awaitable<void> offer_to_continue(MessageParser& parser);
  [[nodiscard]] boost::asio::awaitable<ServerReply> ask_handler(MessageParser& parser);
  void tell_failure(const std::string& why);
  [[nodiscard]] boost::asio::awaitable<After> serve(MessageParser& parser, After may_follow);
  [[nodiscard]] bool reads_body(const MessageParser& parser) const;
  [[nodiscard]] boost::asio::awaitable<void> serve_without_body(MessageParser& parser);
  [[nodiscard]] boost::asio::awaitable<void> answer_and_end(Response response);
  [[nodiscard]] boost::asio::awaitable<void> end_softly();
  [[nodiscard]] boost::asio::awaitable<After> reply_to(MessageParser& parser, std::string method, After may_follow);
  [[nodiscard]] boost::asio::awaitable<bool> stream(StreamingBody& body, Framing framing);
  [[nodiscard]] boost::asio::awaitable<void> pump(StreamingBody& body, Framing framing, async::TaskGroup& group,
                                                  bool& complete);
  [[nodiscard]] boost::asio::awaitable<bool> write_pieces(StreamingBody& body, Framing framing);
  [[nodiscard]] boost::asio::awaitable<void> watch_peer(async::TaskGroup& group);
  [[nodiscard]] boost::asio::awaitable<void> answer_frames(async::TaskGroup& group, bool& complete);
  [[nodiscard]] boost::asio::awaitable<bool> answer_frame_bytes(FrameReader& reader);
  [[nodiscard]] Task<void> write(std::string head, std::string body);
  [[nodiscard]] boost::asio::awaitable<void> drain_input();

  ServerShared& shared_;
  std::unique_ptr<Connection> connection_;
  std::string peer_;  // as in its requests
  std::shared_ptr<const std::string> client_certificates_;
  async::TaskGroup* group_ = nullptr;  // of this connection, while it is served
  ServerLedger::Seat seat_;
  bool idle_ = false;
  // A WebSocket's two sides take turns, because a connection has one operation at a time.
  bool is_writing_ = false;
  bool is_answering_ = false;
  async::Notify answered_;
};

}  // namespace keelson::net
