// The controllers of a process with everything that they share: the informer cache, clients whose writes the cache
// contains immediately, Event recorders and contexts.
//
// The program, the simulated clusters and the generator of docs/reference/metrics.md compose a process with this class,
// so that all of them run controllers on the same services. It starts nothing itself: the owner starts cache(),
// then services(), and stops them in reverse order.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/controller/controller.hpp"
#include "keelson/detail/controller/event_recorder.hpp"
#include "keelson/detail/controller/unhealthy_object.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/net/url_client_parts.hpp"
#include "keelson/detail/tracing/tracer.hpp"

namespace keelson::controller {

// The objects behind references and pointers must outlive the runtime.
struct RuntimeParts {
  boost::asio::any_io_executor executor;  // of the one event loop, on which all code of the controllers runs
  async::Clock& clock;
  base::Random& random;         // simulations seed it, so that they can be repeated
  Logger log;                   // the root: each controller derives its own from it
  metrics::Registry& registry;  // of the series of the controllers, the cache and the queues
  // Used by webhooks and by controllers that run on every replica, and by the cache.
  kube::Client& client;
  // Used by controllers that run on the leader: `client` behind the leader's fence. Null: this process always leads.
  kube::Client* leader_client = nullptr;
  std::function<const char*(const char*)> environment;  // the value of a variable; null if it is not set
  FlagValues flags = {};                                // the definitions' defaults are added
  EventOptions events = {};
  cache::CacheOptions cache = {};
  ControllerOptions controllers = {};
  // --reconcile-history: the objects whose last reconciles are stored, for debug_objects(); 0: none.
  std::size_t reconcile_history = 0;
  // --reconcile-history-dir: the directory in which the history survives a restart; empty: it ends with the process.
  // The constructor reads it. A directory that cannot be read or written is logged and has no other effect.
  std::string history_folder = {};
  // --dry-run: the writes of controllers, webhooks and runnables are server-side dry runs and logged with the fields
  // that would change, and no Event is sent. `leader_client` must be null.
  bool is_dry_run = false;
  // The User-Agent of Context::http(); empty: the name of the operator.
  std::string user_agent = {};
  // Makes the clients of other servers for Context::http(); empty: net::make_http_client.
  net::MakeHttpClient make_http_client = {};
  // True while this process may write as the leader; empty: always. It fences Context::http() of leader_context().
  std::function<bool()> may_write = {};
  // The source of Context::secure_random_text(); empty: the operating system.
  base::Entropy entropy = {};
  // Gets the spans of all reconciles; null: traces are off.
  tracing::Tracer* tracer = nullptr;
};

class ConcurrencyLimiter;
struct CountedKind;
class HistoryStore;
class ReconcileHistory;
class RunningController;

// The common limit of all controllers while the API server is overloaded: docs/operations.md, "Load".
struct ConcurrencyStatus {
  int limit = 0;    // objects that all controllers together may reconcile at once
  int workers = 0;  // of all controllers together; the limit without overload
  int in_use = 0;   // objects that are being reconciled
};

// Adds keelson_dry_run_writes_total, which counts the writes of a dry run.
void register_dry_run_series(metrics::Registry& registry);

// Neither copied nor moved: controllers and their authors' code refer to its contexts. Destroy it only after all
// services have stopped.
class ControllerRuntime {
 public:
  // Makes a controller for each definition, in their order, and declares their informers. Throws base::Misuse for a
  // definition that cannot work. The definitions must outlive the runtime.
  ControllerRuntime(RuntimeParts parts, const std::vector<Definition>& definitions);
  ControllerRuntime(const ControllerRuntime&) = delete;
  ControllerRuntime& operator=(const ControllerRuntime&) = delete;
  ~ControllerRuntime();

  struct Service {
    async::Runnable* runnable;   // never null; owned by the runtime
    bool needs_leader_election;  // false: start it on every replica
  };
  // The Event recorders, the store of the history, then the controllers. They live as long as the runtime.
  [[nodiscard]] const std::vector<Service>& services() const { return services_; }
  [[nodiscard]] cache::Cache& cache() { return *cache_; }
  // For debug_objects(): one for each definition, and their history, which is null if it is off.
  [[nodiscard]] const std::vector<std::unique_ptr<RunningController>>& controllers() const { return controllers_; }
  [[nodiscard]] const ReconcileHistory* history() const { return history_.get(); }
  // Reports the answer to an attempt of a request: RestClientOptions::on_answer of `client` and `leader_client`. 429,
  // 5xx with Retry-After, and rising latency reduce the number of objects that all controllers together reconcile at
  // once; each controller may always reconcile one. It rises again when these signs end.
  void observe(const kube::Answer& answer);
  [[nodiscard]] ConcurrencyStatus concurrency() const;
  // All controllers in the order of their definitions.
  [[nodiscard]] std::vector<ControllerStatus> status() const;
  // The kinds with objects that are stalled, degraded, in conflict or paused. It takes the same time whatever the
  // number of objects is.
  [[nodiscard]] std::vector<UnhealthyKind> unhealthy() const;
  // For webhooks, and for controllers and runnables that run on every replica.
  [[nodiscard]] Context& context() { return *every_replica_.context; }
  // For controllers and runnables that run on the leader only: their writes are fenced.
  [[nodiscard]] Context& leader_context() { return leader_.context ? *leader_.context : context(); }

 private:
  // What differs between the leader and every replica: the client, and what writes with it.
  struct Writers {
    std::unique_ptr<kube::Client> client;
    std::unique_ptr<EventSender> events;
    std::unique_ptr<net::UrlClient> http;
    std::unique_ptr<Context> context;
  };
  [[nodiscard]] Context& context_of(const RuntimeParts& parts, const Definition& definition);
  [[nodiscard]] Writers make_writers(const RuntimeParts& parts, kube::Client& client);
  [[nodiscard]] Writers make_dry_run(const RuntimeParts& parts, Logger log);
  [[nodiscard]] std::unique_ptr<Context> make_context(const RuntimeParts& parts, const Writers& writers);
  void store_history(const RuntimeParts& parts);

  std::unique_ptr<cache::Cache> cache_;
  std::vector<CountedKind> counted_;
  Writers every_replica_;
  Writers leader_;                 // empty without a leader_client
  std::vector<Writers> dry_runs_;  // of each controller in a dry run
  std::unique_ptr<ReconcileHistory> history_;
  std::unique_ptr<HistoryStore> history_store_;  // null: off
  std::unique_ptr<ConcurrencyLimiter> limiter_;
  std::vector<std::unique_ptr<RunningController>> controllers_;
  std::vector<Service> services_;
};

}  // namespace keelson::controller
