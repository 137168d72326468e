// The watches of a controller: the informers that it declares, and the keys that their events add to its queue.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/queue/work_queue.hpp"
#include "src/controller/blocked_owners.hpp"
#include "src/controller/reconcile_history.hpp"
#include "src/controller/request_policy.hpp"

namespace keelson::controller {

// "Deployment updated", "Memcached added", "Pod deleted", "Memcached resync".
[[nodiscard]] std::string reason_of(const kube::Resource& resource, const cache::Event& event);

// The distinct keys that `source` maps the object to, before and after the event.
[[nodiscard]] std::vector<kube::Key> keys_of(const Source& source, const cache::Event& event, cache::Cache& cache);

// An exception from a predicate, a map function or an index function. Only the result of that call is lost: the event
// for this source, or the object's values in the index.
struct Panic {
  std::string source;  // as in Sources::names
  std::string object;  // its key
  Error error;
};

// The definition's own kind and its sources, declared in `cache` and subscribed to. Their keys are added to `queue`
// after open(): a standby reconciles nothing, so it stores no keys.
class Sources {
 public:
  struct Subscription {
    kube::Resource resource;
    cache::Informer& informer;
    cache::EventHandler handler;
  };
  // All references must outlive it, and so must `history`, which gets the objects of events unless it is off. Events
  // after its destruction are ignored.
  Sources(async::Clock& clock, cache::Cache& cache, const Definition& definition, queue::WorkQueue& queue,
          const kube::OperatorName& name, std::function<void(const Panic&)> on_panic, OwnHistory history = {});
  Sources(const Sources&) = delete;
  Sources& operator=(const Sources&) = delete;

  void open() { is_open_ = true; }
  // For each of these, the objects that its informer had before open() must be passed to tell() as the first list.
  [[nodiscard]] const std::deque<Subscription>& subscriptions() const { return subscriptions_; }
  void tell(const Subscription& subscription, const cache::Event& event);

  // The informers of all sources, without duplicates.
  [[nodiscard]] const std::vector<cache::Informer*>& informers() const { return informers_; }
  // "kind source: *v1.Deployment", each resource once, in the order of declaration.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  // The owners that the events of blocking objects queue, too, whatever the predicates of a source are.
  [[nodiscard]] BlockedOwners& blocked() { return blocked_; }

  // Queues the key of an object for the time in its annotation reconcile-at, if that is in the future. Call it after
  // each reconcile, because an earlier one has taken the key from the queue.
  void await_requested(const kube::Object& object, int priority);

 private:
  [[nodiscard]] cache::InformerOptions informer_options(const kube::Resource& resource, const WatchOptions& options);
  [[nodiscard]] cache::IndexFunction guarded(const kube::Resource& resource, cache::IndexFunction index);
  void add(const kube::Resource& resource, cache::Informer& informer, cache::EventHandler handler);
  void on_own(const Definition& definition, const cache::Event& event);
  void request_reconcile(const kube::Object& object, int priority);
  void enqueue(const kube::Resource& resource, const cache::Event& event, const std::vector<kube::Key>& keys,
               int priority);
  void report_panic(const kube::Resource& resource, const kube::Object& object);

  async::Clock& clock_;
  queue::WorkQueue& queue_;
  const kube::Resource& own_;
  const RequestNames requests_;
  std::function<void(const Panic&)> on_panic_;
  const OwnHistory history_;
  std::vector<cache::Informer*> informers_;
  std::vector<kube::Resource> resources_;
  std::vector<std::string> names_;  // of resources_
  std::deque<Subscription> subscriptions_;
  BlockedOwners blocked_;
  bool is_open_ = false;
  // Informers outlive controllers and cannot be unsubscribed from: their handlers check this first.
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace keelson::controller
