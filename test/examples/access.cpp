// The example in the header of room access: an endpoint that only authorized clients can read.
#include "keelson/detail/access/authorized.hpp"

namespace keelson::examples {

// [guard]
boost::asio::awaitable<net::ServerReply> show_cache(net::Request) {
  net::ServerReply reply;
  reply.response = {200, {{"Content-Type", "application/json"}}, "{}\n"};
  co_return reply;
}

net::Handler guarded_cache(async::Clock& clock, base::Random& random, Logger log, kube::Client& client) {
  return access::authorized(clock, random, log.named("debug"), client, show_cache);
}
// [end]

}  // namespace keelson::examples
