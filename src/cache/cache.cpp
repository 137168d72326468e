#include "keelson/detail/cache/cache.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "src/cache/cache_metrics.hpp"
#include "src/cache/shared_informer.hpp"

namespace keelson::cache {
namespace asio = boost::asio;

namespace {

class SharedCache final : public Cache {
 public:
  SharedCache(asio::any_io_executor executor, async::Clock& clock, base::Random& random, Logger log,
              kube::Client& client, metrics::Registry& registry, CacheOptions options)
      : environment_{std::move(executor), clock, random, std::move(log), client, registry, std::move(options), {}},
        metrics_(registry, informers_) {}

  Informer& declare(InformerOptions options) override {
    KEELSON_ASSERT(!started_);
    if (options.namespaces.empty()) options.namespaces = environment_.options.namespaces;
    for (auto& informer : informers_) {
      if (!informer->serves(options)) continue;
      informer->extend(std::move(options));
      return *informer;
    }
    return *informers_.emplace_back(std::make_unique<SharedInformer>(environment_, std::move(options)));
  }

  Result<Informer*> find(const kube::Resource& resource, const std::optional<Selection>& selection) override {
    std::vector<SharedInformer*> found;
    for (auto& informer : informers_) {
      if (informer->resource() != resource) continue;
      if (!selection || informer->selection() == *selection) found.push_back(informer.get());
    }
    if (found.size() == 1) return found.front();
    if (found.size() > 1) {
      return invalid_error(
          resource.kind + "." + resource.api_version() +
          " is cached with several label or field selectors: name the ones that your controller declared");
    }
    return invalid_error(resource.kind + "." + resource.api_version() +
                         " is not cached: declare it with Definition::owns or Definition::watches before reading it");
  }

  void observe_write(const kube::Resource& resource, const kube::Object& written) override {
    for (auto& informer : informers_) {
      if (informer->resource() == resource) informer->observe_write(written);
    }
  }

  void observe_delete(const kube::Resource& resource, const kube::Key& key, std::string_view uid) override {
    for (auto& informer : informers_) {
      if (informer->resource() == resource) informer->observe_delete(key, uid);
    }
  }

  asio::awaitable<void> wait_for_sync(std::vector<Informer*> informers) override {
    auto waits = [](const Informer* informer) { return !informer->has_synced(); };
    while (std::ranges::any_of(informers, waits)) co_await environment_.synced.wait();
  }

  Result<void> check_synced() const override {
    std::string missing;
    for (const auto& informer : informers_) {
      // A kind without a CRD or permission delays its own controllers, not the process.
      if (informer->has_synced() || informer->is_rejected()) continue;
      if (!missing.empty()) missing += "; ";
      missing += informer->resource().qualified_plural() + " not synced";
      if (auto why = informer->problem(); !why.empty()) missing += ": " + why;
    }
    if (!missing.empty()) return invalid_error(std::move(missing));
    return {};
  }

  Result<void> check_fresh(async::Duration age) const override {
    std::string stale;
    for (const auto& informer : informers_) {
      auto silence = environment_.clock.now() - informer->last_heard();
      if (silence <= age) continue;
      if (!stale.empty()) stale += "; ";
      auto seconds = std::chrono::duration_cast<std::chrono::seconds>(silence).count();
      stale += informer->resource().qualified_plural() + ": no event or bookmark for " + std::to_string(seconds) + "s";
    }
    if (!stale.empty()) return invalid_error(std::move(stale));
    return {};
  }

  std::vector<InformerStatus> status() const override {
    std::vector<InformerStatus> all;
    for (const auto& informer : informers_) all.push_back(informer->status());
    return all;
  }

  std::string name() const override { return "cache"; }

  Task<void> start() override {
    started_ = true;
    for (auto& informer : informers_) informer->start();
    co_return Result<void>();
  }

  asio::awaitable<void> stop() override {
    for (auto& informer : informers_) co_await informer->stop();
  }

 private:
  InformerEnvironment environment_;
  std::vector<std::unique_ptr<SharedInformer>> informers_;
  bool started_ = false;
  CacheMetrics metrics_;
};

}  // namespace

std::unique_ptr<Cache> make_cache(asio::any_io_executor executor, async::Clock& clock, base::Random& random, Logger log,
                                  kube::Client& client, metrics::Registry& registry, CacheOptions options) {
  return std::make_unique<SharedCache>(std::move(executor), clock, random, std::move(log), client, registry,
                                       std::move(options));
}

}  // namespace keelson::cache
