#include "src/sandbox/kinds/new_objects.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "keelson/detail/base/parse_number.hpp"
#include "keelson/schema/identity.hpp"
#include "src/sandbox/admission/limit_range.hpp"
#include "src/sandbox/admission/runtime_class.hpp"
#include "src/sandbox/controllers/pods.hpp"
#include "src/sandbox/controllers/storage_protection.hpp"
#include "src/sandbox/kinds/pod_defaults.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kTokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";

// The lifetime is that of kube-apiserver: an hour and 7 seconds, so that it differs from lifetimes that users choose.
Tree token_volume(const std::string& name) {
  static const auto kProjected =
      json_tree(R"({"sources":[{"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}},)"
                R"({"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},)"
                R"({"downwardAPI":{"items":[{"path":"namespace",)"
                R"("fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420})");
  return Tree::object({{"name", name}, {"projected", kProjected}});
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
      list_in(container, "volumeMounts")
          .push_back(Tree::object({{"name", name}, {"readOnly", true}, {"mountPath", kTokenPath}}));
      is_used = true;
    }
  }
  if (!is_used) return;
  list_in(spec, "volumes").push_back(token_volume(name));
}

std::string admit_account(const World& world, Tree& pod) {
  static const std::vector<Tree> no_secrets;
  const auto* accounts = world.kinds.find(kube::service_accounts());
  const auto ns = pod.text_at({"metadata", "namespace"});
  // Without controllers, a namespace has no accounts unless a client creates them: as for envtest, pods need none.
  const bool has_default = world.store.find(*accounts, kube::Key(ns, "default")) != nullptr;
  if (!world.has_controllers && !has_default) return "";
  auto& spec = pod["spec"];
  auto account = spec.text_at({"serviceAccountName"});
  if (account.empty()) account = "default";
  spec["serviceAccountName"] = account;
  spec["serviceAccount"] = account;
  const auto* entry = world.store.find(*accounts, kube::Key(ns, account));
  // The account `default` of a new namespace may be created a moment later.
  if (entry == nullptr && account != "default") {
    return "error looking up service account " + ns + "/" + account + ": serviceaccount \"" + account + "\" not found";
  }
  const Tree* of_account = entry != nullptr ? entry->stored().tree.find("automountServiceAccountToken") : nullptr;
  const Tree* of_pod = spec.find("automountServiceAccountToken");
  if (!is_no(of_pod != nullptr ? of_pod : of_account)) mount_token(pod.text_at({"metadata", "uid"}), spec);
  const auto& secrets = entry != nullptr ? entry->stored().tree.items_at({"imagePullSecrets"}) : no_secrets;
  if (!secrets.empty() && spec.items_at({"imagePullSecrets"}).empty()) spec["imagePullSecrets"] = Tree::array(secrets);
  return "";
}

// The priority and the preemption policy of a class.
struct PodPriority {
  std::int64_t value = 0;
  std::string preemption = "PreemptLowerPriority";
};

// The class of this name, or the default one, whose name is set; nullopt if the named one does not exist.
std::optional<PodPriority> priority_of(const World& world, std::string& name) {
  static const kube::Resource kClasses("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses", false);
  if (name == "system-cluster-critical") return PodPriority{.value = 2'000'000'000};
  if (name == "system-node-critical") return PodPriority{.value = 2'000'001'000};
  for (const auto& [key, entry] : world.store.all(*world.kinds.find(kClasses))) {
    const auto& tree = entry.stored().tree;
    const bool fits = name.empty() ? tree.is_true_at({"globalDefault"}) : key.name == name;
    if (!fits) continue;
    name = key.name;
    PodPriority priority{.value = tree.integer_at({"value"})};
    if (auto policy = tree.text_at({"preemptionPolicy"}); !policy.empty()) priority.preemption = policy;
    return priority;
  }
  return name.empty() ? std::optional(PodPriority()) : std::nullopt;
}

std::string admit_priority(const World& world, Tree& spec) {
  constexpr const char* kComputed = "must not be provided in pod spec; priority admission controller computed ";
  constexpr const char* kFrom = " from the given PriorityClass name";
  auto name = spec.text_at({"priorityClassName"});
  const auto priority = priority_of(world, name);
  if (!priority) return "no PriorityClass with name " + name + " was found";
  if (!name.empty()) spec["priorityClassName"] = name;
  const auto value = std::to_string(priority->value);
  const Tree* given = spec.find("priority");
  if (given != nullptr && !given->is_null() && given->scalar() != value) {
    return "the integer value of priority (" + given->scalar() + ") " + kComputed + value + kFrom;
  }
  const auto policy = spec.text_at({"preemptionPolicy"});
  if (!policy.empty() && policy != priority->preemption) {
    return "the string value of PreemptionPolicy (" + policy + ") " + kComputed + priority->preemption + kFrom;
  }
  spec["priority"] = priority->value;
  spec["preemptionPolicy"] = priority->preemption;
  return "";
}

void admit_tolerations(Tree& spec) {
  constexpr int kSeconds = 300;
  auto& tolerations = list_in(spec, "tolerations");
  for (const char* key : {kNotReadyTaint, kUnreachableTaint}) {
    bool has = std::ranges::any_of(tolerations, [key](const Tree& one) {
      auto effect = one.text_at({"effect"});
      const bool fits_key = one.text_at({"key"}) == key || one.text_at({"key"}).empty();
      return fits_key && (effect.empty() || effect == "NoExecute");
    });
    if (has) continue;
    tolerations.push_back(
        Tree::object({{"key", key}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", kSeconds}}));
  }
}

// Adds the fields of the admission plugins of a cluster.
std::string admit_pod(const World& world, Tree& pod) {
  auto& spec = pod["spec"];
  if (!spec.is_object()) return "";
  auto why = admit_account(world, pod);
  if (why.empty()) why = admit_priority(world, spec);
  admit_tolerations(spec);
  if (why.empty()) why = admit_runtime_class(world, spec);
  return why;
}

std::string complete_pod(const World& world, Tree& pod) {
  if (pod["spec"].is_object()) add_limit_defaults(world, pod);
  auto why = world.has_admission ? admit_pod(world, pod) : std::string();
  auto& status = pod["status"];
  status.set_default("phase", "Pending");
  if (const Tree* spec = pod.find("spec")) status.set_default("qosClass", qos_class(*spec));
  return why;
}

// The newest class with this annotation; empty: none.
std::string default_class(const World& world, const kube::Resource& classes, const char* annotation) {
  std::string name;
  std::string newest;
  for (const auto& [key, entry] : world.store.all(*world.kinds.find(classes))) {
    const auto& tree = entry.stored().tree;
    if (tree.text_at({"metadata", "annotations", annotation}) != "true") continue;
    auto created = tree.text_at({"metadata", "creationTimestamp"});
    if (!name.empty() && created <= newest) continue;
    name = key.name;
    newest = std::move(created);
  }
  return name;
}

// Sets the default class unless the object names one, in its field or in a deprecated annotation.
void give_class(Tree& object, const char* field, const char* old_annotation, const std::string& name) {
  const bool is_named =
      object.at({"spec", field}) != nullptr || object.at({"metadata", "annotations", old_annotation}) != nullptr;
  if (!is_named && !name.empty()) object["spec"][field] = name;
}

void complete_claim(const World& world, Tree& claim) {
  static const kube::Resource kClasses("storage.k8s.io", "v1", "StorageClass", "storageclasses", false);
  give_class(claim, "storageClassName", "volume.beta.kubernetes.io/storage-class",
             default_class(world, kClasses, "storageclass.kubernetes.io/is-default-class"));
}

void complete_ingress(const World& world, Tree& ingress) {
  static const kube::Resource kClasses("networking.k8s.io", "v1", "IngressClass", "ingressclasses", false);
  give_class(ingress, "ingressClassName", "kubernetes.io/ingress.class",
             default_class(world, kClasses, "ingressclass.kubernetes.io/is-default-class"));
}

// Sets the labels by which a Job selects its pods, unless its client chose them.
void complete_job(Tree& job) {
  auto& spec = job["spec"];
  if (spec.is_true_at({"manualSelector"})) return;
  const auto uid = job.text_at({"metadata", "uid"});
  const auto name = job.text_at({"metadata", "name"});
  auto& labels = spec["template"]["metadata"]["labels"];
  // In Go, a Job without labels shares those of its template.
  const auto own = job.copy_at({"metadata", "labels"});
  const bool shares_labels = labels.is_null() ? own.is_empty() : labels == own;
  labels["controller-uid"] = uid;
  labels["job-name"] = name;
  labels["batch.kubernetes.io/controller-uid"] = uid;
  labels["batch.kubernetes.io/job-name"] = name;
  spec["selector"]["matchLabels"]["batch.kubernetes.io/controller-uid"] = uid;
  if (shares_labels) job["metadata"]["labels"] = labels;
}

void complete_volume(const World& world, Tree& volume) {
  volume["status"] = Tree::object({{"phase", "Pending"}, {"lastPhaseTransitionTime", world.time_text()}});
}

// No pod is scheduled to a new node before the node controller has seen it.
void taint_node(Tree& node) {
  static const auto kNotReady = Tree::object({{"key", kNotReadyTaint}, {"effect", "NoSchedule"}});
  auto& taints = list_in(node["spec"], "taints");
  const bool has_taint = std::ranges::any_of(taints, [](const Tree& taint) {
    return taint.text_at({"key"}) == kNotReadyTaint && taint.text_at({"effect"}) == "NoSchedule";
  });
  if (!has_taint) taints.push_back(kNotReady);
}

// A namespace waits until its controller has deleted its content.
void complete_namespace(Tree& object) {
  auto& finalizers = list_in(object["spec"], "finalizers");
  const Tree own("kubernetes");
  if (std::ranges::find(finalizers, own) == finalizers.end()) finalizers.push_back(own);
}

// No requests are sent for an APIService without a Service, so it is available at once.
void complete_api_service(const World& world, Tree& object) {
  const Tree* service = object.at({"spec", "service"});
  if (service != nullptr && !service->is_null()) return;
  object["status"]["conditions"] = Tree::array({Tree::object({{"type", "Available"},
                                                              {"status", "True"},
                                                              {"lastTransitionTime", world.time_text()},
                                                              {"reason", "Local"},
                                                              {"message", kAlwaysAvailable}})});
}

}  // namespace

namespace {

void add_finalizer(Tree& object, const char* finalizer) {
  auto& finalizers = list_in(object["metadata"], "finalizers");
  const Tree own(finalizer);
  if (std::ranges::find(finalizers, own) == finalizers.end()) finalizers.push_back(own);
}

}  // namespace

void stamp_phase(const World& world, const Tree* before, Tree& volume) {
  if (before == nullptr || before->copy_at({"status", "phase"}) == volume.copy_at({"status", "phase"})) return;
  constexpr const char* kStamp = "lastPhaseTransitionTime";
  if (volume.copy_at({"status", kStamp}) == before->copy_at({"status", kStamp}) || !volume.at({"status", kStamp})) {
    volume["status"][kStamp] = world.time_text();
  }
}

void complete_pod_update(const World& world, const Tree& before, Tree& pod) {
  Tree* spec = pod.find("spec");
  if (!world.has_admission || spec == nullptr || !spec->is_object()) return;
  for (const char* name : {"priority", "preemptionPolicy"}) {
    if (const Tree* had = before.at({"spec", name})) spec->set_default(name, *had);
  }
  admit_tolerations(*spec);
}

void count_templates(const Tree* before, Tree& daemon_set) {
  const auto& of = before != nullptr ? *before : daemon_set;
  const auto text = of.text_at({"metadata", "annotations", kTemplateGeneration});
  auto generation = std::max<std::int64_t>(1, base::parse_number<std::int64_t>(text).value_or(1));
  if (before != nullptr && before->copy_at({"spec", "template"}) != daemon_set.copy_at({"spec", "template"})) {
    ++generation;
  }
  daemon_set["metadata"]["annotations"][kTemplateGeneration] = std::to_string(generation);
}

std::string complete_new_object(const World& world, const kube::Resource& resource, Tree& object) {
  if (resource == kube::namespaces()) complete_namespace(object);
  if (resource == kube::pods()) return complete_pod(world, object);
  if (resource == kube::jobs() && world.is_whole_cluster) complete_job(object);
  const bool is_claim = resource.group.empty() && resource.plural == "persistentvolumeclaims";
  if (is_claim) complete_claim(world, object);
  const bool is_volume = resource.group.empty() && resource.plural == "persistentvolumes";
  if (world.has_admission && is_claim) add_finalizer(object, kClaimProtection);
  if (is_volume) complete_volume(world, object);
  if (world.has_admission && is_volume) add_finalizer(object, kVolumeProtection);
  const bool is_class = resource.group == "storage.k8s.io" && resource.plural == "volumeattributesclasses";
  if (world.is_whole_cluster && is_class) add_finalizer(object, kClassProtection);
  // The node of a new cluster is ready.
  if (world.has_admission && resource == kube::nodes() && !world.is_starting) taint_node(object);
  const bool is_api_service = resource.group == "apiregistration.k8s.io" && resource.plural == "apiservices";
  if (is_api_service) complete_api_service(world, object);
  const bool is_ingress = resource.group == "networking.k8s.io" && resource.plural == "ingresses";
  if (is_ingress) complete_ingress(world, object);
  return "";
}

}  // namespace keelson::sandbox
