// The configured admission webhooks, compiled from their configurations when one of these changes.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/admission/expressions.hpp"
#include "src/sandbox/admission/resource_match.hpp"

namespace keelson::sandbox {

// The address of a webhook: a URL, or a Service.
struct WebhookAddress {
  std::string url;
  std::string service_ns;
  std::string service_name;
  std::string path;
  std::int64_t port = 443;
  std::string ca_pem;
};
[[nodiscard]] WebhookAddress webhook_address(const Tree& client_config);

struct Webhook {
  std::string id;  // the configuration and the index in it
  std::string name;
  WebhookAddress address;
  ResourceMatch match;
  std::vector<MatchCondition> conditions;
  bool ignores_failures = false;
  bool is_reinvoked = false;
  bool has_side_effects = false;  // also on dry runs
  std::chrono::seconds timeout{10};
  std::vector<std::string> review_versions;
};

class Webhooks {
 public:
  enum class Phase { kMutating, kValidating };
  using Chain = std::vector<std::shared_ptr<const Webhook>>;

  explicit Webhooks(World& world) : world_(world) {}

  // `hear` is called for each stored change. `forget` is called after changes that were not reported.
  void hear(const Change& change);
  void forget() { is_stale_ = true; }

  [[nodiscard]] bool empty();
  // In the order in which they are called.
  [[nodiscard]] Chain all(Phase phase);
  [[nodiscard]] Chain matching(Phase phase, const Attributes& attributes);
  // Whether this webhook must be called for this write.
  [[nodiscard]] bool matches(const Webhook& webhook, const Attributes& attributes) const {
    return version_for(webhook, attributes).has_value();
  }
  // See matched_version(); nullopt: the webhook is not called. Its matchConditions are evaluated before the call.
  [[nodiscard]] std::optional<std::string> version_for(const Webhook& webhook, const Attributes& attributes) const {
    return matched_version(world_, webhook.match, attributes);
  }

 private:
  void compile();

  World& world_;
  bool is_stale_ = true;
  Chain mutating_;
  Chain validating_;
};

}  // namespace keelson::sandbox
