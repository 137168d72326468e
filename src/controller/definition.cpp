#include "keelson/controller/definition.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/text.hpp"
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
  if (resource == definition.resource()) return {{definition.own_watch().labels, definition.own_watch().fields}};
  for (const auto& source : definition.sources()) {
    cache::Selection selection{source.options.labels, source.options.fields};
    const bool is_new = std::find(selections.begin(), selections.end(), selection) == selections.end();
    const bool is_digest = std::holds_alternative<cache::OnlyDigest>(source.options.content);
    if (source.resource == resource && is_new && !is_digest) selections.push_back(std::move(selection));
  }
  return selections;
}

void check_pair(const Definition& first, const Definition& second) {
  const auto& one = first.resource();
  const auto& other = second.resource();
  const bool is_selected_alike =
      first.own_watch().labels == second.own_watch().labels && first.own_watch().fields == second.own_watch().fields;
  if (one == other && !is_selected_alike && (first.has_references() || second.has_references())) {
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
    for (const auto& kind : definition.kinds()) {
      const auto is_same = [&](const kube::Kind& other) { return other.resource == kind.resource; };
      if (std::none_of(kinds.begin(), kinds.end(), is_same)) kinds.push_back(kind);
    }
  }
  return kinds;
}

Definition& Definition::refers_to(kube::Resource resource, const std::string& function, cache::IndexFunction names_of) {
  if (!resource_.namespaced && resource.namespaced) {
    throw base::Misuse("controller " + name_ + ": .refers_to names " + resource.qualified_plural() +
                       " in the namespace of an object, and " + resource_.qualified_plural() +
                       " are in none: use .watches<…>(map) and Pass::get_live");
  }
  has_references_ = true;
  const auto own = resource_;
  const auto index = "refers to " + resource.qualified_plural() + " by " + function;
  const bool is_namespaced = resource.namespaced;
  own_watch_.indexes.emplace_back(index, [names_of = std::move(names_of), is_namespaced](const kube::Object& object) {
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
                   for (const auto& owner : (*owners)->by_index(index, object.key().text()))
                     keys.push_back(owner.key());
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

Definition::Definition(kube::Kind kind) : resource_(kind.resource), name_(base::to_lower(kind.resource.kind)) {
  kinds_.push_back(std::move(kind));
}

Definition::Definition(kube::Resource existing)
    : resource_(std::move(existing)), is_of_existing_kind_(true), name_(base::to_lower(resource_.kind)) {}

Definition& Definition::with_event_filter(Predicate predicate) {
  own_watch_.predicates.push_back(std::move(predicate));
  return *this;
}

Definition& Definition::selects(WatchOptions options) {
  const auto missing = content_without_paths(options.content);
  if (missing == "OnlyDigest" || (missing == "OnlyMetadata" && !is_of_existing_kind_)) {
    throw base::Misuse("controller " + name_ + ": .selects(…) leaves out the spec that its reconciler reads: remove " +
                       missing);
  }
  if (options.only_compares_generations) {
    throw base::Misuse("controller " + name_ +
                       ": .selects(…) drops new generations, which status.observedGeneration must follow: remove "
                       "only_compares_generations");
  }
  if (!own_watch_.labels.empty() || !own_watch_.fields.empty() || !content_without_paths(own_watch_.content).empty()) {
    throw base::Misuse("controller " + name_ + ": .selects(…) is called twice: put all options into one call");
  }
  const auto append = [](auto& to, auto& from) { to.insert(to.begin(), from.begin(), from.end()); };
  if (is_whole(options.content)) options.content = own_watch_.content;
  append(options.predicates, own_watch_.predicates);
  append(options.indexes, own_watch_.indexes);
  append(options.label_indexes, own_watch_.label_indexes);
  own_watch_ = std::move(options);
  return *this;
}

void Definition::check_owned(const kube::Resource& resource, const WatchOptions& options) const {
  const auto missing = content_without_paths(options.content);
  if (missing.empty()) return;
  throw base::Misuse("controller " + name_ + ": .owns<…>(" + resource.qualified_plural() +
                     ") leaves out the fields that apply compares: remove " + missing);
}

Definition& Definition::owns(kube::Resource resource, WatchOptions options) {
  owns_children_ = true;
  watches(std::move(resource), std::move(options), to_controller_owner(resource_));
  sources_.back().is_owned = true;
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
    throw base::Misuse("controller " + name_ + ": .watches(" + resource.qualified_plural() +
                       ", …) needs a function that maps a changed object to keys");
  }
  sources_.push_back(Source{std::move(resource), std::move(options), std::move(map)});
  return *this;
}

Definition& Definition::also_defines(kube::Kind kind) {
  kinds_.push_back(std::move(kind));
  return *this;
}

Definition& Definition::named(std::string name) {
  const auto is_lower = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const auto is_inner = [&](char c) { return is_lower(c) || c == '-' || c == '.'; };
  if (name.empty() || !is_lower(name.front()) || !std::all_of(name.begin(), name.end(), is_inner)) {
    throw base::Misuse(
        "controller " + name_ + ": .named(" + base::quote_go(name) +
        ") is not a valid name: use lower-case letters, digits, dashes and dots, and begin with a letter or "
        "digit, for example \"" +
        name_ + "-backup\"");
  }
  name_ = std::move(name);
  return *this;
}

Definition& Definition::max_concurrent_reconciles(int count) {
  if (count < 1 || count > limits::kConcurrentReconciles) {
    throw base::Misuse("controller " + name_ + ": .max_concurrent_reconciles(" + std::to_string(count) +
                       ") must be between 1 and " + std::to_string(limits::kConcurrentReconciles));
  }
  settings_.max_concurrent_reconciles = count;
  return *this;
}

Definition& Definition::backoff(async::Duration base, async::Duration cap) {
  if (base <= async::Duration{0} || cap < base) {
    throw base::Misuse("controller " + name_ + ": .backoff(base, cap) needs a base above zero and a cap that is not " +
                       "below it, for example .backoff(1s, 5min)");
  }
  settings_.backoff = {base, cap};
  return *this;
}

Definition& Definition::reconcile_timeout(async::Duration limit) {
  if (limit <= async::Duration{0}) {
    throw base::Misuse("controller " + name_ + ": .reconcile_timeout(limit) needs a limit above zero, for example " +
                       ".reconcile_timeout(30s)");
  }
  settings_.reconcile_timeout = limit;
  return *this;
}

Definition& Definition::without_leader_election() {
  settings_.needs_leader_election = false;
  return *this;
}

Definition& Definition::channel(Channel channel) {
  channels_.push_back(std::move(channel));
  return *this;
}

Definition& Definition::rbac(Permission permission) {
  permissions_.push_back(std::move(permission));
  return *this;
}

Definition& Definition::adds_finalizer(std::string name) {
  // The API server rejects every object with such a finalizer.
  if (name.find('/') == std::string::npos || !kube::detail::is_qualified_name(name)) {
    throw base::Misuse("controller " + name_ + ": the finalizer " + base::quote_go(name) +
                       " is not a qualified name: write a domain of your own, a slash and a name, for example "
                       "\"example.com/archive\"");
  }
  finalizers_.push_back(std::move(name));
  return *this;
}

Definition& Definition::reconcile_on_clock_jump() {
  reconciles_on_clock_jump_ = true;
  return *this;
}

Definition& Definition::sets_conditions(std::vector<std::string> types) {
  conditions_ = std::move(types);
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

Definition& Definition::webhook(webhook::Webhook webhook) {
  webhooks_.push_back(std::move(webhook));
  return *this;
}

Definition& Definition::spec_validator(webhook::Webhook webhook) {
  spec_validators_.push_back(webhooks_.size());
  webhooks_.push_back(std::move(webhook));
  return is_validated_on_delete_ ? validates_deletes() : *this;
}

Definition& Definition::validates_deletes() {
  is_validated_on_delete_ = true;
  for (const auto place : spec_validators_)
    webhook::add_operation(webhooks_[place].options, webhook::Operation::kDelete);
  return *this;
}

}  // namespace keelson::controller
