#include "keelson/detail/sandbox/http_servers.hpp"

#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/net/url.hpp"

namespace keelson::sandbox {
namespace asio = boost::asio;

class HttpServers::Client final : public net::HttpClient {
 public:
  Client(HttpServers& servers, std::string origin) : servers_(servers), origin_(std::move(origin)) {}

  Task<net::Response> send(net::Request request, net::CallOptions options) override {
    auto context = request.method + " \"" + origin_ + request.target + "\"";
    const auto limit = options.timeout;
    const auto body_limit = options.body_limit;
    auto work = reply_to(std::move(request), std::move(options));
    if (limit > async::Duration::zero()) {
      work = async::with_timeout(servers_.clock_, limit, context, std::move(work));
    }
    auto response = co_await std::move(work);
    if (!response && response.error().kind == Error::Kind::kTimeout) co_return response;
    if (!response) co_return std::move(response).error().with_context(context);
    if (response->body.size() > body_limit) {
      co_return malformed_error("the response has more than " + std::to_string(body_limit) + " bytes")
          .with_context(context);
    }
    co_return response;
  }

  Task<std::unique_ptr<net::Stream>> open(net::Request request, net::CallOptions options) override {
    const auto* server = find();
    if (server != nullptr && server->client != nullptr) {
      auto opened = co_await server->client->open(std::move(request), std::move(options));
      co_return opened;
    }
    co_return invalid_error("the servers of a simulated cluster have no streams");
  }

  void close_idle() override {}
  void end_streams() override {}

 private:
  [[nodiscard]] const Server* find() const {
    const auto found = servers_.servers_.find(origin_);
    return found == servers_.servers_.end() ? nullptr : &found->second;
  }

  Task<net::Response> reply_to(net::Request request, net::CallOptions options) {
    const auto latency = find() == nullptr ? async::Duration::zero() : find()->latency;
    if (latency > async::Duration::zero()) co_await async::sleep_for(servers_.clock_, latency);
    const auto* server = find();
    if (server == nullptr) co_return unserved();
    if (server->is_stopped) co_return transport_error("dial tcp: connect: connection refused");
    if (options.may_send && !options.may_send()) {
      co_return Error(Error::Kind::kFenced, "not sent, because this process may not lead any more");
    }
    servers_.requests_.push_back({origin_ + request.target, request});
    while (server->hangs) co_await async::sleep_for(servers_.clock_, std::chrono::seconds(1));
    if (server->is_stopped) co_return transport_error("connection reset by peer");
    if (server->client == nullptr) co_return server->handler(request);
    auto response = co_await server->client->send(std::move(request), std::move(options));
    co_return response;
  }

  [[nodiscard]] Error unserved() const {
    if (!servers_.others_.empty()) return transport_error(servers_.others_);
    return transport_error("no such host: the test does not serve it; call cluster.http.serve(\"" + origin_ + "\", …)");
  }

  HttpServers& servers_;
  std::string origin_;
};

HttpServers::Server& HttpServers::server_at(const std::string& origin) {
  const auto url = net::parse_url(origin);
  if (!url) throw base::Misuse(url.error().text);
  if (url->target != "/") throw base::Misuse(origin + " is not an origin: remove everything after the port");
  auto& server = servers_[net::origin_text(url->origin)];
  server = {};
  return server;
}

void HttpServers::serve(const std::string& origin, Handler handler, async::Duration latency) {
  auto& server = server_at(origin);
  server.handler = std::move(handler);
  server.latency = latency;
}

void HttpServers::serve(const std::string& origin, net::HttpClient& client) { server_at(origin).client = &client; }

void HttpServers::hang(const std::string& origin) { server_at(origin).hangs = true; }

void HttpServers::fail_others(std::string text) { others_ = std::move(text); }

void HttpServers::stop(const std::string& origin) { server_at(origin).is_stopped = true; }

net::MakeHttpClient HttpServers::client_factory() {
  return [this](const net::ClientOptions& options) -> Result<std::unique_ptr<net::HttpClient>> {
    return std::unique_ptr<net::HttpClient>(std::make_unique<Client>(*this, net::origin_text(options.origin)));
  };
}

}  // namespace keelson::sandbox
