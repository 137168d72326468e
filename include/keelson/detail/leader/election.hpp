// The leader election of one process: the lock in a Lease, the elector that competes for it, and clients that write
// only while this process leads.
//
// elector() is the service to start and stop (elector.hpp); pass leader_client() to the code that only the leader runs.
// The election must outlive the clients that it made. Neither copied nor moved.
//
// Example (test/examples/leader.cpp#elect):
//   struct Replica {
//     Replica(asio::any_io_executor executor, async::Clock& clock, base::Random& random, Logger log,
//             metrics::Registry& registry, kube::Client& client)
//         : election(executor, clock, random, log, registry, client,
//                    {.lease = kube::Key("default", "greeter"), .identity = leader::make_identity(random)}),
//           writer(election.leader_client(client)) {}
//
//     leader::Election election;             // elector() is a service to start and stop
//     std::unique_ptr<kube::Client> writer;  // its writes fail with kFenced unless this replica leads
//   };
#pragma once

#include <memory>
#include <string>

#include "keelson/detail/leader/elector.hpp"

namespace keelson::leader {

struct ElectionOptions {
  kube::Key lease;       // its name is also the label of metrics
  std::string identity;  // not empty (asserted); use make_identity()
  Timing timing = {};    // valid (asserted): call validate() with values of a user first
};

class Election {
 public:
  // `lease_client` reads and writes the Lease and the Events (make_lease_lock() says which client to use). All
  // references must outlive the election.
  Election(boost::asio::any_io_executor executor, async::Clock& clock, base::Random& random, Logger log,
           metrics::Registry& registry, kube::Client& lease_client, ElectionOptions options);
  Election(const Election&) = delete;
  Election& operator=(const Election&) = delete;

  [[nodiscard]] Elector& elector() { return *elector_; }
  [[nodiscard]] const Elector& elector() const { return *elector_; }
  // A client that passes all requests to `client`, and whose writes fail with kFenced unless this process leads
  // (fence.hpp). `client` must outlive the result.
  [[nodiscard]] std::unique_ptr<kube::Client> leader_client(kube::Client& client) const;

 private:
  std::unique_ptr<Lock> lock_;
  std::unique_ptr<Elector> elector_;
};

}  // namespace keelson::leader
