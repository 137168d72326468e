#include "keelson/access/guarded.hpp"

#include "src/access/gate.hpp"

namespace keelson::access {
namespace asio = boost::asio;

namespace {

struct Guarded {
  Guarded(async::Clock& clock, base::Random& random, Logger log, kube::Client& client, net::Handler handler)
      : gate(clock, random, std::move(log), client), inner(std::move(handler)) {}

  Gate gate;
  net::Handler inner;
};

asio::awaitable<net::ServerReply> serve(std::shared_ptr<Guarded> guarded, net::Request request) {
  net::ServerReply reply;
  auto refusal = co_await guarded->gate.refuse(request);
  if (refusal) {
    reply.response = std::move(*refusal);
    co_return reply;
  }
  reply = co_await guarded->inner(std::move(request));
  co_return reply;
}

}  // namespace

net::Handler guarded(async::Clock& clock, base::Random& random, Logger log, kube::Client& client, net::Handler inner) {
  // Shared, because a std::function can be copied; all copies use the same gate and cache.
  auto one = std::make_shared<Guarded>(clock, random, std::move(log), client, std::move(inner));
  return [one](net::Request request) { return serve(one, std::move(request)); };
}

}  // namespace keelson::access
