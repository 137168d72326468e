// The DaemonSet controller: a pod on each node that fits, replaced within maxUnavailable and maxSurge.
#include <algorithm>
#include <map>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/controllers/node_fit.hpp"
#include "src/sandbox/controllers/revisions.hpp"
#include "src/sandbox/controllers/workloads.hpp"

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
  auto& tolerations = spec["tolerations"];
  if (!tolerations.is_array()) tolerations = Tree::array();
  const bool is_on_host = spec.is_true_at({"hostNetwork"});
  for (const auto& [key, effect] : kTolerated) {
    if (std::string_view(key).ends_with("network-unavailable") && !is_on_host) continue;
    auto toleration = Tree::object({{"key", key}, {"operator", "Exists"}, {"effect", effect}});
    std::erase(tolerations.items(), toleration);
    tolerations.items().push_back(std::move(toleration));
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

// A sync of a DaemonSet with the nodes and its pods.
class DaemonSetPass {
 public:
  DaemonSetPass(Operations& operations, const kube::Object& set, Tree tree)
      : operations_(operations), set_(set), tree_(std::move(tree)) {
    template_ = tree_.copy_at({"spec", "template"});
    template_["spec"] = daemon_spec(template_);
  }

  Again run() {
    RevisionOwner owner{kube::daemon_sets(), set_, tree_, kPodHashLabel};
    auto revision = update_revision(operations_, owner, revisions_of(operations_, owner));
    hash_ = revision.hash;
    annotate(revision.number);
    generation_ = revision.number;
    place();
    if (tree_.text_at({"spec", "updateStrategy", "type"}) != "OnDelete") roll();
    write_status();
    std::set<std::string> in_use{revision.name};
    for (const auto& pod : operations_.owned(kube::pods(), set_)) {
      in_use.insert(std::string(set_.name()) + "-" + pod.label(kPodHashLabel).value_or(""));
    }
    truncate_revisions(operations_, owner, in_use);
    return again_;
  }

 private:
  using Pods = std::map<std::string, std::vector<kube::Object>, std::less<>>;

  // The pods that are not being deleted, by node.
  [[nodiscard]] Pods pods() const {
    Pods found;
    for (const auto& pod : operations_.owned(kube::pods(), set_)) {
      if (!pod.deleting()) found[node_of(tree_of(pod))].push_back(pod);
    }
    return found;
  }
  [[nodiscard]] const Tree& tree_of(const kube::Object& pod) const {
    return *operations_.tree(kube::pods(), pod.key());
  }
  [[nodiscard]] bool is_new(const kube::Object& pod) const { return pod.label(kPodHashLabel) == hash_; }
  [[nodiscard]] std::map<std::string, NodeFit> node_fits() const {
    std::map<std::string, NodeFit> fits;
    for (const auto& [key, entry] : operations_.world.store.all(operations_.kind(kube::nodes()))) {
      fits.emplace(key.name, fit(*template_.find("spec"), entry.stored().tree));
    }
    return fits;
  }

  bool is_available(const kube::Object& pod) {
    auto wait = until_available(operations_.world, tree_of(pod), tree_.integer_at({"spec", "minReadySeconds"}));
    if (wait > async::Duration::zero()) again_ = earlier(again_, operations_.world.controller_clock.now() + *wait);
    return wait == async::Duration::zero();
  }

  void annotate(std::int64_t generation) {
    constexpr const char* kGeneration = "deprecated.daemonset.template.generation";
    auto text = std::to_string(generation);
    if (tree_.text_at({"metadata", "annotations", kGeneration}) == text) return;
    auto next = tree_;
    next["metadata"]["annotations"][kGeneration] = text;
    operations_.write(kube::daemon_sets(), set_.key(), std::move(next));
  }

  // One pod on each node that fits, none on other nodes; failed pods are deleted.
  void place() {
    auto found = pods();
    auto fits = node_fits();
    for (const auto& [node, on_node] : found) {
      if (!fits.contains(node)) remove(on_node);
    }
    for (const auto& [node, fits_as] : fits) {
      auto on_node = found[node];
      if (fits_as == NodeFit::kNever) remove(on_node);
      if (fits_as == NodeFit::kNever) continue;
      bool has_failed = false;
      std::erase_if(on_node, [&](const kube::Object& pod) {
        if (!is_done(tree_of(pod))) return false;
        remove_owned(operations_, kube::daemon_sets(), set_, pod.key());
        return has_failed = true;
      });
      const bool waits = has_failed || is_leaving(node);
      if (on_node.empty() && fits_as == NodeFit::kRuns && !waits) create(node);
      if (on_node.size() > 1) thin_out(std::move(on_node));
    }
  }

  // Whether the previous pod is still being deleted.
  [[nodiscard]] bool is_leaving(const std::string& node) const {
    auto owned = operations_.owned(kube::pods(), set_);
    return std::ranges::any_of(
        owned, [&](const kube::Object& pod) { return pod.deleting() && node_of(tree_of(pod)) == node; });
  }

  // Retains the oldest pod; during a surge the oldest of each revision, until the new one is available.
  void thin_out(std::vector<kube::Object> on_node) {
    const kube::Object* newer = nullptr;
    const kube::Object* older = nullptr;
    for (const auto& pod : on_node) {
      auto*& slot = is_new(pod) ? newer : older;
      if (slot == nullptr) {
        slot = &pod;
      } else {
        remove_owned(operations_, kube::daemon_sets(), set_, pod.key());
      }
    }
    if (newer == nullptr || older == nullptr) return;
    if (surge(1) == 0) {
      remove_owned(operations_, kube::daemon_sets(), set_, newer->key());
    } else if (!is_ready(tree_of(*older)) || is_available(*newer)) {
      remove_owned(operations_, kube::daemon_sets(), set_, older->key());
    }
  }

  void roll() {
    auto found = pods();
    std::int64_t desired = 0;
    std::int64_t unavailable = 0;
    std::int64_t surging = 0;
    std::vector<const kube::Object*> broken;
    std::vector<const kube::Object*> candidates;
    for (const auto& [node, fits_as] : node_fits()) {
      if (fits_as != NodeFit::kRuns) continue;
      ++desired;
      const auto& on_node = found[node];
      if (on_node.size() > 1) ++surging;
      if (on_node.size() != 1) ++unavailable;
      if (on_node.size() != 1) continue;
      const auto& pod = on_node.front();
      const bool works = is_available(pod);
      if (!works) ++unavailable;
      if (!is_new(pod)) (works ? candidates : broken).push_back(&pod);
    }
    auto most_surging = surge(desired);
    if (most_surging > 0) return replace_by_surge(broken, candidates, most_surging - surging);
    auto share = std::min(desired, share_of(rolling("maxUnavailable"), desired, true));
    auto room = std::max<std::int64_t>(rolling("maxUnavailable") == nullptr || share == 0 ? 1 : share, 0) - unavailable;
    for (const auto* pod : broken) remove_owned(operations_, kube::daemon_sets(), set_, pod->key());
    for (const auto* pod : candidates) {
      if (room-- > 0) remove_owned(operations_, kube::daemon_sets(), set_, pod->key());
    }
  }

  void replace_by_surge(const std::vector<const kube::Object*>& broken,
                        const std::vector<const kube::Object*>& candidates, std::int64_t room) {
    for (const auto* pod : broken) create(node_of(tree_of(*pod)));
    for (const auto* pod : candidates) {
      if (room-- > 0) create(node_of(tree_of(*pod)));
    }
  }

  [[nodiscard]] const Tree* rolling(std::string_view name) const {
    return tree_.at({"spec", "updateStrategy", "rollingUpdate", name});
  }
  [[nodiscard]] std::int64_t surge(std::int64_t desired) const {
    return std::min(desired, share_of(rolling("maxSurge"), desired, true));
  }

  void create(const std::string& node) {
    auto pod = pod_of(&template_, kube::daemon_sets(), set_);
    pod["metadata"]["labels"][kPodHashLabel] = hash_;
    pod["metadata"]["labels"]["pod-template-generation"] = std::to_string(generation_);
    pin(pod["spec"], node);
    create_named(operations_, kube::daemon_sets(), set_, std::string(set_.name()), std::move(pod));
  }

  void remove(const std::vector<kube::Object>& all) {
    for (const auto& pod : all) remove_owned(operations_, kube::daemon_sets(), set_, pod.key());
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
      if (is_ready(tree_of(pod))) ++ready;
      if (is_available(pod)) ++available;
      if (is_new(pod)) ++updated;
    }
    const Tree& set = *operations_.tree(kube::daemon_sets(), set_.key());
    auto status = status_of(set);
    status["currentNumberScheduled"] = current;
    status["numberMisscheduled"] = misscheduled;
    status["desiredNumberScheduled"] = desired;
    status["numberReady"] = ready;
    status["observedGeneration"] = set.integer_at({"metadata", "generation"});
    set_count(status, "updatedNumberScheduled", updated);
    set_count(status, "numberAvailable", available);
    set_count(status, "numberUnavailable", desired - available);
    operations_.write_status(kube::daemon_sets(), set_.key(), std::move(status));
  }

  Operations& operations_;
  const kube::Object& set_;
  const Tree tree_;
  Tree template_;  // with the tolerations that every daemon has
  std::string hash_;
  std::int64_t generation_ = 0;  // the generation of the template
  Again again_;
};

}  // namespace

Again sync_daemon_set(Operations& operations, const kube::Object& set) {
  const Tree* tree = operations.tree(kube::daemon_sets(), set.key());
  return tree == nullptr || set.deleting() ? std::nullopt : DaemonSetPass(operations, set, *tree).run();
}

}  // namespace keelson::sandbox
