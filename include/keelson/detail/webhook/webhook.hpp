// The declaration of a webhook: the requests that it reviews, the effect of a missing answer, and the type-erased form
// that a server calls.
//
// mutating() and validating() create it, and `.with_defaulter` and `.with_validator` of a controller
// (admission.hpp). Authors only write the options.
//
// Example (test/examples/webhook.cpp#webhook_options):
//   webhook::WebhookOptions for_web() {
//     return {.failure_policy = webhook::FailurePolicy::kIgnore,
//             .timeout = std::chrono::seconds(5),
//             .object_selector = "app=web"_selector};
//   }
//
// The defaults of the options are those of kubebuilder. `generate webhook` writes them into the webhook configurations,
// so a change has its effect when the configuration is applied again.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/webhook/request.hpp"
#include "keelson/kube/selector.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::controller {
struct Context;  // this room only passes it on
}  // namespace keelson::controller

namespace keelson::webhook {

// The effect of a review that fails (no answer in time, no connection, an invalid reply): kFail rejects the request,
// kIgnore lets it pass without the webhook. With kFail an operator that is down blocks writes of the kind, so exclude
// its own namespace for kinds that it needs to start, such as Pods.
enum class FailurePolicy { kFail, kIgnore };
// kEquivalent: requests of other versions of the kind are converted and reviewed too.
enum class MatchPolicy { kEquivalent, kExact };
// kIfNeeded: a mutating webhook is called again if a later one changed the object.
enum class ReinvocationPolicy { kNever, kIfNeeded };
// kNoneOnDryRun: the function has effects outside the review, but none if Request::dry_run is set.
enum class SideEffects { kNone, kNoneOnDryRun };

// Mistakes throw base::Misuse at the start of the program (check_webhooks).
struct WebhookOptions {
  // Distinguishes webhooks of one kind: "sidecar" is registered as "sidecar.mpod-v1.kb.io" and served at
  // /mutate--v1-pod-sidecar. At most 40 lower-case letters, digits and dashes. Empty: kubebuilder's names.
  std::string name = {};
  // A mutating webhook cannot have kDelete, because there is no object to patch.
  std::vector<Operation> operations = {Operation::kCreate, Operation::kUpdate};
  // Reviews requests to these subresources instead of to the object itself: {"status"}. "" is the object itself:
  // {"", "status"}.
  std::vector<std::string> subresources = {};
  // The resource of the requests, if their objects are of another kind than its own: kube::deployments() with the
  // struct of Scale and the subresource "scale", kube::pods() with that of Eviction and "eviction".
  std::optional<kube::Resource> resource = {};
  FailurePolicy failure_policy = FailurePolicy::kFail;
  // The time for which the API server waits, 1 s to 30 s; 10 s if it is not set.
  std::optional<std::chrono::seconds> timeout = {};
  // Reviews only objects whose labels, old or new, match. Users can set labels and so avoid the review: do not enforce
  // security with it.
  kube::Selector object_selector = {};
  // Reviews only objects in namespaces whose labels match; a Namespace by its own labels. It has no effect on other
  // cluster-scoped kinds.
  kube::Selector namespace_selector = {};
  MatchPolicy match_policy = MatchPolicy::kEquivalent;
  ReinvocationPolicy reinvocation_policy = ReinvocationPolicy::kNever;  // for mutating webhooks only
  SideEffects side_effects = SideEffects::kNone;
};

// Adds the operation unless it is listed.
void add_operation(WebhookOptions& options, Operation operation);

enum class WebhookType { kMutating, kValidating };

// The result of a review. A patch is sent only if the write is allowed.
struct Reviewed {
  Decision decision = Decision::allow();
  std::string patch = {};  // a JSON patch of the object; empty: the object is unchanged
};

// Answers a review. The request lives until the coroutine has ended.
using Reviewing = std::function<boost::asio::awaitable<Reviewed>(const Request&)>;

struct Webhook {
  WebhookType type = WebhookType::kMutating;
  kube::Resource object_kind;  // of the objects in its reviews
  WebhookOptions options;
  // Constructs the function for a server. The context outlives the function.
  std::function<Reviewing(controller::Context&)> make;

  // The resource whose requests are reviewed: options.resource, or else that of the objects.
  [[nodiscard]] const kube::Resource& resource() const { return options.resource ? *options.resource : object_kind; }
  // "/mutate-batch-tutorial-kubebuilder-io-v1-cronjob" and "mcronjob-v1.kb.io", as kubebuilder 4 names them; with
  // options.name "/mutate--v1-pod-sidecar" and "sidecar.mpod-v1.kb.io".
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string name() const;
};

// A webhook as the server has it.
struct ServedWebhook {
  WebhookType type = WebhookType::kMutating;
  std::string path;  // "/mutate--v1-pod"
  kube::Resource object_kind;
  Reviewing review;
  bool reviews_connect = false;  // otherwise CONNECT is allowed without a review
};

// Constructs the webhook's function. The context must outlive the result.
[[nodiscard]] ServedWebhook serve(const Webhook& webhook, controller::Context& context);

// Throws base::Misuse for options that the API server would reject or that cannot work, and for two webhooks with the
// same path. Its text names the webhook and the option to change.
void check_webhooks(const std::vector<Webhook>& webhooks);

namespace detail {
// The denial of an object that cannot be decoded: 413 if it needs too much memory, 400 otherwise.
[[nodiscard]] Decision reject_content(const Error& error);
}  // namespace detail

}  // namespace keelson::webhook
