#include "src/sandbox/kinds/served_kind.hpp"

#include <algorithm>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "src/sandbox/custom/custom_defaults.hpp"
#include "src/sandbox/custom/definition_check.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/custom/value_rules.hpp"
#include "src/sandbox/fields/definitions.hpp"
#include "src/sandbox/kinds/built_in_kinds.hpp"
#include "src/sandbox/kinds/version_priority.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

// The verbs of a custom kind, in the order in which the real server lists them.
constexpr const char* kCustomVerbs = "delete deletecollection get list patch create update watch";

ServedKind custom(kube::Resource resource, const Tree& schema, RuleUse rules) {
  std::shared_ptr<ValueSchema> values = compile_value_schema(schema);
  if (rules == RuleUse::kChecked) attach_rules(*values, schema);
  ServedKind kind{.resource = std::move(resource),
                  .is_custom = true,
                  .needs_version = true,
                  .verbs = words_of(kCustomVerbs),
                  .schema = schema,
                  .fields = custom_schema(schema),
                  .merges = custom_merge_type(schema),
                  .values = std::move(values)};
  if (const auto* status = kind.values->find("status")) kind.status_default = complete_default(*status);
  return kind;
}

std::string type_text(std::string_view api_version, std::string_view kind) {
  return std::string(api_version).append(" ").append(kind);
}

// The kind of a CRD, without a version.
kube::Resource defined_by(const Tree& definition) {
  return {definition.text_at({"spec", "group"}), "", "", definition.text_at({"spec", "names", "plural"})};
}

// A CRD may omit the singular; the real server's default is then visible only in its status.
KindNames names_of(const Tree& definition) {
  auto singular = definition.text_at({"spec", "names", "singular"});
  if (singular.empty()) singular = base::to_lower(definition.text_at({"spec", "names", "kind"}));
  return {std::move(singular), definition.texts_at({"spec", "names", "shortNames"}),
          definition.texts_at({"spec", "names", "categories"})};
}

Tree object_schema(const kube::Kind& kind) {
  auto properties = Tree::object();
  if (auto schema = Tree::parse(kind.spec_schema)) properties["spec"] = *schema;
  if (auto schema = Tree::parse(kind.status_schema)) properties["status"] = *schema;
  if (auto status = kube::status_default(kind)) properties["status"]["default"] = *Tree::parse(*status);
  auto schema = Tree::object({{"properties", properties}});
  // The schema requires a spec that has a required member, as the CRD does.
  const bool needs_spec = properties.find("spec") != nullptr && properties.at({"spec", "required"}) != nullptr;
  if (needs_spec) schema["required"] = Tree::array({Tree("spec")});
  return schema;
}

// The API server's warning for a deprecated version without a deprecationWarning: it recommends the best version that
// is not deprecated.
std::string default_deprecation(const Tree& definition, const std::string& version) {
  auto name_of = [&definition](const std::string& of) {
    return definition.text_at({"spec", "group"}) + "/" + of + " " + definition.text_at({"spec", "names", "kind"});
  };
  std::string better;
  for (const auto& other : definition.at({"spec", "versions"})->items()) {
    auto name = other.text_at({"name"});
    bool is_usable = other.is_true_at({"served"}) && !other.is_true_at({"deprecated"}) && has_priority(name, version);
    if (is_usable && (better.empty() || has_priority(name, better))) better = name;
  }
  return name_of(version) + " is deprecated" + (better.empty() ? "" : "; use " + name_of(better));
}

}  // namespace

Kinds::Kinds() {
  for (auto& kind : built_in_kinds()) append(std::move(kind));
}

ServedKind& Kinds::append(ServedKind kind) {
  auto& added = kinds_.emplace_back(std::move(kind));
  by_plural_[added.resource.plural].push_back(&added);
  by_type_[type_text(added.resource.api_version(), added.resource.kind)].push_back(&added);
  return added;
}

void Kinds::add(ServedKind kind) {
  auto same =
      std::ranges::find_if(kinds_, [&kind](const ServedKind& other) { return other.resource == kind.resource; });
  if (same != kinds_.end()) {
    // A CRD does not replace a built-in kind.
    if (same->is_custom || !kind.is_custom) *same = std::move(kind);
  } else {
    append(std::move(kind));
  }
}

void Kinds::add_definition(const Tree& definition) {
  stop_serving(definition);
  for (const auto& version : definition.items_at({"spec", "versions"})) {
    kube::Resource resource(
        definition.text_at({"spec", "group"}), version.text_at({"name"}), definition.text_at({"spec", "names", "kind"}),
        definition.text_at({"spec", "names", "plural"}), definition.text_at({"spec", "scope"}) != "Cluster");
    const Tree* schema = version.at({"schema", "openAPIV3Schema"});
    auto kind =
        custom(resource, schema != nullptr ? *schema : Tree(), ignores_rules_ ? RuleUse::kIgnored : RuleUse::kChecked);
    kind.names = names_of(definition);
    if (const Tree* columns = version.find("additionalPrinterColumns")) kind.printer_columns = *columns;
    for (const auto& field : version.items_at({"selectableFields"})) {
      auto path = field.text_at({"jsonPath"});
      kind.selectable_fields.insert(path.substr(path.starts_with('.') ? 1 : 0));
    }
    if (version.is_true_at({"deprecated"})) {
      kind.deprecation = version.text_at({"deprecationWarning"});
      if (kind.deprecation.empty()) kind.deprecation = default_deprecation(definition, resource.version);
    }
    kind.has_status = version.at({"subresources", "status"}) != nullptr;
    if (const Tree* scale = version.at({"subresources", "scale"})) {
      kind.has_scale = true;
      kind.scale = {scale->text_at({"specReplicasPath"}), scale->text_at({"statusReplicasPath"}),
                    scale->text_at({"labelSelectorPath"})};
    }
    list_subresources(kind);
    kind.is_served = version.find("served") == nullptr || version.is_true_at({"served"});
    add(std::move(kind));
  }
  link_versions(definition);
}

std::vector<ServedKind*> Kinds::versions_of(const kube::Resource& resource) {
  std::vector<ServedKind*> versions;
  for (auto* kind : by_plural_[resource.plural]) {
    if (kind->is_custom && kind->resource.group == resource.group) versions.push_back(kind);
  }
  return versions;
}

void Kinds::link_versions(const Tree& definition) {
  const auto any = defined_by(definition);
  auto conversion = std::make_shared<Conversion>();
  conversion->has_webhook = definition.text_at({"spec", "conversion", "strategy"}) == "Webhook";
  if (const Tree* config = definition.at({"spec", "conversion", "webhook", "clientConfig"})) {
    conversion->client_config = *config;
  }
  conversion->review_versions = definition.texts_at({"spec", "conversion", "webhook", "conversionReviewVersions"});
  for (const auto& version : definition.items_at({"spec", "versions"})) {
    const auto name = version.text_at({"name"});
    if (version.find("served") == nullptr || version.is_true_at({"served"})) conversion->versions.push_back(name);
    if (version.is_true_at({"storage"})) conversion->storage_version = any.group + "/" + name;
  }
  auto versions = versions_of(any);
  auto& home = homes_[any.qualified_plural()];
  for (auto* version : versions) {
    if (home == nullptr && version->resource.api_version() == conversion->storage_version) home = version;
  }
  if (versions.size() < 2 || home == nullptr) return;
  for (auto* version : versions) {
    version->stored_as = version == home ? nullptr : home;
    version->conversion = conversion;
  }
}

void Kinds::keep_under(const ServedKind& home) {
  homes_[home.resource.qualified_plural()] = &home;
  for (auto* version : versions_of(home.resource)) version->stored_as = version == &home ? nullptr : &home;
}

void Kinds::remove_definition(const Tree& definition) {
  stop_serving(definition);
  const auto any = defined_by(definition);
  homes_.erase(any.qualified_plural());
  for (auto* version : versions_of(any)) {
    version->stored_as = nullptr;
    version->conversion = nullptr;
    // The kind itself remains, because references to it exist; these are most of its memory.
    version->schema = Tree();
    version->fields = nullptr;
    version->values = nullptr;
    version->printer_columns = Tree();
    version->selectable_fields.clear();
  }
}

void Kinds::stop_serving(const Tree& definition) {
  for (auto* kind : versions_of(defined_by(definition))) kind->is_served = false;
}

const ServedKind& Kinds::hide(kube::Resource resource) {
  for (auto* kind : by_plural_[resource.plural]) {
    if (kind->resource.group == resource.group && kind->resource.version == resource.version) return *kind;
  }
  auto hidden = custom(std::move(resource), Tree(), RuleUse::kIgnored);
  hidden.is_served = false;
  auto& kind = append(std::move(hidden));
  auto& home = homes_[kind.resource.qualified_plural()];
  kind.stored_as = home;
  if (home == nullptr) home = &kind;
  return kind;
}

const ServedKind* Kinds::find(const kube::Resource& resource) const {
  auto named = by_plural_.find(resource.plural);
  if (named == by_plural_.end()) return nullptr;
  auto found = std::ranges::find_if(named->second, [&resource](const ServedKind* kind) {
    return kind->is_served && kind->resource.group == resource.group && kind->resource.version == resource.version;
  });
  return found == named->second.end() ? nullptr : *found;
}

const ServedKind* Kinds::find(std::string_view api_version, std::string_view kind) const {
  const auto named = by_type_.find(type_text(api_version, kind));
  if (named == by_type_.end()) return nullptr;
  const auto found = std::ranges::find_if(named->second, &ServedKind::is_served);
  return found == named->second.end() ? nullptr : *found;
}

std::vector<const ServedKind*> Kinds::of_version(const std::string& group, const std::string& version) const {
  std::vector<const ServedKind*> found;
  for (const auto& kind : kinds_) {
    const bool fits = kind.resource.group == group && kind.resource.version == version;
    if (fits && kind.is_served) found.push_back(&kind);
  }
  std::ranges::sort(found, [](const auto* a, const auto* b) { return a->resource.plural < b->resource.plural; });
  return found;
}

std::vector<ServedGroup> Kinds::groups() const {
  std::vector<ServedGroup> groups;
  std::size_t built_in = 0;
  for (const auto& kind : kinds_) {
    if (!kind.is_served) continue;
    auto group = std::ranges::find_if(groups, [&kind](const ServedGroup& g) { return g.name == kind.resource.group; });
    if (group == groups.end()) group = groups.insert(groups.end(), ServedGroup{kind.resource.group, {}});
    if (!kind.is_custom) built_in = groups.size();
    auto& versions = group->versions;
    if (std::ranges::find(versions, kind.resource.version) == versions.end()) {
      versions.push_back(kind.resource.version);
    }
  }
  for (auto& group : groups) std::ranges::sort(group.versions, has_priority);
  std::sort(groups.begin() + static_cast<std::ptrdiff_t>(built_in), groups.end(),
            [](const ServedGroup& a, const ServedGroup& b) { return a.name < b.name; });
  return groups;
}

bool Kinds::serves(const std::string& group, const std::string& version) const {
  return std::ranges::any_of(kinds_, [&](const ServedKind& kind) {
    return kind.is_served && kind.resource.group == group && kind.resource.version == version;
  });
}

void list_subresources(ServedKind& kind) {
  const std::vector<std::string> verbs{"get", "patch", "update"};
  if (kind.has_status) kind.subresources.push_back({Subresource::kStatus, "", "", kind.resource.kind, verbs});
  if (kind.has_scale) kind.subresources.push_back({Subresource::kScale, "autoscaling", "v1", "Scale", verbs});
}

const MergeType& ServedKind::merge_type() const {
  if (merges) return *merges;
  return built_in_merge_type(definition_name(resource.group, resource.version, resource.kind));
}

bool ServedKind::allows(const std::string& verb) const { return contains(verbs, verb); }

ServedKind custom_kind(const kube::Kind& kind) {
  auto served = custom(kind.resource, object_schema(kind), RuleUse::kChecked);
  if (kind.spec_schema.empty()) {  // not described: every field is allowed
    served.fields = nullptr;
    served.values = nullptr;
  }
  served.has_status = !kind.status_schema.empty();
  served.has_scale = kind.has_scale;
  served.scale = kind.scale;
  served.names = {kind.singular, kind.short_names, kind.categories};
  served.printer_columns = Tree::array();
  for (const auto& column : kind.columns) {
    auto shown = Tree::object({{"name", column.name}, {"type", column.type}, {"jsonPath", column.json_path}});
    if (!column.description.empty()) shown["description"] = Tree(column.description);
    if (!column.format.empty()) shown["format"] = Tree(column.format);
    if (column.priority != 0) shown["priority"] = Tree(std::int64_t{column.priority});
    served.printer_columns.items().push_back(std::move(shown));
  }
  for (const auto& path : kind.selectable_fields) {
    served.selectable_fields.insert(path.substr(path.starts_with('.') ? 1 : 0));
  }
  list_subresources(served);
  return served;
}

}  // namespace keelson::sandbox
