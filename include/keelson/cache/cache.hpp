// The informers of this process: declared before the start, shared by kind and selector, started and stopped together.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/random.hpp"
#include "keelson/cache/informer.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::cache {

struct CacheOptions {
  async::Duration sync_period = std::chrono::hours(10);  // resync of all objects, 10 % jitter, spread; 0: never
  std::vector<std::string> namespaces;                   // --watch-namespaces; empty: all
};

class Cache : public async::Runnable {
 public:
  // The informer for these options: one that is there already for the same kind, selection and namespaces (its
  // projection and indexes grow by these), or a new one. Before start() only (asserted). Never null, lives as long
  // as the cache.
  [[nodiscard]] virtual Informer& declare(InformerOptions options) = 0;

  // The declared informer of a kind, or an error that names the kind and says how to declare it. When several
  // controllers declared one kind with different selections, `selection` must name one of them.
  [[nodiscard]] virtual Result<Informer*> find(const kube::Resource& resource,
                                               const std::optional<Selection>& selection = std::nullopt) = 0;

  // Every informer of a kind hears of our writes.
  virtual void observe_write(const kube::Resource& resource, const kube::Object& written) = 0;
  virtual void observe_delete(const kube::Resource& resource, const kube::Key& key, std::string_view uid) = 0;

  // Waits until all of these have synced; cancellation unwinds.
  [[nodiscard]] virtual boost::asio::awaitable<void> wait_for_sync(std::vector<Informer*> informers) = 0;

  // Every informer has synced once, but for those that wait for a CRD or a right; else the names of the others and why.
  [[nodiscard]] virtual Result<void> check_synced() const = 0;
  // Every informer has heard from the server (event or bookmark) within `age`.
  [[nodiscard]] virtual Result<void> check_fresh(async::Duration age) const = 0;
};

// start() begins all informers and returns at once: one kind that cannot be watched (its CRD is missing, a 403)
// holds nobody else up. It logs what is wrong and tries again until the cause is gone.
[[nodiscard]] std::unique_ptr<Cache> make_cache(boost::asio::any_io_executor executor, async::Clock& clock,
                                                base::Random& random, Logger log, kube::Client& client,
                                                metrics::Registry& registry, CacheOptions options);

// `client` that tells `cache` of every write it makes, so that reads see them. Both must outlive it.
[[nodiscard]] std::unique_ptr<kube::Client> read_your_writes(kube::Client& client, Cache& cache);

}  // namespace keelson::cache
