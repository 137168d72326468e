#include "keelson/controller/definition.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "keelson/base/go_text.hpp"
#include "keelson/base/limits.hpp"
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

// By which the definition selects objects of the kind; each once.
std::vector<cache::Selection> selections_of(const Definition& definition, const kube::Resource& resource) {
  std::vector<cache::Selection> selections;
  if (resource == definition.kind().resource) selections.emplace_back();
  for (const auto& source : definition.sources()) {
    cache::Selection selection{source.options.labels, source.options.fields};
    const bool is_new = std::find(selections.begin(), selections.end(), selection) == selections.end();
    if (source.resource == resource && is_new) selections.push_back(std::move(selection));
  }
  return selections;
}

void check_pair(const Definition& first, const Definition& second) {
  const auto& one = first.kind().resource;
  const auto& other = second.kind().resource;
  const bool is_one_kind = one.group == other.group && one.kind == other.kind;
  const char* what = nullptr;
  const char* fix = nullptr;
  if (first.name() == second.name()) {
    what = "two controllers are named ";
    fix = "give one of them another name with .named(\"…\")";
  } else if (is_one_kind && first.is_defaulted() && second.is_defaulted()) {
    what = "a kind has two defaulters, the second in controller ";
    fix = "declare .defaulted_by(…) in one controller only";
  } else if (is_one_kind && first.is_validated() && second.is_validated()) {
    what = "a kind has two validators, the second in controller ";
    fix = "declare .validated_by(…) in one controller only";
  }
  if (what == nullptr) return;
  throw base::Misuse(what + second.name() + " (of " + one.qualified_plural() + " and of " + other.qualified_plural() +
                     "): " + fix);
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
  if (!found) {
    fail(" and does not declare it: add .owns(…) or .watches(…) for it to the definition");
  }
  return **found;
}

namespace {

// Only of an object that exists: any user can give an object any name and label.
std::vector<kube::Key> known_key(const kube::Resource& owner, kube::Key key, cache::Cache& cache) {
  const auto owners = cache.find(owner, cache::Selection());
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

void Context::misuse_optional_flag(std::string_view name) {
  throw base::Misuse("the flag --" + std::string(name) +
                     " has no default and was not given: read it with optional_flag<T>, or declare a default");
}

void check_definitions(const std::vector<Definition>& definitions) {
  for (std::size_t second = 1; second < definitions.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) check_pair(definitions[first], definitions[second]);
  }
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

Definition& Definition::refers_to(kube::Resource resource, cache::IndexFunction names_of) {
  const auto own = kind().resource;
  const auto index = "refers to " + resource.qualified_plural();
  const bool is_namespaced = resource.namespaced;
  own_indexes_.emplace_back(index, [names_of = std::move(names_of), is_namespaced](const kube::Object& object) {
    auto keys = names_of(object);
    for (auto& key : keys) key = kube::Key(is_namespaced ? object.ns() : std::string_view(), key).text();
    return keys;
  });
  WatchOptions options;
  options.only_digest = true;
  return watches(std::move(resource), std::move(options),
                 [own, index](const kube::Object& object, cache::Cache& cache) {
                   std::vector<kube::Key> keys;
                   const auto owners = cache.find(own, cache::Selection());
                   if (!owners) return keys;
                   for (const auto& owner : (*owners)->by_index(index, object.key().text()))
                     keys.push_back(owner.key());
                   return keys;
                 });
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
  if (options.only_digest && options.only_metadata) {
    throw base::Misuse("controller " + name_ + ": .watches(" + resource.qualified_plural() +
                       ", …) has only_digest and only_metadata: a digest needs the content, so set one of them");
  }
  sources_.push_back(Source{std::move(resource), std::move(options), std::move(map)});
  return *this;
}

Definition& Definition::brings(kube::Kind kind) {
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
  settings_.backoff_base = base;
  settings_.backoff_cap = cap;
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
