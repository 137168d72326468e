// The examples of include/keelson/controller, and the main function of include/keelson/program/operator.hpp.
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/api/apps/v1/deployment.hpp"
#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/pod.hpp"
#include "keelson/api/core/v1/service.hpp"
#include "keelson/api/label_selector.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/controller/pod_rollout.hpp"
#include "keelson/controller/rollout.hpp"
#include "keelson/program/operator.hpp"

namespace {

using namespace keelson;

// [greeter]
struct GreetingSpec {
  std::string text;
};
void describe(kube::Description& d, GreetingSpec& spec) { d.field("text", spec.text, "The text.").required(); }

struct GreetingStatus {
  std::vector<kube::Condition> conditions;
};
void describe(kube::Description& d, GreetingStatus& status) {
  d.field("conditions", status.conditions, "The conditions of the Greeting.").list_map({"type"});
}

// [custom_resource]
struct Greeting : CustomResource<GreetingSpec, GreetingStatus> {
  static constexpr kube::Identity kIdentity{"demo.example.com", "v1", "Greeting"};
};
// [end]
// [greeter]

// [pass]
Reconciled reconcile(const Greeting& greeting, Pass<Greeting>& pass) {
  core::v1::ConfigMap config_map{.metadata = {.name = greeting.name()}, .data = {{"text", greeting.spec.text}}};
  KEELSON_CO_TRY(co_await pass.apply(config_map));
  pass.ready("Greeted", "The ConfigMap has the greeting.");
  co_return done();
}
// [end]
// [greeter]

controller::Definition greeter() { return controller_for<Greeting>(reconcile).owns<core::v1::ConfigMap>(); }
// [end]

// [stateful]
class GreetingReconciler {
 public:
  explicit GreetingReconciler(controller::Context& context) : log_(context.log) {}

  Reconciled reconcile(const Greeting& greeting, Pass<Greeting>& pass) {
    if (++passes_[greeting.key()] == 1) log_.info("Saw a Greeting for the first time");
    pass.ready("Seen", "The Greeting was seen.");
    co_return done();
  }
  // Optional: the object is gone or being deleted. Drop the state of this key.
  void forget(const kube::Key& greeting) { passes_.erase(greeting); }

 private:
  Logger log_;
  std::map<kube::Key, int> passes_;
};

controller::Definition stateful_greeter() { return controller_for<Greeting, GreetingReconciler>(); }
// [end]

// [finalize]
class ArchivedReconciler {
 public:
  // The name of the finalizer: qualified, and stored in every object, so do not change it.
  static constexpr std::string_view kFinalizer = "demo.example.com/archive";

  ArchivedReconciler(controller::Context& context, std::string prefix)
      : archive_(context.flag<std::string>("archive-url") + prefix) {}

  Reconciled reconcile(const Greeting&, Pass<Greeting>& pass) {
    pass.ready("Archived", "The archive has the Greeting.");
    co_return done();
  }
  // Called for an object that is being deleted, until it returns done(); the object then goes.
  Reconciled finalize(const Greeting& greeting, Pass<Greeting>& pass) {
    KEELSON_CO_LET(const auto response, co_await pass.http().remove(archive_ + greeting.name()));
    // It may be called again after it has succeeded, so a missing entry is a success.
    if (response.status == 404) co_return done();
    KEELSON_CO_TRY(net::check_status(response, "delete the entry of the archive"));
    co_return done();
  }

 private:
  std::string archive_;
};

controller::Definition archived(std::string prefix) {
  return controller_for<Greeting>(
             [prefix](controller::Context& context) { return ArchivedReconciler(context, prefix); })
      .flag<std::string>("archive-url", "https://archive.example.com", "The archive of Greetings.");
}
// [end]

struct DatabaseSpec {
  std::string version;
};
void describe(kube::Description& d, DatabaseSpec& spec) { d.field("version", spec.version, "The version."); }

struct Database : CustomResource<DatabaseSpec> {
  static constexpr kube::Identity kIdentity{"db.example.com", "v1", "Database"};
};

struct PolicySpec {
  std::optional<meta::v1::LabelSelector> databases;
};
void describe(kube::Description& d, PolicySpec& spec) { d.field("databases", spec.databases, "The databases."); }

struct Policy : CustomResource<PolicySpec> {
  static constexpr kube::Identity kIdentity{"db.example.com", "v1", "Policy", "policies", kube::Scope::kCluster};
};

// [label_selector]
// The databases that a policy selects, in all namespaces.
Result<std::vector<Database>> selected_by(const Policy& policy, const Pass<Policy>& pass) {
  KEELSON_LET(const auto selector, kube::selector_of(policy.spec.databases));
  return pass.list<Database>("", selector);
}
// [end]

Reconciled count_databases(const Policy& policy, Pass<Policy>& pass) {
  KEELSON_CO_LET(const auto databases, selected_by(policy, pass));
  pass.log.info("Counted the databases", {{"count", std::to_string(databases.size())}});
  co_return done();
}

// [own_condition]
struct ArticleStatus {
  std::vector<kube::Condition> conditions;
};
void describe(kube::Description& d, ArticleStatus& status);

struct Article : CustomResource<GreetingSpec, ArticleStatus> {
  static constexpr kube::Identity kIdentity{"demo.example.com", "v1", "Article"};
  static constexpr std::array kConditions{std::string_view("Published")};
};

// After Article, because it reads kConditions.
void describe(kube::Description& d, ArticleStatus& status) {
  controller::describe_conditions<Article>(d, status.conditions);
}

Reconciled publish(const Article&, Pass<Article>& pass) {
  pass.condition("Published", true, "Uploaded", "The article is online.");  // other types do not compile
  co_return done();
}
// [end]

struct Memcached : CustomResource<GreetingSpec, GreetingStatus> {
  static constexpr kube::Identity kIdentity{"cache.example.com", "v1", "Memcached"};
};

// [rollout]
void report(const apps::v1::Deployment& deployment, Pass<Memcached>& pass) {
  const auto rollout = controller::rollout_of(deployment);
  if (rollout.has_failed()) {
    pass.stalled(rollout.problem->reason, rollout.problem->message);
  } else if (rollout.problem) {
    pass.reconciling(rollout.problem->reason, rollout.problem->message);
  } else if (!rollout.is_complete()) {
    pass.reconciling("RollingOut", rollout.waits_for);
  } else {
    pass.ready("RolledOut", "All replicas are available.");
  }
}
// [end]

Reconciled reconcile(const Memcached& memcached, Pass<Memcached>& pass) {
  KEELSON_CO_LET(const auto deployment, pass.child<apps::v1::Deployment>(memcached.name()));
  if (deployment) report(*deployment, pass);
  co_return done();
}

struct CacheStatus {
  std::vector<kube::Condition> conditions;
};
void describe(kube::Description& d, CacheStatus& status);

struct Cache : CustomResource<GreetingSpec, CacheStatus> {
  static constexpr kube::Identity kIdentity{"cache.example.com", "v1", "Cache"};
  static constexpr std::array kConditions{std::string_view("Degraded")};
};

void describe(kube::Description& d, CacheStatus& status) {
  controller::describe_conditions<Cache>(d, status.conditions);
}

// [pod-rollout]
Reconciled observe(const Cache& cache, Pass<Cache>& pass) {
  KEELSON_CO_LET(const auto deployment, pass.child<apps::v1::Deployment>(cache.name()));
  if (!deployment) co_return done();
  KEELSON_CO_LET(const auto rollout, controller::rollout_of(*deployment, pass));
  const auto state = rollout.is_complete() ? "All pods are available." : rollout.waits_for + ".";
  const auto problem = rollout.problem.value_or(controller::RolloutProblem{"AsExpected", state});
  pass.condition("Degraded", rollout.problem.has_value(), problem.reason, problem.message);
  co_return controller::check_again(rollout, pass.clock.wall_now());
}

controller::Definition observed() {
  const auto by_label = controller::map_by_label(kube::resource_of<Cache>(), "cache");
  return controller_for<Cache>(observe)
      .owns<apps::v1::Deployment>()
      .watches<apps::v1::ReplicaSet>(by_label, controller::replica_sets_of_rollouts("cache"_selector))
      .watches<core::v1::Pod>(by_label, controller::pods_of_rollouts("cache"_selector));
}
// [end]

// [definition]
controller::Definition memcached() {
  const auto by_label = controller::map_by_label(kube::resource_of<Memcached>(), "cache.example.com/memcached");
  const controller::WatchOptions phases{.labels = "app=memcached"_selector,
                                        .content = json::Projection::of({{"status", "phase"}})};
  return controller_for<Memcached>(reconcile)
      .owns<apps::v1::Deployment>()
      .owns<core::v1::Service>()
      .watches<core::v1::Pod>(by_label, phases);
}
// [end]

[[maybe_unused]] std::vector<controller::Definition> definitions() {
  return {stateful_greeter(),
          archived("/v1/"),
          memcached(),
          observed(),
          controller_for<Article>(publish),
          controller_for<Policy>(count_databases).also_reads<Database>()};
}

}  // namespace

// [run]
int main(int argc, char** argv) { return keelson::run("greeter", argc, argv, {greeter()}); }
// [end]
