// The examples of include/keelson/sandbox.
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox/replica_faults.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson::examples {
using namespace std::chrono_literals;

// [api_server]
// A create whose reply is lost: the client gets a broken connection, but the object is stored.
std::size_t objects_after_lost_reply() {
  sandbox::loop::TestLoop loop;
  base::Random random(1);
  sandbox::ApiServer server(loop.clock(), random);
  server.before_write([](const sandbox::RequestInfo&) { return sandbox::WriteFate::kReplyLost; });
  loop.run([&]() -> boost::asio::awaitable<void> {
    const std::string hello = R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "hello"}})";
    auto created = co_await kube::create(server.client("alice"), kube::config_maps(), "default", hello);
    if (created) throw std::runtime_error("the reply is not lost");
  });
  return server.objects(kube::config_maps()).size();
}
// [end]

// [simulated_cluster]
// Whether the controller of `kind` creates its ConfigMap, and again after a deletion while the manager was down.
bool recreates_config_map(controller::Definition definition, const kube::Resource& kind, std::string_view sample) {
  const kube::Key child("default", "hello");
  sandbox::SimulatedCluster cluster(std::move(definition));
  auto has_child = [&] { return !cluster.get(kube::config_maps(), child).root().is_null(); };
  if (!cluster.start_manager() || !cluster.create(kind, "default", sample)) return false;
  if (!cluster.eventually(has_child)) return false;
  cluster.crash_manager();
  if (!cluster.remove(kube::config_maps(), child) || !cluster.start_manager()) return false;
  return cluster.eventually(has_child);
}
// [end]

// [http_servers]
// How often the operator deletes the entry of an archive that fails at first.
std::size_t deletions(sandbox::SimulatedCluster& cluster, const kube::Resource& kind, const kube::Key& key) {
  int failures = 2;
  cluster.http.serve("https://archive.example.com", [&failures](const net::Request&) -> Result<net::Response> {
    return net::text_response(failures-- > 0 ? 503 : 200, "");
  });
  if (!cluster.remove(kind, key)) return 0;
  if (!cluster.eventually([&] { return cluster.get(kind, key).root().is_null(); })) return 0;
  return cluster.http.requests().size();
}
// [end]

// [replicas]
// Whether the standby acquires the lease when the leader hangs for longer than the lease.
bool standby_takes_over(controller::Definition definition) {
  sandbox::Replicas replicas({std::move(definition)}, {.count = 2});
  if (!replicas.eventually([&] { return replicas.leaders() == 1; })) return false;
  const std::size_t leader = replicas.at(0).leads() ? 0 : 1;
  replicas.at(leader).pause();
  replicas.pass(20s);  // a lease lasts 15 s
  replicas.at(leader).resume();
  return replicas.eventually([&] { return replicas.at(1 - leader).leads() && replicas.writers() == 1; });
}
// [end]

// [replica_faults]
// Three minutes of faults, then one without: there was never a second writer, and a replica leads in the end.
bool survives_faults(controller::Definition definition, std::uint64_t seed) {
  sandbox::ReplicaFaults faults({std::move(definition)}, seed);
  faults.disturb(3min, [&] { /* what users change each second, in faults.replicas */ });
  faults.repair();
  faults.pass(1min);
  return faults.most_writers() == 1 && faults.stale_writer().empty() && faults.replicas.leaders() == 1;
}
// [end]

}  // namespace keelson::examples
