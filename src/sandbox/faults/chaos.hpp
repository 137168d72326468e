// Decides the injected failure of each request and watch, in the order of their arrival.
#pragma once

#include <cstdint>
#include <optional>

#include "keelson/detail/base/random.hpp"
#include "keelson/detail/sandbox/chaos.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

class Chaos {
 public:
  explicit Chaos(const ChaosOptions& options) { set(options); }

  // Restarts the random numbers from the seed.
  void set(const ChaosOptions& options);
  [[nodiscard]] const ChaosOptions& options() const { return options_; }

  struct Disturbance {
    async::Duration delay{0};
    std::optional<Rejection> failure;
  };
  [[nodiscard]] Disturbance disturb(const kube::ApiRequest& request);
  // Nullopt: the watch does not break.
  [[nodiscard]] std::optional<async::Duration> next_watch_life();

  struct Injected {
    std::uint64_t conflicts = 0;
    std::uint64_t too_many_requests = 0;
    std::uint64_t internal_errors = 0;
  };
  // Since the last set().
  [[nodiscard]] const Injected& injected() const { return injected_; }

 private:
  [[nodiscard]] std::optional<Rejection> failure_at(double share, const kube::ApiRequest& request);

  ChaosOptions options_;
  Injected injected_;
  std::optional<base::Random> random_;
};

// The JSON of /sandbox/chaos: {"seed":7,"409":0.05,…}.
[[nodiscard]] Tree chaos_tree(const ChaosOptions& options);
// Reads this JSON, or the text of parse_chaos().
[[nodiscard]] Result<ChaosOptions> read_chaos(const std::string& body);

}  // namespace keelson::sandbox
