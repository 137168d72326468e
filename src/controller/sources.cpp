#include "src/controller/sources.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <set>
#include <utility>

#include "keelson/detail/controller/definition_parts.hpp"
#include "src/controller/child.hpp"
#include "src/controller/reconcile_policy.hpp"

namespace keelson::controller {

namespace {

bool passes(const std::vector<Predicate>& predicates, const cache::Event& event) {
  return std::ranges::all_of(predicates, [&](const Predicate& says) { return says(event); });
}

std::string source_name(const kube::Resource& resource) {
  return "kind source: *" + resource.version + "." + resource.kind;
}

// In the order of their first occurrence. A map function may return all objects of a kind.
void remove_repeated(std::vector<kube::Key>& keys) {
  std::set<kube::Key> seen;
  std::erase_if(keys, [&seen](const kube::Key& key) { return !seen.insert(key).second; });
}

void add_paths(cache::CachedContent& content, const json::Projection& paths) {
  if (auto* projection = std::get_if<json::Projection>(&content)) *projection = projection->merged(paths);
}

// The annotation that apply_child() compares.
json::Projection applied_hash(const kube::OperatorName& name) {
  return json::Projection::of({{"metadata", "annotations", name.annotation(kHashKey)}});
}

}  // namespace

Sources::Sources(async::Clock& clock, cache::Cache& cache, const Definition& definition, queue::WorkQueue& queue,
                 const kube::OperatorName& name, std::function<void(const Panic&)> on_panic, OwnHistory history)
    : clock_(clock),
      queue_(queue),
      own_(definition.resource()),
      requests_(name),
      on_panic_(std::move(on_panic)),
      history_(history) {
  const auto& own = definition.resource();
  auto own_options = informer_options(own, definition.parts().own_watch);
  own_options.generations = cache::InformerOptions::Generations::kReconciled;
  add(own, cache.declare(std::move(own_options)),
      [this, &definition](const cache::Event& event) { on_own(definition, event); });
  for (const auto& source : definition.parts().sources) {
    auto options = informer_options(source.resource, source.options);
    options.cluster_scoped_owners = !own.namespaced;
    if (source.is_owned) add_paths(options.content, applied_hash(name));
    auto& informer = cache.declare(std::move(options));
    add(source.resource, informer, [this, &source, &cache](const cache::Event& event) {
      if (event.only_generations && source.options.only_compares_generations) return;
      const bool is_pause = source.is_owned && concerns_pause(event, requests_);
      if (!is_pause && !passes(source.options.predicates, event)) return;
      enqueue(source.resource, event, keys_of(source, event, cache), source.options.priority);
    });
  }
}

// Requests of a user pass all predicates. After a new generation the backoff of earlier failures is obsolete.
void Sources::on_own(const Definition& definition, const cache::Event& event) {
  const auto& watch = definition.parts().own_watch;
  if (event.type == cache::Event::Type::kDeleted) blocked_.forget(event.object().key());
  if (requests_reconcile(event, requests_)) request_reconcile(*event.after, watch.priority);
  if (!concerns_pause(event, requests_) && !passes(watch.predicates, event)) {
    // After a restart or failover no reconcile of the key calls await_requested(), so the request would be lost.
    if (event.type == cache::Event::Type::kAdded) await_requested(*event.after, watch.priority);
    return;
  }
  const auto key = event.object().key();
  if (is_new_generation(event)) queue_.forget(key.text());
  enqueue(definition.resource(), event, {key}, watch.priority);
}

void Sources::request_reconcile(const kube::Object& object, int priority) {
  const auto key = object.key().text();
  queue_.forget(key);
  if (time_until_requested(object, requests_, clock_.wall_now())) return await_requested(object, priority);
  queue_.add(key, {.priority = priority, .reason = "reconcile-at changed"});
}

void Sources::await_requested(const kube::Object& object, int priority) {
  const auto delay = time_until_requested(object, requests_, clock_.wall_now());
  if (delay) queue_.add_after(object.key().text(), *delay, {.priority = priority, .reason = "reconcile-at"});
}

cache::InformerOptions Sources::informer_options(const kube::Resource& resource, const WatchOptions& options) {
  cache::InformerOptions informer;
  informer.resource = resource;
  informer.labels = options.labels;
  informer.fields = options.fields;
  informer.content = options.content;
  // Objects that are only watched can be removed by a pass, which respects their pause.
  add_paths(informer.content, requests_.projection());
  if (options.only_compares_generations) informer.generations = cache::InformerOptions::Generations::kOnlyCompared;
  informer.label_indexes = options.label_indexes;
  for (const auto& [name, index] : options.indexes) informer.indexes.emplace_back(name, guarded(resource, index));
  return informer;
}

// An exception would end the informer's watch. The informer keeps the function longer than this object lives.
cache::IndexFunction Sources::guarded(const kube::Resource& resource, cache::IndexFunction index) {
  std::weak_ptr<bool> alive = alive_;
  return [this, alive, resource, index = std::move(index)](const kube::Object& object) -> std::vector<std::string> {
    try {
      return index(object);
    } catch (...) {
      if (!alive.expired()) report_panic(resource, object);
      return {};
    }
  };
}

void Sources::add(const kube::Resource& resource, cache::Informer& informer, cache::EventHandler handler) {
  if (std::ranges::find(informers_, &informer) == informers_.end()) informers_.push_back(&informer);
  if (std::ranges::find(resources_, resource) == resources_.end()) {
    resources_.push_back(resource);
    names_.push_back(source_name(resource));
  }
  const auto& subscription = subscriptions_.emplace_back(Subscription{resource, informer, std::move(handler)});
  std::weak_ptr<bool> alive = alive_;
  informer.subscribe([this, alive, &subscription](const cache::Event& event) {
    if (!alive.expired() && is_open_ && !event.unchanged) tell(subscription, event);
  });
}

void Sources::tell(const Subscription& subscription, const cache::Event& event) {
  enqueue(subscription.resource, event, blocked_.unblocked_by(subscription.resource, event), 0);
  try {
    subscription.handler(event);
  } catch (...) {
    report_panic(subscription.resource, event.object());
  }
}

// Called in the handler of the exception.
void Sources::report_panic(const kube::Resource& resource, const kube::Object& object) {
  on_panic_(Panic{source_name(resource), object.key().text(), panic_error(std::current_exception())});
}

// The first list and resyncs have a lower priority than real changes.
void Sources::enqueue(const kube::Resource& resource, const cache::Event& event, const std::vector<kube::Key>& keys,
                      int priority) {
  if (event.initial_list || event.resync) priority = queue::kLowPriority;
  // An event of the reconciled object itself needs no note.
  const bool is_noted = history_.all != nullptr && resource != own_;
  for (const auto& key : keys) {
    auto reason = reason_of(resource, event);
    if (is_noted) {
      const auto text = history_.all->texts.id_of(reason);
      history_.all->add_reason(history_.controller, key, {text, RecordedName::of(event.object().key(), key)});
    }
    queue_.add(key.text(), {.priority = priority, .reason = std::move(reason)});
  }
}

std::string reason_of(const kube::Resource& resource, const cache::Event& event) {
  if (event.resync) return resource.kind + " resync";
  switch (event.type) {
    case cache::Event::Type::kAdded:
      return resource.kind + " added";
    case cache::Event::Type::kUpdated:
      return resource.kind + " updated";
    case cache::Event::Type::kDeleted:
      return resource.kind + " deleted";
  }
  return resource.kind;
}

std::vector<kube::Key> keys_of(const Source& source, const cache::Event& event, cache::Cache& cache) {
  std::vector<kube::Key> keys;
  if (event.before) keys = source.map(*event.before, cache);
  if (event.after && !(event.before && event.before->same_block(*event.after))) {
    auto more = source.map(*event.after, cache);
    keys.insert(keys.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  if (keys.size() > 1) remove_repeated(keys);
  return keys;
}

}  // namespace keelson::controller
