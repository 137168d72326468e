#include "src/sandbox/served_kind.hpp"

#include <algorithm>

#include "keelson/kube/crd.hpp"

namespace keelson::sandbox {

namespace {

ServedKind workload(kube::Resource resource) { return {.resource = std::move(resource)}; }

ServedKind scalable(kube::Resource resource) {
  return {.resource = std::move(resource),
          .has_scale = true,
          .scale = {".spec.replicas", ".status.replicas", ".spec.selector"}};
}

// Nothing but data: no status, no generation.
ServedKind plain(kube::Resource resource) {
  return {.resource = std::move(resource), .has_status = false, .has_generation = false};
}

ServedKind without_generation(kube::Resource resource) {
  return {.resource = std::move(resource), .has_generation = false};
}

ServedKind custom(kube::Resource resource, const Tree& schema) {
  ServedKind kind{.resource = std::move(resource),
                  .rules = ListRules::from_schema(schema),
                  .is_custom = true,
                  .needs_version = true};
  if (const Tree* value = schema.at({"properties", "status", "default"})) kind.status_default = *value;
  return kind;
}

Tree object_schema(const kube::Kind& kind) {
  auto properties = Tree::object();
  if (auto schema = Tree::parse(kind.spec_schema)) properties["spec"] = *schema;
  if (auto schema = Tree::parse(kind.status_schema)) properties["status"] = *schema;
  if (auto status = kube::status_default(kind)) properties["status"]["default"] = *Tree::parse(*status);
  return Tree::object({{"properties", properties}});
}

}  // namespace

Kinds::Kinds() {
  auto job = workload(kube::jobs());
  job.orphans_by_default = true;
  auto lease = plain(kube::leases());
  lease.needs_version = true;
  for (auto& kind : {without_generation({"", "v1", "Namespace", "namespaces", false}), workload(kube::pods()),
                     without_generation(kube::services()), plain(kube::config_maps()), plain(kube::secrets()),
                     plain({"", "v1", "ServiceAccount", "serviceaccounts"}), scalable(kube::deployments()),
                     scalable(kube::replica_sets()), job, plain(kube::core_events()), plain(kube::events()), lease,
                     workload(kube::custom_resource_definitions())}) {
    add(kind);
  }
}

void Kinds::add(ServedKind kind) {
  auto same = std::find_if(kinds_.begin(), kinds_.end(),
                           [&kind](const ServedKind& other) { return other.resource == kind.resource; });
  if (same != kinds_.end()) {
    *same = std::move(kind);
  } else {
    kinds_.push_back(std::move(kind));
  }
}

void Kinds::add_definition(const Tree& definition) {
  const Tree* versions = definition.at({"spec", "versions"});
  for (const auto& version : versions != nullptr ? versions->items() : std::vector<Tree>()) {
    kube::Resource resource(
        definition.text_at({"spec", "group"}), version.text_at({"name"}), definition.text_at({"spec", "names", "kind"}),
        definition.text_at({"spec", "names", "plural"}), definition.text_at({"spec", "scope"}) != "Cluster");
    const Tree* schema = version.at({"schema", "openAPIV3Schema"});
    auto kind = custom(resource, schema != nullptr ? *schema : Tree());
    kind.has_status = version.at({"subresources", "status"}) != nullptr;
    if (const Tree* scale = version.at({"subresources", "scale"})) {
      kind.has_scale = true;
      kind.scale = {scale->text_at({"specReplicasPath"}), scale->text_at({"statusReplicasPath"}),
                    scale->text_at({"labelSelectorPath"})};
    }
    add(std::move(kind));
  }
}

void Kinds::remove_definition(const Tree& definition) {
  for (auto& kind : kinds_) {
    if (kind.is_custom && kind.resource.group == definition.text_at({"spec", "group"}) &&
        kind.resource.plural == definition.text_at({"spec", "names", "plural"})) {
      kind.is_served = false;
    }
  }
}

const ServedKind* Kinds::find(const kube::Resource& resource) const {
  auto found = std::find_if(kinds_.begin(), kinds_.end(), [&resource](const ServedKind& kind) {
    return kind.is_served && kind.resource.plural == resource.plural && kind.resource.group == resource.group &&
           kind.resource.version == resource.version;
  });
  return found == kinds_.end() ? nullptr : &*found;
}

std::vector<const ServedKind*> Kinds::of_version(const std::string& group, const std::string& version) const {
  std::vector<const ServedKind*> found;
  for (const auto& kind : kinds_) {
    bool fits = kind.resource.group == group && kind.resource.version == version;
    if (fits && kind.is_served) found.push_back(&kind);
  }
  return found;
}

bool Kinds::serves(const std::string& group, const std::string& version) const {
  return std::any_of(kinds_.begin(), kinds_.end(), [&](const ServedKind& kind) {
    return kind.is_served && kind.resource.group == group && kind.resource.version == version;
  });
}

ServedKind custom_kind(const kube::Kind& kind) {
  auto served = custom(kind.resource, object_schema(kind));
  served.has_status = !kind.status_schema.empty();
  served.has_scale = kind.has_scale;
  served.scale = kind.scale;
  return served;
}

}  // namespace keelson::sandbox
