// Two kinds of one name in two groups: a Cluster of databases, and a Cluster of brokers. Each has a ConfigMap.
#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/operator.hpp"

using namespace keelson;

struct ClusterSpec {
  std::int32_t size = 1;
};
void describe(kube::Description& d, ClusterSpec& spec) { d.field("size", spec.size, "Number of nodes.").minimum(1); }

namespace database {
struct Cluster : CustomResource<ClusterSpec> {
  static constexpr kube::Identity kIdentity{"database.example.com", "v1", "Cluster"};
};
}  // namespace database

namespace broker {
struct Cluster : CustomResource<ClusterSpec> {
  static constexpr kube::Identity kIdentity{"broker.example.com", "v1", "Cluster"};
};
}  // namespace broker

template <class Cluster>
Reconciled reconcile(const Cluster& cluster, Pass<Cluster>& pass) {
  const std::string group(Cluster::kIdentity.group);
  core::v1::ConfigMap config_map{.metadata = {.name = cluster.name() + "-" + group.substr(0, group.find('.'))},
                                 .data = {{"size", std::to_string(cluster.spec.size)}}};
  KEELSON_CO_TRY(co_await pass.apply(config_map));
  co_return done();
}

int main(int argc, char** argv) {
  using core::v1::ConfigMap;
  return run("twins", argc, argv,
             {controller_for<database::Cluster>(reconcile<database::Cluster>).owns<ConfigMap>().named("database"),
              controller_for<broker::Cluster>(reconcile<broker::Cluster>).owns<ConfigMap>().named("broker")});
}
