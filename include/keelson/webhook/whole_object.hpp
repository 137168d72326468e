// Admission webhooks for whole objects of any kind: those of Kubernetes (keelson/api) and your own. For the spec of
// your own kind, admission.hpp is simpler.
//
// Example (test/examples/webhook.cpp#whole_object):
//   asio::awaitable<webhook::Decision> add_sidecar(core::v1::Pod& pod, const webhook::Request&) {
//     pod.spec.containers.push_back(sidecar());
//     co_return webhook::Decision::allow().warn("a proxy was added");
//   }
//
//   asio::awaitable<webhook::Decision> protect(const webhook::Review<core::v1::Namespace>& review) {
//     if (!review.object.metadata.labels.contains("protected")) co_return webhook::Decision::allow();
//     co_return webhook::Decision::deny("it has the label protected");
//   }
//
//   void add_mesh_webhooks(controller::Definition& mesh) {
//     mesh.webhook(webhook::mutating<core::v1::Pod>(add_sidecar, {.operations = {webhook::Operation::kCreate},
//                                                                 .namespace_selector = "mesh=on"_selector}))
//         .webhook(webhook::validating<core::v1::Namespace>(protect, {.operations = {webhook::Operation::kDelete}}));
//   }
//
// A webhook with state, or one that reads the cluster, is a class that is constructed with the controller::Context, and
// has `mutate` or `validate` of the same signature: `webhook::mutating<core::v1::Pod, Injector>({…})`. Standbys
// construct it too, so its writes are not fenced.
//
// T is the struct of the object in the review: any struct with `kIdentity` and described fields. A partial struct, with
// the fields that the webhook needs, uses less memory. Time limit, cancellation, exceptions, and objects that do not
// fit the struct: admission.hpp.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "keelson/schema/describe.hpp"
#include "keelson/schema/identity.hpp"
#include "keelson/webhook/review_function.hpp"
#include "keelson/webhook/webhook.hpp"

namespace keelson::webhook {

namespace detail {

// A JSON patch of the object with the fields that differ between `before`, the decoded object, and `after`. Throws
// base::Misuse if the identity differs (name, namespace, uid, kind).
[[nodiscard]] boost::asio::awaitable<Reviewed> patch_object(const ReviewedObject& object, const kube::Type& type,
                                                            const void* before, const void* after, Decision decision);

template <class T, class Function>
[[nodiscard]] boost::asio::awaitable<Reviewed> mutate(Function function, const Request& request) {
  T object{};
  auto decoded = co_await request.object.decode(kube::type_of<T>(), &object);
  if (!decoded) co_return Reviewed{reject_content(decoded.error())};
  const T before = object;
  auto decision = co_await function(object, request);
  if (!decision.is_allowed()) co_return Reviewed{std::move(decision)};
  auto reviewed = co_await patch_object(request.object, kube::type_of<T>(), &before, &object, std::move(decision));
  co_return reviewed;
}

template <class T, class Function>
[[nodiscard]] boost::asio::awaitable<Reviewed> validate(Function function, const Request& request) {
  Review<T> review{request, T{}, std::nullopt};
  const auto& object = request.operation == Operation::kDelete ? request.old_object : request.object;
  auto decoded = co_await object.decode(kube::type_of<T>(), &review.object);
  if (!decoded) co_return Reviewed{reject_content(decoded.error())};
  if (request.operation == Operation::kUpdate) {
    auto old_decoded = co_await request.old_object.decode(kube::type_of<T>(), &review.old_object.emplace());
    if (!old_decoded) review.old_object.reset();
  }
  auto decision = co_await function(review);
  co_return Reviewed{std::move(decision)};
}

}  // namespace detail

// A mutating webhook: the function changes the object, and its changes are sent as a patch. Members that the struct
// does not have are unchanged, even within lists. A change of metadata.name, metadata.namespace, metadata.uid or the
// kind fails the request as a panic (base::Misuse). A denial patches nothing.
template <class T>
[[nodiscard]] Webhook mutating(ReviewFunction<T&, const Request&> function, WebhookOptions options = {}) {
  return {WebhookType::kMutating, kube::resource_of<T>(), std::move(options),
          [function](controller::Context&) -> Reviewing {
            return [function](const Request& request) { return detail::mutate<T>(function, request); };
          }};
}

// The same with a class that has `mutate(T&, const Request&)`.
template <class T, class Handler>
[[nodiscard]] Webhook mutating(WebhookOptions options = {}) {
  return {WebhookType::kMutating, kube::resource_of<T>(), std::move(options),
          [](controller::Context& context) -> Reviewing {
            // Shared because a std::function must be copyable; the coroutines own it too.
            const auto call = [handler = std::make_shared<Handler>(context)](T& object, const Request& request) {
              return handler->mutate(object, request);
            };
            return [call](const Request& request) { return detail::mutate<T>(call, request); };
          }};
}

// A validating webhook: it is called after all mutating webhooks, with an object that conforms to its kind's schema.
template <class T>
[[nodiscard]] Webhook validating(ReviewFunction<const Review<T>&> function, WebhookOptions options = {}) {
  return {WebhookType::kValidating, kube::resource_of<T>(), std::move(options),
          [function](controller::Context&) -> Reviewing {
            return [function](const Request& request) { return detail::validate<T>(function, request); };
          }};
}

// The same with a class that has `validate(const Review<T>&)`.
template <class T, class Handler>
[[nodiscard]] Webhook validating(WebhookOptions options = {}) {
  return {WebhookType::kValidating, kube::resource_of<T>(), std::move(options),
          [](controller::Context& context) -> Reviewing {
            const auto call = [handler = std::make_shared<Handler>(context)](const Review<T>& review) {
              return handler->validate(review);
            };
            return [call](const Request& request) { return detail::validate<T>(call, request); };
          }};
}

}  // namespace keelson::webhook
