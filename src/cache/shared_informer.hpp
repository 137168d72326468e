// The Informer of the running program: a store with a reflector for each of its namespaces.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "src/cache/cache_metrics.hpp"
#include "src/cache/reflector.hpp"
#include "src/cache/store.hpp"

namespace keelson::cache {

// The dependencies that all informers of a cache share; it outlives them.
struct InformerEnvironment {
  boost::asio::any_io_executor executor;
  async::Clock& clock;
  base::Random& random;
  Logger log;
  kube::Client& client;
  metrics::Registry& registry;
  CacheOptions options;
  async::Notify synced;  // an informer has just synced
  ServerOutage outage{clock, random};
};

class SharedInformer final : public Informer, public Sink {
 public:
  SharedInformer(InformerEnvironment& environment, InformerOptions options);
  ~SharedInformer() override;

  // True if kind, selection and namespaces are the same, so that one informer can serve both.
  [[nodiscard]] bool serves(const InformerOptions& options) const;
  void extend(InformerOptions options);
  [[nodiscard]] Selection selection() const { return options_.selection(); }
  void start();
  [[nodiscard]] boost::asio::awaitable<void> stop();
  // The time of the last data of its most stale watch.
  [[nodiscard]] async::TimePoint last_heard() const;
  [[nodiscard]] CacheFigures figures() const;
  [[nodiscard]] InformerStatus status() const;

  const kube::Resource& resource() const override { return options_.resource; }
  std::optional<kube::Object> get(const kube::Key& key) const override { return store_.get(key); }
  std::vector<kube::Object> list(std::string_view ns) const override { return store_.list(ns); }
  std::vector<kube::Object> by_index(std::string_view index, std::string_view value) const override;
  std::vector<kube::Object> owned_by(const kube::Object& owner) const override;
  kube::Content content() const override {
    return is_only_metadata() ? kube::Content::kMetadata : kube::Content::kWhole;
  }
  void subscribe(EventHandler handler) override;
  bool has_synced() const override { return synced_; }
  std::string problem() const override;
  async::Duration failing_for() const override;
  // A reflector waits for a CRD or an RBAC permission.
  [[nodiscard]] bool is_rejected() const;
  std::uint64_t observed_version() const override;
  void observe_write(const kube::Object& written) override;
  void observe_delete(const kube::Key& key, std::string_view uid) override;

  // Sink: called by the reflectors.
  Result<std::uint64_t> put(std::string_view object, std::uint32_t epoch, Phase phase) override;
  Result<std::uint64_t> erase(std::string_view object) override;
  bool is_contradicted(const std::string& ns, std::uint32_t epoch, std::uint64_t version) const override;
  void went_back(const std::string& ns) override;
  boost::asio::awaitable<void> sweep(std::string ns, std::uint32_t epoch, std::uint64_t version,
                                     async::TimeSlice& slice) override;
  void listed() override;

 private:
  // The reflector of this namespace; null if the informer does not include it.
  [[nodiscard]] const Reflector* reflector_of(std::string_view ns) const;
  [[nodiscard]] bool is_only_metadata() const { return std::holds_alternative<OnlyMetadata>(options_.content); }
  [[nodiscard]] Result<kube::Object> projected(std::string_view object);
  [[nodiscard]] Result<void> project_into_buffer(std::string_view object);
  [[nodiscard]] Result<std::uint64_t> ignore(std::string_view object, std::uint32_t epoch, const Error& error);
  [[nodiscard]] kube::FieldSelector::Match match(const kube::Object& written) const;
  // Calls all handlers. Every change of the store ends here, whatever caused it.
  void publish(Event event);
  [[nodiscard]] boost::asio::awaitable<void> resync_forever();
  void resync_some(const std::vector<kube::Object>& objects, std::size_t from, std::size_t to);

  InformerEnvironment& environment_;
  InformerOptions options_;      // the union for all users; `content` is OnlyMetadata if it is so for all of them
  json::Projection projection_;  // the union of the paths that they need
  bool has_digest_reader_ = false;
  std::string type_members_;  // apiVersion and kind for objects that have only metadata
  Store store_;
  InformerMetrics metrics_;
  std::vector<EventHandler> handlers_;
  std::vector<std::unique_ptr<Reflector>> reflectors_;
  async::TaskGroup tasks_;
  bool started_ = false;
  bool synced_ = false;
  std::string projection_buffer_;
};

}  // namespace keelson::cache
