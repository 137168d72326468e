// An operator of Redis: a StatefulSet with its Service, configuration and PodDisruptionBudget.
#include "keelson/api/apps/v1/stateful_set.hpp"
#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/secret.hpp"
#include "keelson/api/core/v1/service.hpp"
#include "keelson/api/pod_security.hpp"
#include "keelson/api/policy/v1/pod_disruption_budget.hpp"
#include "keelson/controller/stateful_set_rollout.hpp"
#include "keelson/operator.hpp"
#include "keelson/webhook/admission.hpp"
#include "keelson/webhook/field_errors.hpp"

using namespace keelson;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using apps::v1::StatefulSet;
using core::v1::ConfigMap;
using core::v1::Secret;
using core::v1::Service;
using policy::v1::PodDisruptionBudget;

namespace {

constexpr int kPort = 6379;
constexpr int kUser = 999;  // of the official image

struct RedisSpec {
  std::optional<std::int32_t> replicas;
  std::string password_secret;
  std::map<std::string, std::string> config;
};
void describe(kube::Description& d, RedisSpec& spec) {
  d.field("replicas", spec.replicas, "Number of pods. Defaults to 1.").minimum(0);
  d.field("passwordSecret", spec.password_secret, "The Secret with the password, under the key password.")
      .required()
      .min_length(1);
  d.field("config", spec.config, "Lines of redis.conf.");
}

struct RedisStatus {
  std::int32_t replicas = 0;
  std::int32_t ready_replicas = 0;
  std::string selector;
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;
};
void describe(kube::Description& d, RedisStatus& status) {
  d.field("replicas", status.replicas, "Number of pods, for the scale subresource.");
  d.field("readyReplicas", status.ready_replicas, "Number of pods that are ready.");
  d.field("selector", status.selector, "Label selector of the pods, for the scale subresource.");
  d.field("observedGeneration", status.observed_generation, "Generation of the spec that this status is about.");
  d.field("conditions", status.conditions, "Ready and Available; Reconciling and Stalled while they hold.")
      .list_map({"type"});
}

struct Redis : CustomResource<RedisSpec, RedisStatus> {
  static constexpr kube::Identity kIdentity{"cache.example.org", "v1", "Redis", "redises"};
  static constexpr std::array<std::string_view, 1> kConditions{"Available"};
  static void describe_kind(kube::Kind& kind) {
    kind.short_names = {"rd"};
    kind.columns = {{"Replicas", "integer", ".spec.replicas"},
                    {"Ready", "integer", ".status.readyReplicas"},
                    {"Age", "date", ".metadata.creationTimestamp"}};
    kind.has_scale = true;
    kind.scale = {".spec.replicas", ".status.replicas", ".status.selector"};
    kind.sample = R"(apiVersion: cache.example.org/v1
kind: Redis
metadata:
  name: sessions
spec:
  replicas: 2
  passwordSecret: sessions-password
  config:
    maxmemory: 64mb
)";
  }
};

// The desired state.

std::map<std::string, std::string> labels_of(const Redis& redis) { return {{"app", "redis"}, {"redis", redis.name()}}; }

ConfigMap config_of(const Redis& redis) {
  std::string lines;
  for (const auto& [name, value] : redis.spec.config) lines.append(name).append(" ").append(value).append("\n");
  return {.metadata = {.name = redis.name() + "-config"}, .data = {{"redis.conf", lines}}};
}

// Headless: the pods have names of their own.
Service service_of(const Redis& redis) {
  return {
      .metadata = {.name = redis.name()},
      .spec = {.ports = {{.name = "redis", .protocol = "TCP", .port = kPort, .target_port = kPort}},
               .selector = labels_of(redis),
               .cluster_ip = "None"},
  };
}

PodDisruptionBudget budget_of(const Redis& redis) {
  return {
      .metadata = {.name = redis.name()},
      .spec = {.selector = {{.match_labels = labels_of(redis)}}, .max_unavailable = kube::IntOrString(1)},
  };
}

// The digests are annotations of the pods, so that they are replaced when the Secret or the configuration changes.
StatefulSet stateful_set_of(const Redis& redis, std::string image, std::string password_digest) {
  const core::v1::EnvVar password{
      .name = "REDISCLI_AUTH",
      .value_from = {{.secret_key_ref = {{.name = redis.spec.password_secret, .key = "password"}}}}};
  const core::v1::Container container{
      .name = "redis",
      .image = std::move(image),
      .args = {"/etc/redis/redis.conf", "--requirepass", "$(REDISCLI_AUTH)"},
      .ports = {{.name = "redis", .container_port = kPort, .protocol = "TCP"}},
      .env = {password},
      .volume_mounts = {{.name = "config", .mount_path = "/etc/redis"}},
      .security_context = core::v1::restricted_container(),
  };
  const auto config = config_of(redis);
  return {
      .metadata = {.name = redis.name()},
      .spec =
          {.replicas = redis.spec.replicas.value_or(1),
           .selector = {.match_labels = labels_of(redis)},
           .pod_template = {.metadata = {.labels = labels_of(redis),
                                         .annotations = {{"cache.example.org/password", std::move(password_digest)},
                                                         {"cache.example.org/config", config.data.at("redis.conf")}}},
                            .spec = {.volumes = {{.name = "config", .config_map = {{.name = config.metadata.name}}}},
                                     .containers = {container},
                                     .security_context = core::v1::restricted_pod(kUser)}},
           .service_name = redis.name()},
  };
}

// The reconciler.

class RedisReconciler {
 public:
  explicit RedisReconciler(controller::Context& context)
      : image_(context.flag<std::string>("redis-image")),
        ready_(context.registry.gauge("redis_ready_replicas", "Pods that are ready.", {"namespace", "name"})) {}

  [[nodiscard]] Reconciled reconcile(const Redis& redis, Pass<Redis>& pass);

 private:
  std::string image_;
  metrics::GaugeFamily& ready_;
};

Reconciled RedisReconciler::reconcile(const Redis& redis, Pass<Redis>& pass) {
  KEELSON_CO_LET(const auto digest, pass.digest<Secret>(redis.spec.password_secret));
  if (!digest) {
    pass.stalled("NoPassword", "Secret " + redis.spec.password_secret + " does not exist.");
    pass.condition("Available", false, "NoPassword", "The pods have no password.");
    co_return done();
  }
  // [several-children]
  const auto [config, service, budget] = co_await pass.apply_all(config_of(redis), service_of(redis), budget_of(redis));
  KEELSON_CO_TRY(controller::all_of(config, service, budget));
  // [end]
  KEELSON_CO_LET(const auto stateful_set, co_await pass.apply(stateful_set_of(redis, image_, *digest)));

  const auto rollout = controller::rollout_of(stateful_set);
  auto& status = pass.status();
  status.replicas = stateful_set.status.replicas;
  status.ready_replicas = rollout.ready_replicas;
  status.selector = "app=redis,redis=" + redis.name();
  ready_.with({redis.ns(), redis.name()}).set(rollout.ready_replicas);

  const auto count =
      std::to_string(rollout.ready_replicas) + " of " + std::to_string(rollout.replicas) + " pods are ready.";
  const bool is_available = rollout.ready_replicas > 0 || rollout.replicas == 0;
  pass.condition("Available", is_available, is_available ? "PodsReady" : "NoPodReady", count);
  if (rollout.is_complete()) {
    pass.ready("AllPodsReady", count);
  } else {
    pass.reconciling("RollingOut", rollout.waits_for);
  }
  co_return done();
}

// The pods end one after another before the StatefulSet is deleted, and with that the last one saves all data.
Reconciled shut_down(const Redis& redis, Pass<Redis>& pass) {
  KEELSON_CO_LET(const auto stateful_set, pass.child<StatefulSet>(redis.name()));
  if (!stateful_set || stateful_set->status.replicas == 0) co_return done();
  pass.reconciling("ShuttingDown", "The pods end before the Redis is deleted.");
  if (stateful_set->spec.replicas != 0) {
    auto none = *stateful_set;
    none.spec.replicas = 0;
    KEELSON_CO_TRY(co_await kube::patch(pass.client, *stateful_set, none));
  }
  co_return requeue_after(1s);
}

std::vector<std::string> password_of(const Redis& redis) { return {redis.spec.password_secret}; }

// The webhooks.

class Defaulter final : public webhook::Defaulter<RedisSpec> {
 public:
  Task<void> set_defaults(RedisSpec& spec, const webhook::Request&) override {
    if (!spec.replicas) spec.replicas = 1;
    co_return Result<void>();
  }
};

class Validator {
 public:
  explicit Validator(controller::Context&) {}

  asio::awaitable<webhook::Decision> validate(const webhook::Review<Redis>& review) {
    std::vector<kube::FieldError> errors;
    if (review.object.spec.config.contains("requirepass")) {
      errors.push_back(webhook::invalid_value("spec.config", "requirepass", "use passwordSecret"));
    }
    const auto& old = review.old_object;
    if (old && old->spec.password_secret != review.object.spec.password_secret && is_protected(*old)) {
      errors.push_back(webhook::forbidden_value("spec.passwordSecret", "it is protected"));
    }
    co_return webhook::Decision::judge(errors);
  }
  asio::awaitable<webhook::Decision> validate_delete(const webhook::Review<Redis>& review) {
    if (!is_protected(review.object)) co_return webhook::Decision::allow();
    co_return webhook::Decision::deny("redis " + review.object.name() + " is protected");
  }

 private:
  static bool is_protected(const Redis& redis) { return redis.metadata.labels.contains("protected"); }
};

}  // namespace

int main(int argc, char** argv) {
  return run("redis-operator", argc, argv,
             {controller_for<Redis, RedisReconciler>(Finalizer<Redis>{"cache.example.org/shutdown", shut_down})
                  .owns<ConfigMap>()
                  .owns<Service>()
                  .owns<PodDisruptionBudget>()
                  .owns<StatefulSet>()
                  .refers_to<Secret>(password_of)
                  .flag<std::string>("redis-image", "redis:7-alpine", "The image of the pods.")
                  .with_defaulter<RedisSpec>([](controller::Context&) { return std::make_unique<Defaulter>(); })
                  .webhook(webhook::validating<Redis, Validator>())});
}
