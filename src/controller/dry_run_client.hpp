// The client of --dry-run: every write becomes a server-side dry run, and the fields that it would change are logged
// and counted.
//
// A reply is passed on as it came, so that the caller continues as after a real write; a rejection is an error as
// always. A write that the API server would execute even as a dry run (kube::ignores_dry_run) is not sent: kInvalid. A
// difference that repeats the last one of the same write is logged at debug level only. Reviews store nothing anyway,
// and a request that was a dry run before belongs to the author: neither is reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/cache/cache.hpp"
#include "keelson/detail/kube/object_changes.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/metrics/registry.hpp"
#include "src/controller/recent_map.hpp"
#include "src/controller/reconcile_policy.hpp"

namespace keelson::limits {

// The last differences that a controller remembers, to log none of them twice. Each takes about 200 bytes.
inline constexpr std::size_t kDryRunDifferences = 10'000;

// The fields in a log line, and the bytes of all fields. A line must be readable, and shorter than
// limits::kLogLineBytes.
inline constexpr std::size_t kDryRunFields = 20;
inline constexpr std::size_t kDryRunFieldsBytes = 4096;

}  // namespace keelson::limits

namespace keelson::controller {

class DryRunClient final : public kube::Client {
 public:
  // Everything must outlive the client. The cache may be empty: it only saves requests.
  DryRunClient(kube::Client& client, cache::Cache& cache, Logger log, metrics::Registry& registry);

  [[nodiscard]] const kube::OperatorName& operator_name() const override { return client_.operator_name(); }
  [[nodiscard]] Task<kube::ApiReply> send(kube::ApiRequest request) override;
  [[nodiscard]] Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override;

  [[nodiscard]] const DryRunTally& tally() const { return tally_; }

 private:
  // A write, without its body.
  struct Write {
    kube::Verb verb;
    kube::Resource resource;
    kube::Key key;
    std::string subresource;
    std::optional<kube::Object> cached;  // the whole object, if the cache had it
  };
  // The effect of a write that the API server did not reject.
  struct Effect {
    const char* message;
    kube::Key key;                         // of the object in the reply
    std::vector<std::string> fields = {};  // FieldChange::text(), with short values
    std::uint64_t places = 0;              // a hash of the changed fields
    std::uint64_t difference = 0;          // a hash of the changed fields with their whole values
    bool is_difference = true;

    void add(kube::FieldChange change);
  };

  [[nodiscard]] std::optional<kube::Object> cached(const kube::Resource& resource, const kube::Key& key) const;
  [[nodiscard]] boost::asio::awaitable<Effect> effect_of(Write write, kube::ApiReply reply);
  [[nodiscard]] boost::asio::awaitable<std::optional<kube::Object>> object_before(Write write, kube::Object after);
  void report(const Write& write, const Effect& effect);
  // Whether the last difference of this write was the same one.
  [[nodiscard]] bool is_repeated(const Write& write, const Effect& effect);
  void count(const Write& write, const char* result);

  kube::Client& client_;
  cache::Cache& cache_;
  Logger log_;
  metrics::CounterFamily& writes_;
  DryRunTally tally_;
  RecentMap<std::uint64_t> reported_;  // by write: the hash of its last difference
};

// The fields as a JSON array for a log line, at most limits::kDryRunFields and limits::kDryRunFieldsBytes of them.
[[nodiscard]] std::string logged_fields(const std::vector<std::string>& fields);

// `text` with "time" for each string that is a time. A time of now differs with every write, and is no new difference.
[[nodiscard]] std::string without_times(std::string_view text);

}  // namespace keelson::controller
