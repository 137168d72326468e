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
// construct it too, so its writes are not fenced. A class that also has `validate_delete` is registered for deletes.
//
// Example (test/examples/webhook.cpp#object_validator):
//   struct Bread : CustomResource<BreadSpec> {
//     static constexpr kube::Identity kIdentity{"kitchen.example.com", "v1", "Bread"};
//   };
//
//   class WholeBreadValidator {
//    public:
//     explicit WholeBreadValidator(controller::Context&) {}
//
//     asio::awaitable<webhook::Decision> validate(const webhook::Review<Bread>& review) {
//       const auto& old_bread = review.old_object;
//       if (review.object.metadata.deletion_timestamp || !old_bread) co_return webhook::Decision::allow();
//       if (old_bread->metadata.labels == review.object.metadata.labels) co_return webhook::Decision::allow();
//       co_return webhook::Decision::deny("the labels of a bread cannot be changed");
//     }
//     asio::awaitable<webhook::Decision> validate_delete(const webhook::Review<Bread>& review) {
//       if (!review.object.metadata.annotations.contains("fresh")) co_return webhook::Decision::allow();
//       co_return webhook::Decision::deny("bread " + review.object.name() + " is fresh");
//     }
//   };
//
//   void add_bread_validator(controller::Definition& bread) {
//     bread.webhook(webhook::validating<Bread, WholeBreadValidator>());
//   }
//
// Of your own kind, violations of the spec's description are rejected before the call, and a status that does not fit
// its struct is empty, because another version of the operator may have written it.
//
// T is the struct of the object in the review: any struct with `kIdentity` and described fields. A partial struct, with
// the fields that the webhook needs, uses less memory. Time limit, cancellation, exceptions, and objects that do not
// fit the struct: admission.hpp.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <concepts>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/detail/webhook/kind_webhooks.hpp"
#include "keelson/detail/webhook/review_function.hpp"
#include "keelson/detail/webhook/webhook.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::webhook {

namespace detail {

// A JSON patch of the object with the fields that differ between `before`, the decoded object, and `after`. Throws
// base::Misuse if the identity differs (name, namespace, uid, kind).
[[nodiscard]] boost::asio::awaitable<Reviewed> patch_object(const ReviewedObject& object, const kube::Type& type,
                                                            const void* before, const void* after, Decision decision);

// Your own kind: a CustomResource.
template <class T>
concept OwnKind = requires(T& object) {
  typename T::Spec;
  typename T::Status;
  object.metadata;
  object.spec;
  object.status;
};
template <class T>
struct WithoutStatus {
  decltype(T::metadata) metadata;
  decltype(T::spec) spec;
};
template <class T>
void describe(kube::Description& d, WithoutStatus<T>& object) {
  d.field("metadata", object.metadata, "");
  d.field("spec", object.spec, "");
}

// Decodes the object, or all but the status of your own kind if only that does not fit.
template <class T>
[[nodiscard]] Task<void> decode_object(const ReviewedObject& object, T& out) {
  auto decoded = co_await object.decode(kube::type_of<T>(), &out);
  if constexpr (OwnKind<T>) {
    if (decoded) co_return decoded;
    out = T{};
    WithoutStatus<T> rest{};
    decoded = co_await object.decode(kube::type_of<WithoutStatus<T>>(), &rest);
    out.metadata = std::move(rest.metadata);
    out.spec = std::move(rest.spec);
  }
  co_return decoded;
}

// What the write violates in the description of your own kind's spec, except for what the old object violates too.
template <class T>
[[nodiscard]] std::vector<kube::FieldError> violations_of(const Review<T>& review) {
  std::vector<kube::FieldError> errors;
  if constexpr (OwnKind<T>) {
    if (review.request.operation == Operation::kDelete) return errors;
    errors = kube::validate(review.object.spec, "spec");
    if (!review.old_object) return errors;
    return without_known(std::move(errors), kube::validate(review.old_object->spec, "spec"));
  }
  return errors;
}

// The class has `validate_delete`, which is called for deletes instead of `validate`.
template <class T, class Handler>
inline constexpr bool kHasValidateDelete =
    requires(Handler& handler, const Review<T>& review) { handler.validate_delete(review); };

template <class T, class Handler>
[[nodiscard]] boost::asio::awaitable<Decision> call_validator(Handler& handler, const Review<T>& review) {
  if constexpr (kHasValidateDelete<T, Handler>) {
    if (review.request.operation == Operation::kDelete) return handler.validate_delete(review);
  }
  return handler.validate(review);
}

template <class T, class Function>
[[nodiscard]] boost::asio::awaitable<Reviewed> mutate(Function function, const Request& request) {
  T object{};
  auto decoded = co_await decode_object(request.object, object);
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
  auto decoded = co_await decode_object(object, review.object);
  if (!decoded) co_return Reviewed{reject_content(decoded.error())};
  if (request.operation == Operation::kUpdate) {
    auto old_decoded = co_await decode_object(request.old_object, review.old_object.emplace());
    if (!old_decoded) review.old_object.reset();
  }
  auto errors = violations_of(review);
  if (!errors.empty()) co_return Reviewed{Decision::judge(std::move(errors))};
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
  constexpr bool kHasContext = std::constructible_from<Handler, controller::Context&>;
  constexpr bool kMutates =
      requires(Handler& handler, T& object, const Request& request) { handler.mutate(object, request); };
  static_assert(kHasContext,
                "the class of a webhook is constructed with the Context: give it `explicit Handler("
                "controller::Context& context)`, even if it does not use the Context");
  static_assert(kMutates,
                "the class of a mutating webhook has the public function `boost::asio::awaitable<webhook::Decision> "
                "mutate(T& object, const webhook::Request& request)`");
  Webhook declared{WebhookType::kMutating, kube::resource_of<T>(), std::move(options), {}};
  if constexpr (kHasContext && kMutates) {
    declared.make = [](controller::Context& context) -> Reviewing {
      // Shared because a std::function must be copyable; the coroutines own it too.
      const auto call = [handler = std::make_shared<Handler>(context)](T& object, const Request& request) {
        return handler->mutate(object, request);
      };
      return [call](const Request& request) { return detail::mutate<T>(call, request); };
    };
  }
  return declared;
}

// A validating webhook: it is called after all mutating webhooks, with an object that conforms to its kind's schema.
template <class T>
[[nodiscard]] Webhook validating(ReviewFunction<const Review<T>&> function, WebhookOptions options = {}) {
  return {WebhookType::kValidating, kube::resource_of<T>(), std::move(options),
          [function](controller::Context&) -> Reviewing {
            return [function](const Request& request) { return detail::validate<T>(function, request); };
          }};
}

// The same with a class that has `validate(const Review<T>&)`. If it also has `validate_delete(const Review<T>&)`, the
// webhook is registered for deletes too, and that function reviews them: `review.object` is the object to be deleted.
template <class T, class Handler>
[[nodiscard]] Webhook validating(WebhookOptions options = {}) {
  constexpr bool kHasContext = std::constructible_from<Handler, controller::Context&>;
  constexpr bool kValidates = requires(Handler& handler, const Review<T>& review) { handler.validate(review); };
  static_assert(kHasContext,
                "the class of a webhook is constructed with the Context: give it `explicit Handler("
                "controller::Context& context)`, even if it does not use the Context");
  static_assert(
      kValidates,
      "the class of a validating webhook has the public function `boost::asio::awaitable<webhook::Decision> "
      "validate(const webhook::Review<T>& review)`, and for deletes `validate_delete` with the same parameter");
  if constexpr (detail::kHasValidateDelete<T, Handler>) add_operation(options, Operation::kDelete);
  Webhook declared{WebhookType::kValidating, kube::resource_of<T>(), std::move(options), {}};
  if constexpr (kHasContext && kValidates) {
    declared.make = [](controller::Context& context) -> Reviewing {
      const auto call = [handler = std::make_shared<Handler>(context)](const Review<T>& review) {
        return detail::call_validator<T>(*handler, review);
      };
      return [call](const Request& request) { return detail::validate<T>(call, request); };
    };
  }
  return declared;
}

}  // namespace keelson::webhook
