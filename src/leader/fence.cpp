#include "keelson/detail/leader/fence.hpp"

namespace keelson::leader {
namespace asio = boost::asio;

namespace {

// Decision: docs/decisions/0007-losing-leadership-exits-immediately.md
class FencedClient final : public kube::Client {
 public:
  FencedClient(kube::Client& client, const Fence& fence) : client_(client), fence_(fence) {}

  const kube::OperatorName& operator_name() const override { return client_.operator_name(); }
  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    if (request.verb >= kube::Verb::kCreate) request.may_send = [this] { return fence_.is_open(); };
    return client_.send(std::move(request));
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override {
    return client_.stream(std::move(request));
  }

 private:
  kube::Client& client_;
  const Fence& fence_;
};

}  // namespace

std::unique_ptr<kube::Client> fenced(kube::Client& client, const Fence& fence) {
  return std::make_unique<FencedClient>(client, fence);
}

}  // namespace keelson::leader
