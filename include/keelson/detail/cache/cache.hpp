// All informers of the process: declared before the start, shared by kind and selector, started and stopped together.
//
// Purpose: controllers read the API server's objects from memory. Each kind is listed once and then watched, however
// many controllers read it. Reads contain the process's own writes if these go through the client of
// read_your_writes(); they may be stale with respect to other clients.
//
// Ownership: the cache owns its informers. Everything that make_cache() takes by reference outlives the cache. Objects
// that a read returns are handles to immutable, shared bytes; they stay valid after the cache has dropped the object.
//
// Cancellation and threads: everything runs on the executor's single thread. Reads never wait. start() returns
// immediately and begins to list; stop() cancels all lists and watches and returns when they have ended. Cached objects
// remain readable after stop().
//
// Example (test/examples/cache.cpp#cache):
//   // Before the cache starts: an informer of pods with an index of the label "app".
//   cache::Informer& declare_pods(cache::Cache& cache) {
//     cache::InformerOptions options;
//     options.resource = kube::resource_of<core::v1::Pod>();
//     options.label_indexes = {"app"};
//     return cache.declare(std::move(options));
//   }
//
//   // Afterwards: reads memory and sends no request.
//   Task<std::size_t> count_pods(cache::Cache& cache, cache::Informer& pods) {
//     const std::vector<cache::Informer*> needed{&pods};
//     co_await cache.wait_for_sync(needed);
//     KEELSON_CO_LET(const auto found, cache::by_index<core::v1::Pod>(pods, cache::label_index("app"), "web"));
//     co_return found.size();
//   }
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/cache/informer.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::cache {

struct CacheOptions {
  // Every informer repeats all its objects to its handlers (Event::resync) in this interval, with 10 % of jitter and
  // in portions of 100 objects. 0: never. The default is that of controller-runtime.
  async::Duration sync_period = std::chrono::hours(10);
  // The namespaces of informers that name none themselves (--watch-namespaces); empty: all. Each namespace is a watch
  // of its own, with a connection of its own.
  std::vector<std::string> namespaces;
};

// The state of an informer at one moment, for pages that people read.
struct InformerStatus {
  std::string resource;        // "deployments.apps"
  std::string group;           // "apps"
  std::string kind;            // "Deployment"
  std::string selection;       // "app=web", "label or field selector" as text, or empty
  std::size_t namespaces = 0;  // 0: all
  std::size_t objects = 0;
  std::size_t bytes = 0;
  async::Duration age{0};     // since the API server last sent data, of its most stale watch; 0 before the start
  std::uint64_t version = 0;  // Informer::observed_version
  bool has_synced = false;
  bool is_rejected = false;        // waits for a CRD or an RBAC permission
  std::string problem;             // Informer::problem
  async::Duration failing_for{0};  // Informer::failing_for
};

class Cache : public async::Runnable {
 public:
  // The informer for these options: an existing one with the same kind, selection and namespaces, to which the
  // projection and the indexes of `options` are added, or a new one. Only before start() (asserted). The reference is
  // valid as long as the cache.
  [[nodiscard]] virtual Informer& declare(InformerOptions options) = 0;

  // The declared informer of a kind, never null. kInvalid if the kind is not declared; the text names the kind and the
  // declaration that is missing. If controllers declared the kind with different selections, `selection` must name one
  // of them.
  [[nodiscard]] virtual Result<Informer*> find(const kube::Resource& resource,
                                               const std::optional<Selection>& selection = std::nullopt) = 0;

  // Passes the API server's reply to a write, or a completed deletion, to every informer of the kind; see
  // Informer::observe_write. The client of read_your_writes() calls these two.
  virtual void observe_write(const kube::Resource& resource, const kube::Object& written) = 0;
  virtual void observe_delete(const kube::Resource& resource, const kube::Key& key, std::string_view uid) = 0;

  // Returns when all of these have synced, without a limit of time: a kind whose CRD is missing never syncs.
  // Cancellation unwinds.
  [[nodiscard]] virtual boost::asio::awaitable<void> wait_for_sync(std::vector<Informer*> informers) = 0;

  // Succeeds when every informer has synced once. Informers that wait for a CRD or an RBAC permission do not count:
  // they delay only their own controllers. The error names the informers that have not synced, and why (/readyz).
  [[nodiscard]] virtual Result<void> check_synced() const = 0;
  // Succeeds when every informer has received an event or a bookmark within `age`. The API server sends a bookmark
  // about once a minute, so an `age` below two minutes fails on a healthy connection. The error names the stale
  // informers
  // (/readyz/fresh).
  [[nodiscard]] virtual Result<void> check_fresh(async::Duration age) const = 0;

  // All informers in the order of their declaration. It does not read the objects.
  [[nodiscard]] virtual std::vector<InformerStatus> status() const = 0;
};

// A kind that cannot be watched, because its CRD is missing or the API server answers 403, does not delay the others:
// its informer logs the cause once and retries with backoff (0.8 s to 30 s) until the cause has cleared. start() itself
// never fails.
[[nodiscard]] std::unique_ptr<Cache> make_cache(boost::asio::any_io_executor executor, async::Clock& clock,
                                                base::Random& random, Logger log, kube::Client& client,
                                                metrics::Registry& registry, CacheOptions options);

// A client that sends through `client` and passes the reply of every successful write to `cache`, so that the next read
// contains it. The cache is updated, and its handlers have returned, before the write's co_await does. Both arguments
// must outlive the result.
[[nodiscard]] std::unique_ptr<kube::Client> read_your_writes(kube::Client& client, Cache& cache);

}  // namespace keelson::cache
