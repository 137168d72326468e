// The example in the headers of room leader: an elector, and a client that writes only while this replica leads.
#include <memory>
#include <utility>

#include "keelson/leader/elector.hpp"
#include "keelson/leader/fence.hpp"
#include "keelson/leader/lock.hpp"

namespace keelson::examples {
namespace asio = boost::asio;

// [elect]
struct Election {
  std::unique_ptr<leader::Lock> lock;
  std::unique_ptr<leader::Elector> elector;
  std::unique_ptr<kube::Client> writer;  // its writes fail with kFenced unless this replica leads
};

Election make_election(asio::any_io_executor executor, async::Clock& clock, base::Random& random, Logger log,
                       metrics::Registry& registry, kube::Client& client) {
  leader::Timing timing;
  const auto identity = leader::make_identity(random);
  const kube::Key lease("default", "greeter");
  auto lock = leader::make_lease_lock(clock, client, {lease, identity, timing.request_timeout()});
  leader::ElectorOptions options{.identity = identity, .name = lease.name, .timing = timing};
  auto elector = leader::make_elector(executor, clock, random, log, registry, *lock, options);
  auto writer = leader::fenced(client, elector->fence());
  return {std::move(lock), std::move(elector), std::move(writer)};
}
// [end]

}  // namespace keelson::examples
