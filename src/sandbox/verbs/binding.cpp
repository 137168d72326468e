#include "src/sandbox/verbs/binding.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/controllers/operations.hpp"

namespace keelson::sandbox {

namespace {

std::string why_not_bound(const Tree& pod) {
  auto name = pod.text_at({"metadata", "name"});
  auto node = pod.text_at({"spec", "nodeName"});
  if (pod.at({"metadata", "deletionTimestamp"}) != nullptr) {
    return "pod " + name + " is being deleted, cannot be assigned to a host";
  }
  if (!node.empty()) return "pod " + name + " is already assigned to node " + base::quote_go(node);
  if (!pod.items_at({"spec", "schedulingGates"}).empty()) return "pod " + name + " has non-empty .spec.schedulingGates";
  return "";
}

}  // namespace

RejectionOr<Answer> bind(const World& world, Committer& committer, const Call& call) {
  KEELSON_LET(const auto binding, object_in(call));
  if (binding.text_at({"metadata", "name"}) != call.key.name) {
    return bad_request("name in URL does not match name in Binding object");
  }
  auto node = binding.text_at({"target", "name"});
  if (node.empty()) return rejection(500, "", "target.name: Required value");
  const auto* live = world.store.find(*call.kind, call.key);
  if (live == nullptr) return not_found(call.resource(), call.key.name);
  auto named = call.resource();
  named.plural = "pods/binding";
  if (auto why = why_not_bound(live->stored().tree); !why.empty()) return conflict(named, call.key.name, why);
  auto uid = binding.text_at({"metadata", "uid"});
  if (!uid.empty() && uid != live->object.uid()) {
    return conflict(named, call.key.name,
                    "Precondition failed: UID in precondition: " + uid +
                        ", UID in object meta: " + std::string(live->object.uid()));
  }
  auto pod = live->stored().tree;
  pod["spec"]["nodeName"] = node;
  for (const char* name : {"annotations", "labels"}) {
    for (const auto& [key, value] : binding.members_at({"metadata", name})) pod["metadata"][name][key] = value;
  }
  set_condition(pod["status"], Tree::object({{"type", "PodScheduled"}, {"status", "True"}}), world.time_text());
  KEELSON_TRY(committer.commit(call, live, std::move(pod), std::nullopt));
  return succeeded(201);
}

}  // namespace keelson::sandbox
