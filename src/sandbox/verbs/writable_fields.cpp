#include "src/sandbox/verbs/writable_fields.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "src/sandbox/verbs/scale.hpp"

namespace keelson::sandbox {

namespace {

void copy_member(const Tree& from, Tree& to, const char* name) {
  const Tree* value = from.find(name);
  if (value != nullptr) {
    to[name] = *value;
  } else {
    to.erase(name);
  }
}

// Annotations and finalizers of built-in kinds are writable through the status too, and labels of all but Deployments.
Tree isolated_status(const Call& call, Tree next, const Tree& written) {
  copy_member(written, next, "status");
  if (call.kind->is_custom) return next;
  const auto metadata = written.copy_at({"metadata"});
  for (const char* name : {"annotations", "finalizers", "labels"}) {
    if (name == std::string_view("labels") && call.resource() == kube::deployments()) continue;
    copy_member(metadata, next["metadata"], name);
  }
  return next;
}

// Returns the lists of a pod's containers that the call's subresource changes.
std::vector<const char*> container_lists(const Call& call) {
  if (call.subresource == Subresource::kResize) return {"containers", "initContainers"};
  if (call.subresource == Subresource::kEphemeralContainers) return {"ephemeralContainers"};
  return {};
}

// The members of a container that `resize` changes.
constexpr std::array kResizable{"resources", "resizePolicy"};

Tree isolated_ephemeral_containers(Tree next, const Tree& written) {
  const Tree* spec = written.find("spec");
  copy_member(spec != nullptr && spec->is_object() ? *spec : Tree::object(), next["spec"], "ephemeralContainers");
  return next;
}

bool has_same_names(const std::vector<Tree>& one, const std::vector<Tree>& two) {
  return std::ranges::equal(one, two,
                            [](const Tree& a, const Tree& b) { return a.text_at({"name"}) == b.text_at({"name"}); });
}

// A list with other names is taken as it is: the validation rejects it (pod_update.hpp).
Tree isolated_resize(const Call& call, Tree next, const Tree& written) {
  for (const char* list : container_lists(call)) {
    const Tree* resized = written.at({"spec", list});
    Tree* containers = next["spec"].find(list);
    if (resized == nullptr || !resized->is_array()) continue;
    if (containers == nullptr && resized->items().empty()) continue;
    if (containers == nullptr || !has_same_names(containers->items(), resized->items())) {
      next["spec"][list] = *resized;
      continue;
    }
    auto& had = containers->items();
    for (std::size_t i = 0; i < had.size(); ++i) {
      for (const char* name : kResizable) copy_member(resized->items()[i], had[i], name);
    }
  }
  return next;
}

// Removes all members of the containers except their names and those that `resize` changes.
Tree resized_containers(Tree containers) {
  for (auto& container : containers.items()) {
    std::erase_if(container.members(), [](const auto& member) {
      return member.first != "name" && std::ranges::find(kResizable, member.first) == kResizable.end();
    });
  }
  return containers;
}

Tree isolated_containers(const Call& call, const Tree& configuration) {
  auto part = Tree::object({{"apiVersion", call.resource().api_version()},
                            {"kind", call.resource().kind},
                            {"metadata", Tree::object({{"name", call.key.name}})},
                            {"spec", Tree::object()}});
  for (const char* name : container_lists(call)) {
    const Tree* list = configuration.at({"spec", name});
    if (list == nullptr || !list->is_array()) continue;
    part["spec"][name] = call.subresource == Subresource::kResize ? resized_containers(*list) : *list;
  }
  return part;
}

}  // namespace

Tree with_writable_fields(const Call& call, const Tree* live, Tree written) {
  if (call.subresource == Subresource::kStatus || call.subresource == Subresource::kApproval) {
    return isolated_status(call, *live, written);
  }
  if (call.subresource == Subresource::kScale) return rescaled(*call.kind, *live, written);
  if (call.subresource == Subresource::kEphemeralContainers) return isolated_ephemeral_containers(*live, written);
  if (call.subresource == Subresource::kResize) return isolated_resize(call, *live, written);
  if (!call.kind->has_status) return written;
  written.erase("status");
  const Tree* status = live != nullptr ? live->find("status") : nullptr;
  if (status != nullptr) written["status"] = *status;
  return written;
}

Tree applicable_fields(const Call& call, Tree configuration) {
  if (call.subresource == Subresource::kScale) return scale_configuration(call, configuration);
  if (!container_lists(call).empty()) return isolated_containers(call, configuration);
  auto& metadata = configuration["metadata"];
  for (const char* name : {"uid", "resourceVersion", "creationTimestamp", "generation"}) metadata.erase(name);
  if (call.subresource == Subresource::kStatus) {
    std::erase_if(configuration.members(), [](const auto& member) { return member.first != "status"; });
  } else if (call.kind->has_status) {
    configuration.erase("status");
  }
  return configuration;
}

}  // namespace keelson::sandbox
