// The registration of a webhook: the requests that it reviews, and the effect of a missing answer.
//
// Example (test/examples/webhook.cpp#webhook_options):
//   webhook::WebhookOptions for_web() {
//     return {.failure_policy = webhook::FailurePolicy::kIgnore,
//             .timeout = std::chrono::seconds(5),
//             .object_selector = "app=web"_selector};
//   }
//
// The defaults are those of kubebuilder. `generate webhook` writes them into the webhook configurations, so a change
// has its effect when the configuration is applied again.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/schema/resource.hpp"
#include "keelson/detail/webhook/request.hpp"
#include "keelson/kube/selector.hpp"

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

}  // namespace keelson::webhook
