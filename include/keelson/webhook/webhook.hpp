// A webhook as it is declared, and as a server answers it, type-erased.
//
// Made by mutating() and validating() (whole_object.hpp), and by the `.defaulted_by` and `.validated_by` of a
// controller.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <vector>

#include "keelson/kube/resource.hpp"
#include "keelson/webhook/decision.hpp"
#include "keelson/webhook/request.hpp"
#include "keelson/webhook/webhook_options.hpp"

namespace keelson::controller {
struct Context;  // this room only passes it on
}  // namespace keelson::controller

namespace keelson::webhook {

enum class Verb { kMutating, kValidating };

struct Reviewed {
  Decision decision = Decision::allow();
  std::string patch = {};  // of the object, a JSON patch; empty: the object is unchanged
};

using Reviewing = std::function<boost::asio::awaitable<Reviewed>(const Request&)>;

struct Webhook {
  Verb verb = Verb::kMutating;
  kube::Resource object_kind;  // of the objects in its reviews
  WebhookOptions options;
  // For each start of a server; the context outlives what it makes.
  std::function<Reviewing(controller::Context&)> make;

  // The resource whose requests are reviewed.
  [[nodiscard]] const kube::Resource& resource() const { return options.resource ? *options.resource : object_kind; }
  // "/mutate-batch-tutorial-kubebuilder-io-v1-cronjob" and "mcronjob-v1.kb.io", as kubebuilder 4 names them; with
  // options.name "/mutate--v1-pod-sidecar" and "sidecar.mpod-v1.kb.io".
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string name() const;
};

struct ServedWebhook {
  Verb verb = Verb::kMutating;
  std::string path;
  kube::Resource object_kind;
  Reviewing review;
  bool reviews_connect = false;  // otherwise CONNECT is allowed without a review
};

[[nodiscard]] ServedWebhook serve(const Webhook& webhook, controller::Context& context);

// Throws base::Misuse: options that the API server would reject or that cannot work, and two webhooks of one path. Its
// text names the webhook and the option to change.
void check_webhooks(const std::vector<Webhook>& webhooks);

namespace detail {
// An object that cannot be decoded is a bad request; one that needs too much memory is too large.
[[nodiscard]] Decision refuse_content(const Error& error);
}  // namespace detail

}  // namespace keelson::webhook
