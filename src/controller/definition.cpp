#include "keelson/controller/definition.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/secure_random.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/controller/limits.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "src/controller/api_version.hpp"

namespace keelson::controller {

namespace {

// Compares group and kind, as controller-runtime does, and not the version and the uid of a reference, so that a
// reference with an older version of the kind still counts.
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

// The distinct selections with which the definition watches the kind. Watches of digests are left out: Pass::digest
// reads them from the informer without selectors.
std::vector<cache::Selection> selections_of(const Definition& definition, const kube::Resource& resource) {
  std::vector<cache::Selection> selections;
  // The framework reads the informer of the own kind, even if the author watches the kind with other selectors too.
  if (resource == definition.resource()) {
    return {{definition.parts().own_watch.labels, definition.parts().own_watch.fields}};
  }
  for (const auto& source : definition.parts().sources) {
    cache::Selection selection{source.options.labels, source.options.fields};
    const bool is_new = std::ranges::find(selections, selection) == selections.end();
    const bool is_digest = std::holds_alternative<cache::OnlyDigest>(source.options.content);
    if (source.resource == resource && is_new && !is_digest) selections.push_back(std::move(selection));
  }
  return selections;
}

void check_pair(const Definition& first, const Definition& second) {
  const auto& one = first.resource();
  const auto& other = second.resource();
  const bool is_selected_alike = first.parts().own_watch.labels == second.parts().own_watch.labels &&
                                 first.parts().own_watch.fields == second.parts().own_watch.fields;
  if (one == other && !is_selected_alike && (first.parts().has_references || second.parts().has_references)) {
    throw base::Misuse("the controllers " + first.name() + " and " + second.name() + " of " + one.qualified_plural() +
                       " select different objects, and one of them uses .refers_to: give both the same .selects(…)");
  }
  if (first.name() != second.name()) return;
  throw base::Misuse("two controllers are named " + second.name() + " (of " + one.qualified_plural() + " and of " +
                     other.qualified_plural() + "): give one of them another name with .named(\"…\")");
}

}  // namespace

cache::Informer& Context::informer(const kube::Resource& resource) const {
  const auto selections =
      definition == nullptr ? std::vector<cache::Selection>() : selections_of(*definition, resource);
  const auto fail = [&](const char* why) {
    const auto name = definition == nullptr ? "a webhook" : "controller " + definition->name();
    throw base::Misuse(name + " reads " + resource.qualified_plural() + why);
  };
  if (selections.size() > 1) {
    fail(
        " and declares it with several selectors: read context.cache.find(resource, selection), or declare it with "
        "one");
  }
  auto found = cache.find(resource, selections.empty() ? std::nullopt : std::optional(selections.front()));
  if (!found && definition == nullptr) fail((": " + found.error().text).c_str());
  if (!found) {
    fail(" and does not declare it: add .owns<…>(), .watches<…>(map) or .also_reads<…>() for it to the definition");
  }
  return **found;
}

namespace {

// The informer of a controller's own kind: the one without selectors, or else the only one.
Result<cache::Informer*> owners_in(cache::Cache& cache, const kube::Resource& owner) {
  auto found = cache.find(owner, cache::Selection());
  return found ? found : cache.find(owner);
}

// Returns the key only if its object exists: any user can give an object any name and label.
std::vector<kube::Key> known_key(const kube::Resource& owner, kube::Key key, cache::Cache& cache) {
  const auto owners = owners_in(cache, owner);
  if (key.name.empty() || !owners || !(*owners)->get(key)) return {};
  return {std::move(key)};
}

}  // namespace

MapFunction map_by_label(kube::Resource owner, std::string label) {
  return [owner = std::move(owner), label = std::move(label)](const kube::Object& object, cache::Cache& cache) {
    const auto ns = owner.namespaced ? object.ns() : std::string_view();
    return known_key(owner, {ns, object.label(label).value_or("")}, cache);
  };
}

net::UrlClient& Context::http() const {
  if (url_client == nullptr) {
    throw base::Misuse(
        "this Context has no HTTP client: set Context::url_client, or run the controller in a "
        "sandbox::SimulatedCluster");
  }
  return *url_client;
}

std::string Context::secure_random_text(std::size_t length) const {
  return entropy ? base::random_text(length, entropy) : base::secure_random_text(length);
}

MapFunction Definition::map_to_nothing() {
  return [](const kube::Object&, cache::Cache&) { return std::vector<kube::Key>(); };
}

void Context::misuse_optional_flag(std::string_view name) {
  throw base::Misuse("the flag --" + std::string(name) +
                     " has no default and was not given: read it with optional_flag<T>, or declare a default");
}

void check_definitions(const std::vector<Definition>& definitions) {
  for (std::size_t second = 1; second < definitions.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) check_pair(definitions[first], definitions[second]);
  }
  webhook::check_webhooks(webhooks_of(definitions));
}

std::vector<kube::Kind> kinds_of(const std::vector<Definition>& definitions) {
  std::vector<kube::Kind> kinds;
  for (const auto& definition : definitions) {
    for (const auto& kind : definition.parts().kinds) {
      const auto is_same = [&](const kube::Kind& other) { return other.resource == kind.resource; };
      if (std::ranges::none_of(kinds, is_same)) kinds.push_back(kind);
    }
  }
  return kinds;
}

Definition& Definition::refers_to(kube::Resource resource, const std::string& function, cache::IndexFunction names_of) {
  if (!parts_->resource.namespaced && resource.namespaced) {
    throw base::Misuse("controller " + parts_->name + ": .refers_to names " + resource.qualified_plural() +
                       " in the namespace of an object, and " + parts_->resource.qualified_plural() +
                       " are in none: use .watches<…>(map) and Pass::get_live");
  }
  parts_->has_references = true;
  const auto own = parts_->resource;
  const auto index = "refers to " + resource.qualified_plural() + " by " + function;
  const bool is_namespaced = resource.namespaced;
  parts_->own_watch.indexes.emplace_back(
      index, [names_of = std::move(names_of), is_namespaced](const kube::Object& object) {
        auto keys = names_of(object);
        for (auto& key : keys) key = kube::Key(is_namespaced ? object.ns() : std::string_view(), key).text();
        return keys;
      });
  WatchOptions options;
  options.content = cache::OnlyDigest{};
  return watches(std::move(resource), std::move(options),
                 [own, index](const kube::Object& object, cache::Cache& cache) {
                   std::vector<kube::Key> keys;
                   const auto owners = owners_in(cache, own);
                   if (!owners) return keys;
                   for (const auto& owner : (*owners)->by_index(index, object.key().text())) {
                     keys.push_back(owner.key());
                   }
                   return keys;
                 });
}

namespace {

bool is_whole(const cache::CachedContent& content) {
  const auto* projection = std::get_if<json::Projection>(&content);
  return projection != nullptr && projection->covers({});
}

// The content that has no paths; empty if it has some.
std::string content_without_paths(const cache::CachedContent& content) {
  if (std::holds_alternative<cache::OnlyDigest>(content)) return "OnlyDigest";
  return std::holds_alternative<cache::OnlyMetadata>(content) ? "OnlyMetadata" : "";
}

// A partial struct is cached without its other fields, unless the options have a content.
void fit(WatchOptions& options, json::Projection (*projection)()) {
  if (projection != nullptr && is_whole(options.content)) options.content = projection();
}

}  // namespace

Definition define(kube::Kind kind) { return Definition(std::move(kind)); }
Definition define(kube::Resource existing) { return Definition(std::move(existing)); }

Definition::Definition(kube::Kind kind) : Definition(kind.resource) {
  parts_->is_of_existing_kind = false;
  parts_->kinds.push_back(std::move(kind));
}

Definition::Definition(kube::Resource existing)
    : parts_(std::make_unique<DefinitionParts>(
          DefinitionParts{.resource = std::move(existing), .is_of_existing_kind = true})) {
  parts_->name = base::to_lower(parts_->resource.kind);
}

Definition::Definition(const Definition& other) : parts_(std::make_unique<DefinitionParts>(*other.parts_)) {}
Definition& Definition::operator=(const Definition& other) { return *this = Definition(other); }
Definition::Definition(Definition&&) noexcept = default;
Definition& Definition::operator=(Definition&&) noexcept = default;
Definition::~Definition() = default;

const std::string& Definition::name() const { return parts_->name; }
const kube::Resource& Definition::resource() const { return parts_->resource; }

Definition& Definition::with_event_filter(Predicate predicate) {
  parts_->own_watch.predicates.push_back(std::move(predicate));
  return *this;
}

Definition& Definition::selects(WatchOptions options) {
  const auto missing = content_without_paths(options.content);
  if (missing == "OnlyDigest" || (missing == "OnlyMetadata" && !parts_->is_of_existing_kind)) {
    throw base::Misuse("controller " + parts_->name +
                       ": .selects(…) leaves out the spec that its reconciler reads: remove " + missing);
  }
  if (options.only_compares_generations) {
    throw base::Misuse("controller " + parts_->name +
                       ": .selects(…) drops new generations, which status.observedGeneration must follow: remove "
                       "only_compares_generations");
  }
  if (!parts_->own_watch.labels.empty() || !parts_->own_watch.fields.empty() ||
      !content_without_paths(parts_->own_watch.content).empty()) {
    throw base::Misuse("controller " + parts_->name + ": .selects(…) is called twice: put all options into one call");
  }
  const auto append = [](auto& to, auto& from) { to.insert(to.begin(), from.begin(), from.end()); };
  if (is_whole(options.content)) options.content = parts_->own_watch.content;
  append(options.predicates, parts_->own_watch.predicates);
  append(options.indexes, parts_->own_watch.indexes);
  append(options.label_indexes, parts_->own_watch.label_indexes);
  parts_->own_watch = std::move(options);
  return *this;
}

void Definition::check_owned(const kube::Resource& resource, const WatchOptions& options) const {
  const auto missing = content_without_paths(options.content);
  if (missing.empty()) return;
  throw base::Misuse("controller " + parts_->name + ": .owns<…>(" + resource.qualified_plural() +
                     ") leaves out the fields that apply compares: remove " + missing);
}

Definition& Definition::owns(kube::Resource resource, WatchOptions options) {
  parts_->owns_children = true;
  watches(std::move(resource), std::move(options), to_controller_owner(parts_->resource));
  parts_->sources.back().is_owned = true;
  return *this;
}

Definition& Definition::owns_kind(const kube::Identity& identity, WatchOptions& options, Deletion deletion,
                                  MakeProjection projection) {
  auto resource = identity.resource();
  Permission permission{resource.group, resource.plural, {"create", "patch"}};
  if (deletion == Deletion::kMayDelete) permission.verbs = {"create", "delete", "patch"};
  fit(options, projection);
  check_owned(resource, options);
  return owns(std::move(resource), std::move(options)).rbac(std::move(permission));
}

Definition& Definition::watches_kind(const kube::Identity& identity, WatchOptions& options, MapFunction map,
                                     MakeProjection projection) {
  fit(options, projection);
  return watches(identity.resource(), std::move(options), std::move(map));
}

Definition& Definition::watches(kube::Resource resource, WatchOptions options, MapFunction map) {
  if (!map) {
    throw base::Misuse("controller " + parts_->name + ": .watches(" + resource.qualified_plural() +
                       ", …) needs a function that maps a changed object to keys");
  }
  parts_->sources.push_back(Source{std::move(resource), std::move(options), std::move(map)});
  return *this;
}

Definition& Definition::add_index(std::string name, cache::IndexFunction values_of) {
  parts_->own_watch.indexes.emplace_back(std::move(name), std::move(values_of));
  return *this;
}

Definition& Definition::add_flag(Flag flag) {
  parts_->flags.push_back(std::move(flag));
  return *this;
}

Definition& Definition::also_defines(kube::Kind kind) {
  parts_->kinds.push_back(std::move(kind));
  return *this;
}

Definition& Definition::named(std::string name) {
  const auto is_lower = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const auto is_inner = [&](char c) { return is_lower(c) || c == '-' || c == '.'; };
  if (name.empty() || !is_lower(name.front()) || !std::ranges::all_of(name, is_inner)) {
    throw base::Misuse(
        "controller " + parts_->name + ": .named(" + base::quote_go(name) +
        ") is not a valid name: use lower-case letters, digits, dashes and dots, and begin with a letter or "
        "digit, for example \"" +
        parts_->name + "-backup\"");
  }
  parts_->name = std::move(name);
  return *this;
}

Definition& Definition::max_concurrent_reconciles(int count) {
  if (count < 1 || count > limits::kConcurrentReconciles) {
    throw base::Misuse("controller " + parts_->name + ": .max_concurrent_reconciles(" + std::to_string(count) +
                       ") must be between 1 and " + std::to_string(limits::kConcurrentReconciles));
  }
  parts_->settings.max_concurrent_reconciles = count;
  return *this;
}

Definition& Definition::backoff(async::Duration base, async::Duration cap) {
  if (base <= async::Duration{0} || cap < base) {
    throw base::Misuse("controller " + parts_->name +
                       ": .backoff(base, cap) needs a base above zero and a cap that is not " +
                       "below it, for example .backoff(1s, 5min)");
  }
  parts_->settings.backoff = {base, cap};
  return *this;
}

Definition& Definition::reconcile_timeout(async::Duration limit) {
  if (limit <= async::Duration{0}) {
    throw base::Misuse("controller " + parts_->name +
                       ": .reconcile_timeout(limit) needs a limit above zero, for example " +
                       ".reconcile_timeout(30s)");
  }
  parts_->settings.reconcile_timeout = limit;
  return *this;
}

Definition& Definition::without_leader_election() {
  parts_->settings.needs_leader_election = false;
  return *this;
}

Definition& Definition::channel(Channel channel) {
  parts_->channels.push_back(std::move(channel));
  return *this;
}

Definition& Definition::rbac(Permission permission) {
  parts_->permissions.push_back(std::move(permission));
  return *this;
}

Definition& Definition::adds_finalizer(std::string name) {
  // The API server rejects every object with such a finalizer.
  if (name.find('/') == std::string::npos || !kube::detail::is_qualified_name(name)) {
    throw base::Misuse("controller " + parts_->name + ": the finalizer " + base::quote_go(name) +
                       " is not a qualified name: write a domain of your own, a slash and a name, for example "
                       "\"example.com/archive\"");
  }
  parts_->finalizers.push_back(std::move(name));
  return *this;
}

Definition& Definition::reconcile_on_clock_jump() {
  parts_->reconciles_on_clock_jump = true;
  return *this;
}

Definition& Definition::sets_conditions(std::vector<std::string> types) {
  parts_->conditions = std::move(types);
  return *this;
}

Definition& Definition::reconciled_by(std::function<std::unique_ptr<Reconciler>(Context&)> make) {
  parts_->make = std::move(make);
  return *this;
}

std::unique_ptr<Reconciler> make_reconciler(const Definition& definition, Context& context) {
  const auto& make = definition.parts().make;
  auto made = make ? make(context) : nullptr;
  if (!made) {
    throw base::Misuse("controller " + definition.name() +
                       " has no reconciler: call .reconciled_by(…) with a function that makes one");
  }
  return made;
}

Definition& Definition::webhook(webhook::Webhook webhook) {
  parts_->webhooks.push_back(std::move(webhook));
  return *this;
}

Definition& Definition::spec_validator(webhook::Webhook webhook) {
  parts_->spec_validators.push_back(parts_->webhooks.size());
  parts_->webhooks.push_back(std::move(webhook));
  return parts_->is_validated_on_delete ? validates_deletes() : *this;
}

Definition& Definition::validates_deletes() {
  parts_->is_validated_on_delete = true;
  for (const auto place : parts_->spec_validators) {
    webhook::add_operation(parts_->webhooks[place].options, webhook::Operation::kDelete);
  }
  return *this;
}

}  // namespace keelson::controller
