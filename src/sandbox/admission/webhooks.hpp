// The configured admission webhooks, compiled from their configurations when one of these changes.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/sandbox/admission/attributes.hpp"

namespace keelson::sandbox {

struct WebhookRule {
  std::vector<std::string> operations;
  std::vector<std::string> groups;
  std::vector<std::string> versions;
  std::vector<std::string> resources;  // "pods", "pods/status", "*/scale", "*/*"
  std::string scope;                   // "*", "Cluster", "Namespaced"
};

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
  std::vector<WebhookRule> rules;
  Tree namespace_selector;
  Tree object_selector;
  bool ignores_failures = false;
  bool matches_equivalent = true;
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
  // The version of the resource that the webhook's rules match, preferably the request's. With matchPolicy Equivalent
  // it may be another version, into which the objects are converted. nullopt: the webhook is not called.
  [[nodiscard]] std::optional<std::string> version_for(const Webhook& webhook, const Attributes& attributes) const;

 private:
  void compile();

  World& world_;
  bool is_stale_ = true;
  Chain mutating_;
  Chain validating_;
};

}  // namespace keelson::sandbox
