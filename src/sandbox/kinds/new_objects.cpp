#include "src/sandbox/kinds/new_objects.hpp"

#include <algorithm>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/pods.hpp"
#include "src/sandbox/kinds/pod_defaults.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kTokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
constexpr int kProjectedMode = 0644;
// The lifetime that kube-apiserver sets: an hour and 7 seconds, so that it differs from lifetimes that users choose.
constexpr int kTokenSeconds = 3607;

Tree token_volume(const std::string& name) {
  auto token = Tree::object({{"expirationSeconds", kTokenSeconds}, {"path", "token"}});
  auto ca = Tree::object(
      {{"name", "kube-root-ca.crt"}, {"items", Tree::array({Tree::object({{"key", "ca.crt"}, {"path", "ca.crt"}})})}});
  auto field = Tree::object({{"apiVersion", "v1"}, {"fieldPath", "metadata.namespace"}});
  auto ns = Tree::object({{"items", Tree::array({Tree::object({{"path", "namespace"}, {"fieldRef", field}})})}});
  auto sources = Tree::array({Tree::object({{"serviceAccountToken", token}}), Tree::object({{"configMap", ca}}),
                              Tree::object({{"downwardAPI", ns}})});
  return Tree::object(
      {{"name", name}, {"projected", Tree::object({{"sources", sources}, {"defaultMode", kProjectedMode}})}});
}

bool is_no(const Tree* value) { return value != nullptr && *value == Tree(false); }

bool mounts_token(const Tree& container) {
  const Tree* mounts = container.find("volumeMounts");
  return mounts != nullptr && std::ranges::any_of(mounts->items(), [](const Tree& mount) {
           return mount.text_at({"mountPath"}) == kTokenPath;
         });
}

// The name is the same in each run of the write.
void mount_token(const std::string& uid, Tree& spec) {
  const auto name = "kube-api-access-" + hash_of(uid).substr(0, 5);
  bool is_used = false;
  for (const char* list : {"initContainers", "containers"}) {
    for (auto& container : spec.items_of(list)) {
      if (mounts_token(container)) continue;
      auto& mounts = container["volumeMounts"];
      if (!mounts.is_array()) mounts = Tree::array();
      mounts.items().push_back(Tree::object({{"name", name}, {"readOnly", true}, {"mountPath", kTokenPath}}));
      is_used = true;
    }
  }
  if (!is_used) return;
  auto& volumes = spec["volumes"];
  if (!volumes.is_array()) volumes = Tree::array();
  volumes.items().push_back(token_volume(name));
}

void admit_account(const World& world, Tree& pod) {
  auto& spec = pod["spec"];
  auto account = spec.text_at({"serviceAccountName"});
  if (account.empty()) account = "default";
  spec["serviceAccountName"] = account;
  spec["serviceAccount"] = account;
  const auto* accounts = world.kinds.find(kube::service_accounts());
  const auto* entry = world.store.find(*accounts, kube::Key(pod.text_at({"metadata", "namespace"}), account));
  const Tree* of_account = entry != nullptr ? entry->stored().tree.find("automountServiceAccountToken") : nullptr;
  const Tree* of_pod = spec.find("automountServiceAccountToken");
  if (!is_no(of_pod != nullptr ? of_pod : of_account)) mount_token(pod.text_at({"metadata", "uid"}), spec);
}

void admit_priority(const World& world, Tree& spec) {
  static const kube::Resource kClasses("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", false);
  const auto name = spec.text_at({"priorityClassName"});
  std::int64_t priority = 0;
  std::string preemption = "PreemptLowerPriority";
  for (const auto& [key, entry] : world.store.all(*world.kinds.find(kClasses))) {
    const auto& tree = entry.stored().tree;
    bool fits = name.empty() ? tree.is_true_at({"globalDefault"}) : key.name == name;
    if (!fits) continue;
    priority = tree.integer_at({"value"});
    if (auto policy = tree.text_at({"preemptionPolicy"}); !policy.empty()) preemption = policy;
    if (name.empty()) spec["priorityClassName"] = key.name;
  }
  if (name == "system-cluster-critical") priority = 2'000'000'000;
  if (name == "system-node-critical") priority = 2'000'001'000;
  spec["priority"] = priority;
  spec.set_default("preemptionPolicy", preemption);
}

void admit_tolerations(Tree& spec) {
  constexpr int kSeconds = 300;
  auto& tolerations = spec["tolerations"];
  if (!tolerations.is_array()) tolerations = Tree::array();
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    bool has = std::ranges::any_of(tolerations.items(), [key](const Tree& one) {
      auto effect = one.text_at({"effect"});
      const bool fits_key = one.text_at({"key"}) == key || one.text_at({"key"}).empty();
      return fits_key && (effect.empty() || effect == "NoExecute");
    });
    if (has) continue;
    tolerations.items().push_back(
        Tree::object({{"key", key}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", kSeconds}}));
  }
}

// Adds the fields of the admission plugins of a cluster.
void admit_pod(const World& world, Tree& pod) {
  auto& spec = pod["spec"];
  if (!spec.is_object()) return;
  admit_account(world, pod);
  admit_priority(world, spec);
  admit_tolerations(spec);
}

void complete_pod(const World& world, Tree& pod) {
  if (world.has_admission) admit_pod(world, pod);
  auto& status = pod["status"];
  status.set_default("phase", "Pending");
  if (const Tree* spec = pod.find("spec")) status.set_default("qosClass", qos_class(*spec));
}

// Sets the labels by which a Job selects its pods, unless its client chose them.
void complete_job(Tree& job) {
  auto& spec = job["spec"];
  if (spec.is_true_at({"manualSelector"})) return;
  const auto uid = job.text_at({"metadata", "uid"});
  const auto name = job.text_at({"metadata", "name"});
  auto& metadata = spec["template"]["metadata"];
  const bool had_labels = metadata.find("labels") != nullptr;
  auto& labels = metadata["labels"];
  labels["controller-uid"] = uid;
  labels["job-name"] = name;
  labels["batch.kubernetes.io/controller-uid"] = uid;
  labels["batch.kubernetes.io/job-name"] = name;
  spec["selector"]["matchLabels"]["batch.kubernetes.io/controller-uid"] = uid;
  if (!had_labels && job.at({"metadata", "labels"}) == nullptr) job["metadata"]["labels"] = labels;
}

}  // namespace

void complete_new_object(const World& world, const kube::Resource& resource, Tree& object) {
  if (resource == kube::pods()) complete_pod(world, object);
  if (resource == kube::jobs() && world.is_whole_cluster) complete_job(object);
}

}  // namespace keelson::sandbox
