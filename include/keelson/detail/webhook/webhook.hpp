// The declaration of a webhook, and its type-erased form that a server calls.
//
// mutating() and validating() (whole_object.hpp) create it, and `.with_defaulter` and `.with_validator` of a controller
// (admission.hpp). Authors do not construct it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <vector>

#include "keelson/detail/schema/resource.hpp"
#include "keelson/detail/webhook/decision.hpp"
#include "keelson/detail/webhook/request.hpp"
#include "keelson/detail/webhook/webhook_options.hpp"

namespace keelson::controller {
struct Context;  // this room only passes it on
}  // namespace keelson::controller

namespace keelson::webhook {

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
