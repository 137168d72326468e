// The example in the headers of room leader: an election, and a client that writes only while this replica leads.
#include <memory>
#include <utility>

#include "keelson/detail/leader/election.hpp"

namespace keelson::examples {
namespace asio = boost::asio;

// [elect]
struct Replica {
  Replica(asio::any_io_executor executor, async::Clock& clock, base::Random& random, Logger log,
          metrics::Registry& registry, kube::Client& client)
      : election(executor, clock, random, log, registry, client,
                 {.lease = kube::Key("default", "greeter"), .identity = leader::make_identity(random)}),
        writer(election.leader_client(client)) {}

  leader::Election election;             // elector() is a service to start and stop
  std::unique_ptr<kube::Client> writer;  // its writes fail with kFenced unless this replica leads
};
// [end]

}  // namespace keelson::examples
