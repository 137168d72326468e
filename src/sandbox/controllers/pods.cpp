#include "src/sandbox/controllers/pods.hpp"

#include <algorithm>

#include "keelson/detail/base/fnv.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::sandbox {

Tree pod_of(const Tree* pod_template, const kube::Resource& resource, const kube::Object& owner) {
  auto pod = Tree::object();
  pod["metadata"] = Tree::object();
  for (const char* name : {"labels", "annotations", "finalizers"}) {
    const Tree* value = pod_template != nullptr ? pod_template->at({"metadata", name}) : nullptr;
    if (value != nullptr) pod["metadata"][name] = *value;
  }
  pod["metadata"]["ownerReferences"] = controlled_by(resource, owner);
  const Tree* spec = pod_template != nullptr ? pod_template->find("spec") : nullptr;
  if (spec != nullptr) pod["spec"] = *spec;
  pod["status"] = Tree::object({{"phase", "Pending"}});
  return pod;
}

void create_named(Operations& operations, const kube::Resource& resource, const kube::Object& owner,
                  const std::string& prefix, Tree pod) {
  pod["metadata"]["generateName"] = prefix + "-";
  pod["metadata"]["name"] = prefix + "-" + operations.world.random_suffix();
  const auto name = pod.text_at({"metadata", "name"});
  operations.create(kube::pods(), std::string(owner.ns()), std::move(pod));
  operations.record(resource, owner, "SuccessfulCreate", "Created pod: " + name);
}

void remove_owned(Operations& operations, const kube::Resource& resource, const kube::Object& owner,
                  const kube::Key& pod) {
  operations.remove(kube::pods(), pod);
  operations.record(resource, owner, "SuccessfulDelete", "Deleted pod: " + pod.name);
}

bool is_ready(const Tree& pod) { return has_condition(pod, "Ready"); }

bool is_done(const Tree& pod) {
  auto phase = pod.text_at({"status", "phase"});
  return phase == "Succeeded" || phase == "Failed";
}

std::optional<async::Duration> until_available(const World& world, const Tree& pod, std::int64_t min_ready_seconds) {
  if (!is_ready(pod)) return std::nullopt;
  if (min_ready_seconds <= 0) return async::Duration::zero();
  auto since = kube::parse_time(condition_of(pod, "Ready")->text_at({"lastTransitionTime"}));
  if (!since) return async::Duration::zero();
  return world.left_since(*since, std::chrono::seconds(min_ready_seconds));
}

Again earlier(Again one, Again other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

std::string hash_of(std::string_view text) {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string encoded;
  for (char digit : std::to_string(base::fnv1a_32(text)))
    encoded += kLetters[static_cast<std::size_t>(digit) % kLetters.size()];
  return encoded;
}

}  // namespace keelson::sandbox
