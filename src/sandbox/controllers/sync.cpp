#include "src/sandbox/controllers/sync.hpp"

#include <algorithm>

#include "keelson/schema/time.hpp"
#include "src/sandbox/controllers/selects.hpp"

namespace keelson::sandbox {

void Sync::claim(const kube::Resource& resource, const std::function<bool(const StoredObject&)>& selects) {
  if (object.deleting()) return;
  const auto rewrite = [&](const StoredObject& other, Tree owners) {
    auto next = other.tree;
    set_or_erase(next["metadata"], "ownerReferences", std::move(owners));
    operations.write(resource, other.object.key(), std::move(next));
  };
  for (const auto& other : owned(resource)) {
    if (other.object.deleting() || selects(other)) continue;
    auto owners = Tree::array(other.tree.items_at({"metadata", "ownerReferences"}));
    std::erase_if(owners.items(), [this](const Tree& one) { return one.text_at({"uid"}) == object.uid(); });
    rewrite(other, std::move(owners));
  }
  for (const auto& other : operations.without_controller(resource, object.ns())) {
    if (other.object.deleting() || !selects(other)) continue;
    auto owners = Tree::array(other.tree.items_at({"metadata", "ownerReferences"}));
    std::erase_if(owners.items(), [this](const Tree& one) { return one.text_at({"uid"}) == object.uid(); });
    owners.items().push_back(as_owner().items().front());
    rewrite(other, std::move(owners));
  }
}

std::function<bool(const StoredObject&)> Sync::by_selector() const {
  return [selector = tree.copy_at({"spec", "selector"})](const StoredObject& other) {
    return selects(&selector, other.object);
  };
}

Tree Sync::next_status() const {
  auto status = status_of(tree);
  status["observedGeneration"] = tree.integer_at({"metadata", "generation"});
  return status;
}

Tree Sync::pod_of(const Tree* pod_template) const {
  auto pod = Tree::object();
  pod["metadata"] = Tree::object();
  for (const char* name : {"labels", "annotations", "finalizers"}) {
    const Tree* value = pod_template != nullptr ? pod_template->at({"metadata", name}) : nullptr;
    if (value != nullptr) pod["metadata"][name] = *value;
  }
  pod["metadata"]["ownerReferences"] = as_owner();
  const Tree* spec = pod_template != nullptr ? pod_template->find("spec") : nullptr;
  if (spec != nullptr) pod["spec"] = *spec;
  pod["status"] = Tree::object({{"phase", "Pending"}});
  return pod;
}

bool Sync::create_pod(const std::string& prefix, Tree pod) {
  const auto pod_name = prefix + "-" + operations.world.random_suffix();
  pod["metadata"]["generateName"] = prefix + "-";
  pod["metadata"]["name"] = pod_name;
  if (const auto rejected = operations.create(kube::pods(), std::string(object.ns()), std::move(pod))) {
    reject_pod(*rejected, "Error creating: ");
    return false;
  }
  record("SuccessfulCreate", "Created pod: " + pod_name);
  return true;
}

void Sync::reject_pod(const Rejection& rejected, const std::string& event_prefix) {
  const auto& causes = rejected.status.items_at({"details", "causes"});
  const bool is_terminating = std::ranges::any_of(
      causes, [](const Tree& cause) { return cause.text_at({"reason"}) == "NamespaceTerminating"; });
  if (is_terminating) return;
  pod_rejection_ = rejected.message();
  record("FailedCreate", event_prefix + pod_rejection_, "Warning");
  sync_after_rejection();
}

void Sync::remove_pod(const kube::Key& pod) {
  operations.remove(kube::pods(), pod);
  record("SuccessfulDelete", "Deleted pod: " + pod.name);
}

bool Sync::is_available(const Tree& pod) {
  if (!is_ready(pod)) return false;
  const auto least = std::chrono::seconds(tree.integer_at({"spec", "minReadySeconds"}));
  const auto since = kube::parse_time(condition_of(pod, "Ready")->text_at({"lastTransitionTime"}));
  if (least.count() <= 0 || !since) return true;
  const auto left = operations.world.left_since(*since, least);
  if (left > async::Duration::zero()) sync_again(operations.world.controller_clock.now() + left);
  return left == async::Duration::zero();
}

}  // namespace keelson::sandbox
