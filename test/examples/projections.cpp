// The examples of docs/projections.md: a Census counts the running Pods and the public Services of its namespace.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/persistent_volume_claim.hpp"
#include "keelson/api/core/v1/secret.hpp"
#include "keelson/api/core/v1/service.hpp"
#include "keelson/detail/cache/informer.hpp"
#include "keelson/detail/kube/fields.hpp"
#include "keelson/operator.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson::examples {

namespace {

using core::v1::ConfigMap;
using core::v1::PersistentVolumeClaim;
using core::v1::Secret;
using core::v1::Service;

struct CensusSpec {
  std::string secret;
};
void describe(kube::Description& d, CensusSpec& spec) { d.field("secret", spec.secret, "A Secret.").required(); }

struct Census : CustomResource<CensusSpec> {
  static constexpr kube::Identity kIdentity{"census.example.com", "v1", "Census", "censuses"};
};

// [partial]
struct PhaseStatus {
  std::string phase;
};
struct PodPhase {
  static constexpr kube::Identity kIdentity{"", "v1", "Pod"};
  static constexpr bool kIsPartial = true;
  meta::v1::ObjectMeta metadata;
  PhaseStatus status;
};
// [end]
void describe(kube::Description& d, PhaseStatus& status) { d.field("phase", status.phase, ""); }
void describe(kube::Description& d, PodPhase& pod) {
  d.field("metadata", pod.metadata, "");
  d.field("status", pod.status, "");
}

// [fields]
Result<bool> is_public(const kube::Object& service) {
  KEELSON_LET(const auto fields, kube::Fields::of(service));
  KEELSON_LET(const auto type, fields.at({"spec", "type"}));
  return type.string() == "LoadBalancer";
}
// [end]

class CensusReconciler {
 public:
  explicit CensusReconciler(controller::Context& context) : context_(context) {}

  [[nodiscard]] Reconciled reconcile(const Census& census, Pass<Census>& pass) {
    KEELSON_CO_LET(const auto pods, cache::list<PodPhase>(context_.informer(kube::pods()), census.ns()));
    const auto running = std::ranges::count(pods, "Running", [](const PodPhase& pod) { return pod.status.phase; });
    std::int64_t public_services = 0;
    for (const auto& service : context_.informer(kube::services()).list(census.ns())) {
      KEELSON_CO_LET(const auto counts, is_public(service));
      if (counts) ++public_services;
    }
    const auto claims = context_.informer(kube::resource_of<PersistentVolumeClaim>()).list(census.ns());
    KEELSON_CO_LET(const auto digest, pass.digest<Secret>(census.spec.secret));
    ConfigMap report{.metadata = {.name = census.name()},
                     .data = {{"claims", std::to_string(claims.size())},
                              {"public", std::to_string(public_services)},
                              {"running", std::to_string(running)},
                              {"secret", digest.value_or("none")}}};
    KEELSON_CO_TRY(co_await pass.apply(report));
    co_return done();
  }

 private:
  controller::Context& context_;
};

std::vector<std::string> secret_of(const Census& census) { return {census.spec.secret}; }

// [map]
// Each Census of the namespace counts the object.
std::vector<kube::Key> to_census(const kube::Object& changed, cache::Cache& cache) {
  std::vector<kube::Key> keys;
  const auto censuses = cache.find(kube::resource_of<Census>());
  if (!censuses) return keys;
  for (const auto& census : (*censuses)->list(changed.ns())) keys.push_back(census.key());
  return keys;
}
// [end]

// [options]
controller::Definition census() {
  const controller::WatchOptions types{.labels = "census"_selector,
                                       .content = json::Projection::of({{"spec", "type"}})};
  return controller_for<Census, CensusReconciler>()                                   // whole
      .owns<ConfigMap>()                                                              // whole
      .watches<PodPhase>(to_census, {.fields = "status.phase!=Failed"_fields})        // the fields of the struct
      .watches<Service>(to_census, types)                                             // spec.type
      .watches<PersistentVolumeClaim>(to_census, {.content = cache::OnlyMetadata{}})  // metadata
      .refers_to<Secret>(secret_of);                                                  // identity and digest
}
// [end]

constexpr const char* kCensus = R"(apiVersion: census.example.com/v1
kind: Census
metadata: {name: mine}
spec: {secret: password}
)";
constexpr const char* kPod = R"(apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: web, image: "web:1"}]}
)";
constexpr const char* kLoadBalancer = R"(apiVersion: v1
kind: Service
metadata: {name: web, labels: {census: counted}}
spec: {type: LoadBalancer, ports: [{port: 80}]}
)";

}  // namespace

// [simulated]
// True if the report counts a running Pod and a public Service.
bool counts_pods_and_services() {
  sandbox::SimulatedCluster cluster(census());
  if (!cluster.start_manager() || !cluster.create(kube::resource_of<Census>(), "default", kCensus)) return false;
  if (!cluster.create(kube::pods(), "default", kPod)) return false;
  if (!cluster.create(kube::services(), "default", kLoadBalancer)) return false;
  return cluster.eventually([&] {
    const auto report = cluster.get(kube::config_maps(), {"default", "mine"});
    return report.root().at({"data", "running"}).string() == "1" &&
           report.root().at({"data", "public"}).string() == "1";
  });
}
// [end]

}  // namespace keelson::examples
