#include "src/sandbox/simulation/replica_network.hpp"

#include <optional>

#include "keelson/detail/async/timeout.hpp"

namespace keelson::sandbox {
namespace asio = boost::asio;

namespace {

// The time until a process notices that its connection is broken.
constexpr auto kCutNoticed = std::chrono::seconds(4);

struct SentRequest {
  std::optional<Result<kube::ApiReply>> reply;
  async::Notify arrived;
};

asio::awaitable<void> deliver(kube::Client& server, kube::ApiRequest request, std::shared_ptr<SentRequest> sent) {
  sent->reply = co_await server.send(std::move(request));
  sent->arrived.notify_all();
}

}  // namespace

class ReplicaNetwork::Late final : public net::Stream {
 public:
  Late(ReplicaNetwork& network, std::unique_ptr<net::Stream> inner) : network_(network), inner_(std::move(inner)) {}
  int status() const override { return inner_->status(); }
  const net::Headers& headers() const override { return inner_->headers(); }
  Task<std::size_t> read_some(std::span<char> buffer) override {
    auto read = co_await inner_->read_some(buffer);
    co_await network_.travel();
    if (network_.is_lost()) co_return transport_error("unexpected EOF");
    co_return read;
  }
  void stop_reading() override { inner_->stop_reading(); }

 private:
  ReplicaNetwork& network_;
  std::unique_ptr<net::Stream> inner_;
};

Task<kube::ApiReply> ReplicaNetwork::send(kube::ApiRequest request) {
  co_await travel();
  if (is_lost()) co_return transport_error("no route to host");
  if (request.may_send && !request.may_send()) co_return Error(Error::Kind::kFenced, "not sent");
  request.may_send = nullptr;
  auto sent = std::make_shared<SentRequest>();
  sent_.spawn(deliver(server_, std::move(request), sent));
  while (!sent->reply) co_await sent->arrived.wait();
  co_await travel();
  if (is_lost()) co_return transport_error("connection reset by peer");
  co_return std::move(*sent->reply);
}

Task<std::unique_ptr<net::Stream>> ReplicaNetwork::stream(kube::ApiRequest request) {
  co_await travel();
  if (is_lost()) co_return transport_error("no route to host");
  auto opened = co_await server_.stream(std::move(request));
  if (!opened) co_return opened;
  co_return std::make_unique<Late>(*this, std::move(*opened));
}

// A paused process receives nothing.
asio::awaitable<void> ReplicaNetwork::travel() {
  auto time = std::chrono::duration_cast<async::Duration>(condition_.latency * random_.unit());
  co_await async::sleep_for(clock_, time);
  if (condition_.is_cut_off && !condition_.is_dead) {
    auto waited = condition_.changed.wait();
    co_await async::finish_within(clock_, kCutNoticed, std::move(waited));
  }
  while (condition_.is_paused && !condition_.is_dead) co_await condition_.changed.wait();
}

}  // namespace keelson::sandbox
