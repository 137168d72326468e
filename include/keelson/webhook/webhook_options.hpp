// How a webhook is registered: for which requests, and what the API server does when it does not answer.
//
//   {.failure_policy = webhook::FailurePolicy::kIgnore, .timeout = 5s, .object_selector = "app=web"_selector}
//
// The defaults are those of kubebuilder.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "keelson/kube/resource.hpp"
#include "keelson/kube/selector.hpp"
#include "keelson/webhook/request.hpp"

namespace keelson::webhook {

// What the API server does with a request whose review fails: no answer in time, no connection, a reply that is not a
// review.
enum class FailurePolicy { kFail, kIgnore };
// kEquivalent: requests of other versions of the kind are converted and reviewed too.
enum class MatchPolicy { kEquivalent, kExact };
// kIfNeeded: a mutating webhook is called again if a later one changed the object.
enum class ReinvocationPolicy { kNever, kIfNeeded };
// kNoneOnDryRun: the function has effects outside the review, but none if Request::dry_run is set.
enum class SideEffects { kNone, kNoneOnDryRun };

// Mistakes are a base::Misuse when the program starts.
struct WebhookOptions {
  // Distinguishes webhooks of one kind, in lower case: "sidecar" is registered as "sidecar.mpod-v1.kb.io" and served at
  // /mutate--v1-pod-sidecar. Empty: kubebuilder's names.
  std::string name = {};
  // A mutating webhook cannot have kDelete: there is no object to patch.
  std::vector<Operation> operations = {Operation::kCreate, Operation::kUpdate};
  // Requests to these instead of to the object itself: {"status"}; "" is the object itself: {"", "status"}.
  std::vector<std::string> subresources = {};
  // The resource of the requests, if their objects are of another kind than its own: kube::deployments() with the
  // struct of Scale and the subresource "scale", kube::pods() with that of Eviction and "eviction".
  std::optional<kube::Resource> resource = {};
  FailurePolicy failure_policy = FailurePolicy::kFail;
  // 1 s to 30 s; without it the API server waits 10 s.
  std::optional<std::chrono::seconds> timeout = {};
  // By labels of the object, old or new. Users can set labels, so a selector does not protect against them.
  kube::Selector object_selector = {};
  // By labels of the object's namespace; of a Namespace, by its own. Has no effect on other cluster-scoped kinds.
  kube::Selector namespace_selector = {};
  MatchPolicy match_policy = MatchPolicy::kEquivalent;
  ReinvocationPolicy reinvocation_policy = ReinvocationPolicy::kNever;  // of mutating webhooks
  SideEffects side_effects = SideEffects::kNone;
};

}  // namespace keelson::webhook
