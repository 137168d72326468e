#include "keelson/detail/leader/election.hpp"

namespace keelson::leader {

Election::Election(boost::asio::any_io_executor executor, async::Clock& clock, base::Random& random, Logger log,
                   metrics::Registry& registry, kube::Client& lease_client, ElectionOptions options)
    : lock_(make_lease_lock(clock, lease_client, {options.lease, options.identity, options.timing.request_timeout()})),
      elector_(make_elector(
          std::move(executor), clock, random, std::move(log), registry, *lock_,
          {.identity = std::move(options.identity), .name = std::move(options.lease.name), .timing = options.timing})) {
}

std::unique_ptr<kube::Client> Election::leader_client(kube::Client& client) const {
  return fenced(client, elector_->fence());
}

}  // namespace keelson::leader
