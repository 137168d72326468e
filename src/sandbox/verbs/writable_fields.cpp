#include "src/sandbox/verbs/writable_fields.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "src/sandbox/verbs/scale.hpp"

namespace keelson::sandbox {

namespace {

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
  auto part = empty_configuration(call);
  part["spec"] = Tree::object();
  for (const char* name : container_lists(call)) {
    const Tree* list = configuration.at({"spec", name});
    if (list == nullptr || !list->is_array()) continue;
    part["spec"][name] = call.subresource == Subresource::kResize ? resized_containers(*list) : *list;
  }
  return part;
}

// The server records the client that requests a certificate; later, only the status changes.
Tree with_requester(const Call& call, const Tree* live, Tree request) {
  if (live != nullptr) {
    copy_member(*live, request, "spec");
    return request;
  }
  auto& spec = request["spec"];
  if (!spec.is_object()) spec = Tree::object();
  for (const char* name : {"username", "uid", "groups", "extra"}) spec.erase(name);
  const auto& user = call.user;
  spec["username"] = user.name;
  if (!user.uid.empty()) spec["uid"] = user.uid;
  if (!user.groups.empty()) spec["groups"] = text_list(user.groups);
  for (const auto& [key, values] : user.extra) spec["extra"][key] = text_list(values);
  return request;
}

}  // namespace

const kube::Resource& certificate_requests() {
  static const kube::Resource kRequests("certificates.k8s.io", "v1", "CertificateSigningRequest",
                                        "certificatesigningrequests", false);
  return kRequests;
}

Tree with_writable_fields(const Call& call, const Tree* live, Tree written) {
  if (call.subresource == Subresource::kStatus || call.subresource == Subresource::kApproval) {
    return isolated_status(call, *live, written);
  }
  if (call.subresource == Subresource::kScale) return rescaled(*call.kind, *live, written);
  if (call.subresource == Subresource::kEphemeralContainers) return isolated_ephemeral_containers(*live, written);
  if (call.subresource == Subresource::kResize) return isolated_resize(call, *live, written);
  // Only `finalize` changes the finalizers in the spec of a namespace.
  const bool is_namespace = call.resource() == kube::namespaces();
  if (is_namespace && live != nullptr && call.subresource == Subresource::kNone) {
    auto& spec = written["spec"];
    if (!spec.is_object()) spec = Tree::object();
    copy_member(live->copy_at({"spec"}), spec, "finalizers");
  }
  if (call.resource() == certificate_requests()) written = with_requester(call, live, std::move(written));
  // A kubelet creates its Node with a status.
  const bool is_new_node = live == nullptr && call.resource() == kube::nodes();
  if (!call.kind->has_status || is_new_node) return written;
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
