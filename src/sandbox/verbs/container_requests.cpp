#include "src/sandbox/verbs/container_requests.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"

namespace keelson::sandbox {

namespace {

std::vector<std::string> names_of_containers(const Tree& pod) {
  std::vector<std::string> names;
  for (const char* list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (const auto& container : pod.items_at({"spec", list})) names.push_back(container.text_at({"name"}));
  }
  return names;
}

}  // namespace

Rejection reject_container_request(const World& world, const Call& call) {
  const auto* entry = world.store.find(*call.kind, call.key);
  if (entry == nullptr) return not_found(call.resource(), call.key.name);
  const auto names = names_of_containers(entry->stored().tree);
  const auto name = call.parameter("container");
  bool is_known = name.empty() || std::ranges::find(names, name) != names.end();
  if (!is_known) return bad_request("container " + name + " is not valid for pod " + call.key.name);
  return rejection(501, "NotImplemented",
                   "keelson-sandbox runs no containers: pod " + base::quote_go(call.key.name) + " cannot serve " +
                       base::quote_go("pods/" + subresource_name(call.subresource)));
}

}  // namespace keelson::sandbox
