#include "keelson/detail/access/authorized.hpp"

#include "keelson/detail/base/text.hpp"
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
  std::string user;
  auto rejection = co_await authorized->filter.authorize(request, &user);
  if (rejection) {
    reply.response = std::move(*rejection);
    co_return reply;
  }
  set_user(request.headers, std::move(user));
  reply = co_await authorized->inner(std::move(request));
  co_return reply;
}

}  // namespace

void set_user(net::Headers& headers, std::string user) {
  std::erase_if(headers,
                [](const auto& header) { return base::to_lower(header.first) == base::to_lower(kUserHeader); });
  if (!user.empty()) headers.emplace_back(kUserHeader, std::move(user));
}

std::string_view user_of(const net::Headers& headers) { return net::header(headers, kUserHeader); }

net::Handler authorized(async::Clock& clock, base::Random& random, Logger log, kube::Client& client, net::Handler inner,
                        AuthorizedOptions options) {
  // Shared, because a std::function can be copied; all copies use the same filter and cache.
  auto one = std::make_shared<Authorized>(clock, random, std::move(log), client, std::move(inner), std::move(options));
  return [one](net::Request request) { return serve(one, std::move(request)); };
}

}  // namespace keelson::access
