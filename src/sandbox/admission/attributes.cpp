#include "src/sandbox/admission/attributes.hpp"

#include "src/sandbox/verbs/scale.hpp"

namespace keelson::sandbox {

namespace {

Tree write_options(const Call& call, bool is_create) {
  auto options =
      Tree::object({{"kind", is_create ? "CreateOptions" : "UpdateOptions"}, {"apiVersion", "meta.k8s.io/v1"}});
  if (call.is_dry_run()) options["dryRun"] = Tree::array({"All"});
  for (const char* name : {"fieldManager", "fieldValidation"}) {
    if (!call.parameter(name).empty()) options[name] = call.parameter(name);
  }
  return options;
}

Attributes addressed(const Call& call) {
  Attributes attributes;
  attributes.resource = call.resource();
  attributes.subresource = subresource_name(call.subresource);
  attributes.object_kind = call.resource();
  attributes.ns = call.key.ns;
  // Requests about a namespace itself belong to that namespace.
  if (call.resource().group.empty() && call.resource().plural == "namespaces") attributes.ns = call.key.name;
  attributes.name = call.key.name;
  attributes.is_dry_run = call.is_dry_run();
  attributes.user = call.user;
  return attributes;
}

Tree with_managers(Tree object, const Managers& managers) {
  if (!managers.empty()) object["metadata"]["managedFields"] = managed_fields(managers);
  return object;
}

}  // namespace

Attributes attributes_of(const Call& call, const Store::Entry* live, const Tree& after, const Managers& managers) {
  auto attributes = addressed(call);
  attributes.operation = live == nullptr ? "CREATE" : "UPDATE";
  attributes.options = write_options(call, live == nullptr);
  if (call.subresource == Subresource::kScale) {
    attributes.object_kind = kube::Resource("autoscaling", "v1", "Scale", "", true);
    attributes.object = scale_of(*call.kind, after);
    attributes.old_object = scale_of(*call.kind, live->stored().tree);
    return attributes;
  }
  attributes.object = with_managers(after, managers);
  if (live != nullptr) attributes.old_object = with_managers(live->stored().tree, live->stored().managers);
  return attributes;
}

Attributes deletion_attributes(const Call& call, const Store::Entry& live, const Tree& options) {
  auto attributes = addressed(call);
  attributes.operation = "DELETE";
  attributes.old_object = with_managers(live.stored().tree, live.stored().managers);
  attributes.options = Tree::object({{"kind", "DeleteOptions"}, {"apiVersion", "meta.k8s.io/v1"}});
  for (const auto& [name, value] : options.members()) {
    if (name != "kind" && name != "apiVersion") attributes.options[name] = value;
  }
  attributes.is_dry_run = is_dry_run(options);
  return attributes;
}

Attributes eviction_attributes(const Call& call, const Tree& eviction) {
  auto attributes = addressed(call);
  attributes.operation = "CREATE";
  attributes.object_kind = kube::Resource("policy", "v1", "Eviction", "", true);
  attributes.object = eviction;
  attributes.object.set_default("apiVersion", "policy/v1");
  attributes.object.set_default("kind", "Eviction");
  attributes.options = write_options(call, true);
  return attributes;
}

}  // namespace keelson::sandbox
