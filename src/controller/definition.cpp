#include "keelson/controller/definition.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "keelson/base/misuse.hpp"
#include "keelson/base/text.hpp"
#include "src/controller/api_version.hpp"

namespace keelson::controller {

namespace {

// By group and kind, as controller-runtime does: the version and the uid of a reference are not looked at, so that
// a reference written with an older version of the kind still counts.
MapFunction to_controller_owner(const kube::Resource& owner) {
  return [owner](const kube::Object& changed, cache::Cache&) {
    std::vector<kube::Key> keys;
    auto reference = changed.controller_owner();
    if (reference && reference->kind == owner.kind && group_of(reference->api_version) == owner.group) {
      keys.emplace_back(owner.namespaced ? changed.ns() : std::string_view(), reference->name);
    }
    return keys;
  };
}

// By which the definition selects objects of the kind; none: it does not say, or says more than one thing.
std::optional<kube::Selector> selector_of(const Definition& definition, const kube::Resource& resource) {
  std::vector<kube::Selector> selectors;
  if (resource == definition.kind().resource) selectors.emplace_back();
  for (const auto& source : definition.sources()) {
    if (source.resource == resource) selectors.push_back(source.options.labels);
  }
  const bool is_one = !selectors.empty() && std::count(selectors.begin(), selectors.end(), selectors.front()) ==
                                                static_cast<std::ptrdiff_t>(selectors.size());
  return is_one ? std::optional(selectors.front()) : std::nullopt;
}

}  // namespace

cache::Informer& Context::informer(const kube::Resource& resource) const {
  auto found = cache.find(resource, definition == nullptr ? std::nullopt : selector_of(*definition, resource));
  if (!found) {
    const auto name = definition == nullptr ? "a webhook" : "controller " + definition->name();
    throw base::Misuse(name + " reads " + resource.qualified_plural() +
                       " and does not declare it: add .owns(…) or .watches(…) for it to the definition");
  }
  return **found;
}

namespace {

// Only of an object that exists: any user can give an object any name and label.
std::vector<kube::Key> known_key(const kube::Resource& owner, kube::Key key, cache::Cache& cache) {
  const auto owners = cache.find(owner);
  if (key.name.empty() || !owners || !(*owners)->get(key)) return {};
  return {std::move(key)};
}

}  // namespace

MapFunction map_by_name(kube::Resource owner, std::function<std::string(std::string_view)> name_of) {
  return [owner = std::move(owner), name_of = std::move(name_of)](const kube::Object& object, cache::Cache& cache) {
    const auto ns = owner.namespaced ? object.ns() : std::string_view();
    return known_key(owner, {ns, name_of ? name_of(object.name()) : std::string(object.name())}, cache);
  };
}

MapFunction map_by_label(kube::Resource owner, std::string label) {
  return [owner = std::move(owner), label = std::move(label)](const kube::Object& object, cache::Cache& cache) {
    const auto ns = owner.namespaced ? object.ns() : std::string_view();
    return known_key(owner, {ns, object.label(label).value_or("")}, cache);
  };
}

Definition define(kube::Kind kind) { return Definition(std::move(kind)); }

Definition::Definition(kube::Kind kind) : name_(base::to_lower(kind.resource.kind)) {
  kinds_.push_back(std::move(kind));
}

Definition& Definition::filtered_by(Predicate predicate) {
  predicates_.push_back(std::move(predicate));
  return *this;
}

Definition& Definition::owns(kube::Resource resource, WatchOptions options) {
  return watches(std::move(resource), std::move(options), to_controller_owner(kind().resource));
}

Definition& Definition::watches(kube::Resource resource, WatchOptions options, MapFunction map) {
  if (!map) {
    throw base::Misuse("controller " + name_ + ": .watches(" + resource.qualified_plural() +
                       ", …) needs a function that maps a changed object to keys");
  }
  sources_.push_back(Source{std::move(resource), std::move(options), std::move(map)});
  return *this;
}

Definition& Definition::brings(kube::Kind kind) {
  kinds_.push_back(std::move(kind));
  return *this;
}

Definition& Definition::takes_number(std::string name, std::string help) {
  numbers_.push_back({std::move(name), std::move(help)});
  return *this;
}

Definition& Definition::needs(Permission permission) {
  permissions_.push_back(std::move(permission));
  return *this;
}

Definition& Definition::follows_wall_clock() {
  is_after_wall_clock_ = true;
  return *this;
}

Definition& Definition::reconciled_by(std::function<std::unique_ptr<Reconciler>(Context&)> make) {
  make_ = std::move(make);
  return *this;
}

std::unique_ptr<Reconciler> Definition::make(Context& context) const {
  auto made = make_ ? make_(context) : nullptr;
  if (!made) {
    throw base::Misuse("controller " + name_ +
                       " has no reconciler: call .reconciled_by(…) with a function that makes one");
  }
  return made;
}

webhook::KindWebhooks Definition::make_webhooks(Context& context) const {
  webhook::KindWebhooks webhooks;
  webhooks.resource = kind().resource;
  if (defaulting_) webhooks.defaulting = defaulting_(context);
  if (validating_) webhooks.validating = validating_(context);
  return webhooks;
}

}  // namespace keelson::controller
