#include "keelson/access/authorized.hpp"

#include "src/access/authorization_filter.hpp"

namespace keelson::access {
namespace asio = boost::asio;

namespace {

struct Authorized {
  Authorized(async::Clock& clock, base::Random& random, Logger log, kube::Client& client, net::Handler handler,
             AuthorizedOptions options)
      : filter(clock, random, std::move(log), client, std::move(options.audience)), inner(std::move(handler)) {}

  AuthorizationFilter filter;
  net::Handler inner;
};

asio::awaitable<net::ServerReply> serve(std::shared_ptr<Authorized> authorized, net::Request request) {
  net::ServerReply reply;
  auto rejection = co_await authorized->filter.authorize(request);
  if (rejection) {
    reply.response = std::move(*rejection);
    co_return reply;
  }
  reply = co_await authorized->inner(std::move(request));
  co_return reply;
}

}  // namespace

net::Handler authorized(async::Clock& clock, base::Random& random, Logger log, kube::Client& client, net::Handler inner,
                        AuthorizedOptions options) {
  // Shared, because a std::function can be copied; all copies use the same filter and cache.
  auto one = std::make_shared<Authorized>(clock, random, std::move(log), client, std::move(inner), std::move(options));
  return [one](net::Request request) { return serve(one, std::move(request)); };
}

}  // namespace keelson::access
