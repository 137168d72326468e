// The DaemonSet controller: a pod on each node that fits, replaced within maxUnavailable and maxSurge.
#include <algorithm>
#include <map>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/node_fit.hpp"
#include "src/sandbox/controllers/revisions.hpp"
#include "src/sandbox/controllers/workloads.hpp"
#include "src/sandbox/kinds/new_objects.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kPodHashLabel = "controller-revision-hash";

// Node conditions that pods of a DaemonSet tolerate.
constexpr std::pair<const char*, const char*> kTolerated[] = {
    {"node.kubernetes.io/not-ready", "NoExecute"},           {"node.kubernetes.io/unreachable", "NoExecute"},
    {"node.kubernetes.io/disk-pressure", "NoSchedule"},      {"node.kubernetes.io/memory-pressure", "NoSchedule"},
    {"node.kubernetes.io/pid-pressure", "NoSchedule"},       {"node.kubernetes.io/unschedulable", "NoSchedule"},
    {"node.kubernetes.io/network-unavailable", "NoSchedule"}};

Tree daemon_spec(const Tree& pod_template) {
  auto spec = pod_template.copy_at({"spec"});
  auto& tolerations = list_in(spec, "tolerations");
  const bool is_on_host = spec.is_true_at({"hostNetwork"});
  for (const auto& [key, effect] : kTolerated) {
    if (std::string_view(key).ends_with("network-unavailable") && !is_on_host) continue;
    auto toleration = Tree::object({{"key", key}, {"operator", "Exists"}, {"effect", effect}});
    std::erase(tolerations, toleration);
    tolerations.push_back(std::move(toleration));
  }
  return spec;
}

// Required affinity to the node's name, which replaces the required affinity of the template.
void pin(Tree& spec, const std::string& node) {
  auto field = Tree::object({{"key", "metadata.name"}, {"operator", "In"}, {"values", Tree::array({node})}});
  auto term = Tree::object({{"matchFields", Tree::array({field})}});
  spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"] =
      Tree::object({{"nodeSelectorTerms", Tree::array({term})}});
}

class DaemonSetSync : public Sync {
 public:
  explicit DaemonSetSync(const Sync& sync) : Sync(sync), template_(tree.copy_at({"spec", "template"})) {
    template_["spec"] = daemon_spec(template_);
  }

  Again run() {
    claim(kube::pods(), by_selector());
    const RevisionOwner owner{*this, kPodHashLabel};
    claim(kube::controller_revisions(), by_selector());
    const auto revision = update_revision(owner, revisions_of(owner));
    hash_ = revision.hash;
    place();
    if (tree.text_at({"spec", "updateStrategy", "type"}) != "OnDelete") roll();
    write_status();
    std::set<std::string> in_use{revision.name};
    for (const auto& pod : owned(kube::pods())) {
      in_use.insert(name() + "-" + pod.object.label(kPodHashLabel).value_or(""));
    }
    truncate_revisions(owner, in_use);
    return again;
  }

 private:
  using Pods = std::map<std::string, std::vector<StoredObject>, std::less<>>;

  // The pods that are not being deleted, by node.
  [[nodiscard]] Pods pods() const {
    Pods found;
    for (auto& pod : owned(kube::pods())) {
      if (!pod.object.deleting()) found[node_of(pod.tree)].push_back(std::move(pod));
    }
    return found;
  }
  [[nodiscard]] bool is_new(const StoredObject& pod) const { return pod.object.label(kPodHashLabel) == hash_; }
  [[nodiscard]] std::map<std::string, NodeFit> node_fits() const {
    std::map<std::string, NodeFit> fits;
    for (const auto& [key, entry] : operations.world.store.all(operations.kind(kube::nodes()))) {
      fits.emplace(key.name, fit(*template_.find("spec"), entry.stored().tree));
    }
    return fits;
  }

  // One pod on each node that fits, none on other nodes; failed pods are deleted.
  void place() {
    auto found = pods();
    const auto fits = node_fits();
    for (const auto& [node, on_node] : found) {
      if (!fits.contains(node)) remove_pods(on_node);
    }
    for (const auto& [node, fits_as] : fits) {
      auto on_node = found[node];
      if (fits_as == NodeFit::kNever) remove_pods(on_node);
      if (fits_as == NodeFit::kNever) continue;
      bool has_failed = false;
      std::erase_if(on_node, [&](const StoredObject& pod) {
        if (!is_done(pod.tree)) return false;
        remove_pod(pod.object.key());
        return has_failed = true;
      });
      const bool waits = has_failed || is_leaving(node);
      if (on_node.empty() && fits_as == NodeFit::kRuns && !waits) create(node);
      if (on_node.size() > 1) thin_out(on_node);
    }
  }

  // Whether the previous pod is still being deleted.
  [[nodiscard]] bool is_leaving(const std::string& node) const {
    const auto all = owned(kube::pods());
    return std::ranges::any_of(
        all, [&](const StoredObject& pod) { return pod.object.deleting() && node_of(pod.tree) == node; });
  }

  // Retains the oldest pod; during a surge the oldest of each revision, until the new one is available.
  void thin_out(const std::vector<StoredObject>& on_node) {
    const StoredObject* newer = nullptr;
    const StoredObject* older = nullptr;
    for (const auto& pod : on_node) {
      auto*& slot = is_new(pod) ? newer : older;
      if (slot == nullptr) {
        slot = &pod;
      } else {
        remove_pod(pod.object.key());
      }
    }
    if (newer == nullptr || older == nullptr) return;
    if (surge(1) == 0) {
      remove_pod(newer->object.key());
    } else if (!is_ready(older->tree) || is_available(newer->tree)) {
      remove_pod(older->object.key());
    }
  }

  void roll() {
    auto found = pods();
    std::int64_t desired = 0;
    std::int64_t unavailable = 0;
    std::int64_t surging = 0;
    std::vector<const StoredObject*> broken;
    std::vector<const StoredObject*> candidates;
    for (const auto& [node, fits_as] : node_fits()) {
      if (fits_as != NodeFit::kRuns) continue;
      ++desired;
      const auto& on_node = found[node];
      if (on_node.size() > 1) ++surging;
      if (on_node.size() != 1) ++unavailable;
      if (on_node.size() != 1) continue;
      const auto& pod = on_node.front();
      const bool works = is_available(pod.tree);
      if (!works) ++unavailable;
      if (!is_new(pod)) (works ? candidates : broken).push_back(&pod);
    }
    const auto most_surging = surge(desired);
    if (most_surging > 0) return replace_by_surge(broken, candidates, most_surging - surging);
    const auto share = std::min(desired, share_of(rolling("maxUnavailable"), desired, true));
    auto room = std::max<std::int64_t>(rolling("maxUnavailable") == nullptr || share == 0 ? 1 : share, 0) - unavailable;
    for (const auto* pod : broken) remove_pod(pod->object.key());
    for (const auto* pod : candidates) {
      if (room-- > 0) remove_pod(pod->object.key());
    }
  }

  void replace_by_surge(const std::vector<const StoredObject*>& broken,
                        const std::vector<const StoredObject*>& candidates, std::int64_t room) {
    for (const auto* pod : broken) create(node_of(pod->tree));
    for (const auto* pod : candidates) {
      if (room-- > 0) create(node_of(pod->tree));
    }
  }

  [[nodiscard]] const Tree* rolling(std::string_view name) const {
    return tree.at({"spec", "updateStrategy", "rollingUpdate", name});
  }
  [[nodiscard]] std::int64_t surge(std::int64_t desired) const {
    return std::min(desired, share_of(rolling("maxSurge"), desired, true));
  }

  void create(const std::string& node) {
    auto pod = pod_of(&template_);
    pod["metadata"]["labels"][kPodHashLabel] = hash_;
    pod["metadata"]["labels"]["pod-template-generation"] =
        tree.text_at({"metadata", "annotations", kTemplateGeneration});
    pin(pod["spec"], node);
    create_pod(name(), std::move(pod));
  }

  void remove_pods(const std::vector<StoredObject>& all) {
    for (const auto& pod : all) remove_pod(pod.object.key());
  }

  void write_status() {
    auto found = pods();
    std::int64_t desired = 0;
    std::int64_t current = 0;
    std::int64_t misscheduled = 0;
    std::int64_t ready = 0;
    std::int64_t updated = 0;
    std::int64_t available = 0;
    for (const auto& [node, fits_as] : node_fits()) {
      const auto& on_node = found[node];
      if (fits_as != NodeFit::kRuns) {
        if (!on_node.empty()) ++misscheduled;
        continue;
      }
      ++desired;
      if (on_node.empty()) continue;
      ++current;
      const auto& pod = on_node.front();
      if (is_ready(pod.tree)) ++ready;
      if (is_available(pod.tree)) ++available;
      if (is_new(pod)) ++updated;
    }
    auto status = next_status();
    status["currentNumberScheduled"] = current;
    status["numberMisscheduled"] = misscheduled;
    status["desiredNumberScheduled"] = desired;
    status["numberReady"] = ready;
    set_count(status, "updatedNumberScheduled", updated);
    set_count(status, "numberAvailable", available);
    set_count(status, "numberUnavailable", desired - available);
    Sync::write_status(std::move(status));
  }

  Tree template_;  // with the tolerations that every daemon has
  std::string hash_;
};

}  // namespace

void sync_daemon_set(Sync& sync) {
  if (!sync.object.deleting()) sync.again = DaemonSetSync(sync).run();
}

}  // namespace keelson::sandbox
