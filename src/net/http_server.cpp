#include "keelson/detail/net/http_server.hpp"

#include <list>

#include "keelson/async/task_group.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/tls/context.hpp"
#include "src/net/listener.hpp"
#include "src/net/server_session.hpp"

namespace keelson::net {
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// The delay after a failed accept (no more file descriptors): from 5 ms up to 1 s, as in Go's server.
constexpr async::Duration kFirstPause = std::chrono::milliseconds(5);
constexpr async::Duration kLongestPause = std::chrono::seconds(1);
// A client that stops reading its reply causes no event, so the server checks again.
constexpr async::Duration kUntilNextLook = std::chrono::seconds(1);

class Server final : public HttpServer {
 public:
  Server(asio::any_io_executor executor, ServerShared shared, std::unique_ptr<ServerBudget> own_budget,
         std::unique_ptr<Listener> listener)
      : own_budget_(std::move(own_budget)),
        shared_(std::move(shared)),
        listener_(std::move(listener)),
        accepting_(executor),
        serving_(executor) {}

  void start() override { accepting_.spawn(accept_all()); }
  std::uint16_t port() const override { return port_; }

  Result<void> set_tls(tls::ServerTls tls) override {
    KEELSON_ASSERT(shared_.options.tls.has_value());
    KEELSON_LET(shared_.tls, tls::make_server_context(tls));
    return {};
  }

  asio::awaitable<void> stop(async::Duration grace) override {
    shared_.stopping = true;
    accepting_.stop();
    co_await accepting_.join();
    listener_->close();
    for (auto& session : sessions_) session.stop_when_idle();
    auto finished = serving_.drain();
    co_await async::finish_within(shared_.clock, grace, std::move(finished));
    serving_.stop();
    co_await serving_.join();
  }
  void abort() override { serving_.stop(); }

 private:
  asio::awaitable<void> accept_all() {
    auto pause = kFirstPause;
    async::LogLimit accept_lines(shared_.clock);
    for (;;) {
      auto socket = co_await listener_->accept();
      if (!socket) {
        auto line = accept_lines.admit(shared_.log);
        if (line) line->error(socket.error(), "http: Accept error; retrying");
        co_await async::sleep_for(shared_.clock, pause);
        pause = std::min(pause * 2, kLongestPause);
        continue;
      }
      pause = kFirstPause;
      while (is_full()) {
        auto room = make_room();
        co_await async::finish_within(shared_.clock, kUntilNextLook, std::move(room));
      }
      auto session = sessions_.emplace(sessions_.end(), shared_);
      serving_.spawn(serve(session, std::move(*socket)));
    }
  }

  bool is_full() const { return shared_.ledger.is_full(shared_.account); }

  asio::awaitable<void> make_room() {
    while (is_full()) {
      shared_.ledger.evict_for(shared_.account);
      co_await shared_.ledger.changed().wait();
    }
  }

  asio::awaitable<void> serve(std::list<ServerSession>::iterator session, tcp::socket socket) {
    std::exception_ptr failure;
    try {
      co_await session->run(std::move(socket));
    } catch (...) {
      failure = std::current_exception();
    }
    sessions_.erase(session);
    if (failure) std::rethrow_exception(failure);
  }

  std::unique_ptr<ServerBudget> own_budget_;  // null: shared with other servers
  ServerShared shared_;
  std::unique_ptr<Listener> listener_;
  std::uint16_t port_ = listener_->port();
  std::list<ServerSession> sessions_;
  async::TaskGroup accepting_;
  async::TaskGroup serving_;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> make_http_server(asio::any_io_executor executor, async::Clock& clock, Logger log,
                                                     Handler handler, HttpServerOptions options) {
  TlsContext tls;
  if (options.tls) {
    KEELSON_LET(tls, tls::make_server_context(*options.tls));
  }
  KEELSON_LET(auto listener, Listener::bind(executor, options.host, options.port));
  auto own_budget = options.budget == nullptr ? std::make_unique<ServerBudget>() : nullptr;
  auto& budget = own_budget ? *own_budget : *options.budget;
  ServerShared shared{clock,          std::move(log),  std::move(handler), std::move(options),
                      std::move(tls), budget.ledger(), budget.handshakes()};
  return std::unique_ptr<HttpServer>(
      std::make_unique<Server>(executor, std::move(shared), std::move(own_budget), std::move(listener)));
}

}  // namespace keelson::net
