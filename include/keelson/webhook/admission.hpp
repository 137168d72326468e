// Admission webhooks for the spec of your own kind: a Defaulter, a Validator, or both. Start reading room `webhook`
// here.
//
// The API server calls an admission webhook over HTTPS before it stores an object. The Defaulter sets fields that the
// user left out (a mutating webhook), then the Validator allows or rejects the write (a validating webhook). Prefer
// constraints and CEL rules of the description (schema/describe.hpp): they are in the CRD and work without a running
// operator. Use webhooks for rules that these cannot express. mutating() and validating() are webhooks for objects of
// any kind, and for the metadata of your own.
//
// Example (test/examples/webhook.cpp#bakery):
//   struct BreadSpec {
//     std::string flour;
//     std::optional<std::int64_t> grams;
//   };
//   void describe(kube::Description& d, BreadSpec& spec) {
//     d.field("flour", spec.flour, "The kind of flour.").required();
//     d.field("grams", spec.grams, "The weight. Defaults to 500.");
//   }
//
//   class BreadDefaulter final : public webhook::Defaulter<BreadSpec> {
//     Task<void> set_defaults(BreadSpec& spec, const webhook::Request&) override {
//       if (!spec.grams) spec.grams = 500;
//       co_return Result<void>();
//     }
//   };
//
//   class BreadValidator final : public webhook::Validator<BreadSpec> {
//     asio::awaitable<webhook::Decision> validate(const webhook::Submission<BreadSpec>& submission) override {
//       const auto& old_spec = submission.old_spec;
//       if (!old_spec || old_spec->flour == submission.spec.flour) co_return webhook::Decision::allow();
//       co_return webhook::Decision::deny("the flour of a bread cannot be changed");
//     }
//     // Optional: registers the webhook for deletes too.
//     asio::awaitable<webhook::Decision> validate_delete(const webhook::Submission<BreadSpec>& submission) override {
//       if (submission.spec.flour != "rye") co_return webhook::Decision::allow();
//       co_return webhook::Decision::deny("a bread of rye is eaten, not deleted");
//     }
//   };
//
//   void add_webhooks(controller::Definition& bread) {
//     bread.with_defaulter<BreadSpec>([](controller::Context&) { return std::make_unique<BreadDefaulter>(); })
//         .with_validator<BreadSpec>([](controller::Context&) { return std::make_unique<BreadValidator>(); });
//   }
//
// Spec is the described struct of the object's `spec`. A spec that does not fit it is denied without a call, with 400,
// or 413 if it needs too much memory.
//
// Ownership: the server owns the Defaulter and the Validator and calls them concurrently, on its single thread: another
// call may change their members during a co_await. The parameters live until the coroutine has returned.
//
// Time: the API server waits for the answer (10 s by default, WebhookOptions::timeout), and so does the user. Do not
// call slow services. After this time the review is answered with code 504.
//
// Cancellation destroys the coroutine at its co_await when its timeout has passed, or at most 5 s after the server
// begins to stop. A closed connection does not cancel it. An exception is counted as a panic and answered with code 500
// in the review.
//
// Every replica serves webhooks, standbys too, so writes of a webhook are not fenced by the lease.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <concepts>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/webhook/request.hpp"
#include "keelson/detail/webhook/webhook.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::webhook {

template <class Spec>
class Defaulter {
 public:
  virtual ~Defaulter() = default;
  // Sets defaults in `spec`; called for creates and updates, before the validation. Only the fields that it changes are
  // patched, and fields that the description does not know are left alone. The API server may call it again for the
  // same write, so it must give the same result for its own output. An Error denies the write (403) with its text.
  [[nodiscard]] virtual Task<void> set_defaults(Spec& spec, const Request& request) = 0;
};

// The parameter of a Validator.
template <class Spec>
struct Submission {
  const Request& request;
  Spec spec;                     // of a delete: that of the object to be deleted
  std::optional<Spec> old_spec;  // of an update; empty if it does not fit the struct
};

template <class Spec>
class Validator {
 public:
  virtual ~Validator() = default;
  // Called for creates and updates; `request.operation` is the operation. Violations of the description are rejected
  // before this call, except those that an update leaves unchanged: otherwise finalizers could never be removed from
  // objects that are older than a rule. For the same reason, allow updates of an object that is being deleted
  // (ReviewedObject::deleting).
  [[nodiscard]] virtual boost::asio::awaitable<Decision> validate(const Submission<Spec>& submission) = 0;
  // Called for deletes, which the webhook is registered for if a class overrides this, or if the definition has
  // `.validates_deletes()`. The user gets the text of a denial, and the object remains. The default calls validate().
  [[nodiscard]] virtual boost::asio::awaitable<Decision> validate_delete(const Submission<Spec>& submission) {
    return validate(submission);
  }
};

// Whether the class of a validator has a validate_delete() of its own. False for Validator itself, as which a function
// may return it: `.validates_deletes()` then registers deletes.
template <class Spec, class V>
[[nodiscard]] constexpr bool validates_deletes() {
  // The member's type names the class that declares it. One that cannot be named here is private, so it is an override.
  if constexpr (requires { &V::validate_delete; }) {
    using Inherited = boost::asio::awaitable<Decision> (Validator<Spec>::*)(const Submission<Spec>&);
    return !std::same_as<decltype(&V::validate_delete), Inherited>;
  }
  return true;
}

// The rest converts a Defaulter or a Validator to the function that the webhook server calls, for
// Definition::with_defaulter and Definition::with_validator.
//
// A Validator sees only specs that satisfy the constraints of the description, even if the CRD in the cluster is older
// than the program and does not have them; an update may keep the violations of the old object. A Defaulter is called
// without this check, because its defaults may be what is missing. CEL rules and formats are left to the API server.
namespace detail {

// A JSON patch of the object's spec, empty if nothing has changed, with the fields that differ between `before` and
// `after`, two values of `type`.
[[nodiscard]] boost::asio::awaitable<Reviewed> patch_spec(const ReviewedObject& object, const kube::Type& type,
                                                          const void* before, const void* after);
// The errors of an update that the old object does not have too. Objects that are older than a rule can still be
// updated: otherwise not even their finalizers could be removed. An error of another value in the same field is new.
[[nodiscard]] std::vector<kube::FieldError> without_known(std::vector<kube::FieldError> errors,
                                                          const std::vector<kube::FieldError>& known);

// The review of a mutating webhook. An Error of the defaulter denies the request with 403 and its text. Fields that the
// struct does not have are unchanged, because only differences between `before` and `spec` are patched.
template <class Spec>
[[nodiscard]] boost::asio::awaitable<Reviewed> set_defaults(std::shared_ptr<Defaulter<Spec>> defaulter,
                                                            const Request& request) {
  Spec spec{};
  auto decoded = co_await request.object.decode_spec(kube::type_of<Spec>(), &spec);
  if (!decoded) co_return Reviewed{reject_content(decoded.error())};
  // For the comparison afterwards; only changes are patched.
  const Spec before = spec;
  auto done = co_await defaulter->set_defaults(spec, request);
  if (!done) co_return Reviewed{done.error()};
  auto patched = co_await patch_spec(request.object, kube::type_of<Spec>(), &before, &spec);
  co_return patched;
}

// The review of a validating webhook. A delete reviews the old object, and does not check it against its description:
// objects that are older than a rule can still be deleted.
template <class Spec>
[[nodiscard]] boost::asio::awaitable<Reviewed> validate(std::shared_ptr<Validator<Spec>> validator,
                                                        const Request& request) {
  const bool is_delete = request.operation == Operation::kDelete;
  const auto& object = is_delete ? request.old_object : request.object;
  Submission<Spec> submission{request, Spec{}, std::nullopt};
  auto decoded = co_await object.decode_spec(kube::type_of<Spec>(), &submission.spec);
  if (!decoded) co_return Reviewed{reject_content(decoded.error())};
  // Violations of the description deny the write before the validator is called.
  std::vector<kube::FieldError> errors;
  if (!is_delete) errors = kube::validate(submission.spec, "spec");
  if (request.operation == Operation::kUpdate) {
    auto& old_spec = submission.old_spec.emplace();
    auto old_decoded = co_await request.old_object.decode_spec(kube::type_of<Spec>(), &old_spec);
    // The old object does not fit the struct if it is older than its schema. Then all errors of the new one count.
    if (!old_decoded) submission.old_spec.reset();
    if (submission.old_spec) errors = without_known(std::move(errors), kube::validate(*submission.old_spec, "spec"));
  }
  if (!errors.empty()) co_return Reviewed{Decision::judge(std::move(errors))};
  auto decision = co_await (is_delete ? validator->validate_delete(submission) : validator->validate(submission));
  co_return Reviewed{std::move(decision)};
}

}  // namespace detail

// Decodes the spec, calls the defaulter, and patches the fields that it changed. A spec that does not fit the struct is
// denied with 400, and one that needs too much memory with 413. The result owns the defaulter.
template <class Spec>
[[nodiscard]] Reviewing defaulting_by(std::unique_ptr<Defaulter<Spec>> defaulter) {
  // The copies of a std::function share it. The coroutines own it too, so that it outlives them during a stop. The
  // request outlives the coroutine anyway, so it is passed by reference.
  std::shared_ptr<Defaulter<Spec>> shared = std::move(defaulter);
  return [shared](const Request& request) { return detail::set_defaults<Spec>(shared, request); };
}

// Decodes the spec (and the old one), checks it against its description, and calls the validator if it is valid.
// Otherwise the request is denied with 422 and a cause for each field. The result owns the validator.
template <class Spec>
[[nodiscard]] Reviewing validating_by(std::unique_ptr<Validator<Spec>> validator) {
  std::shared_ptr<Validator<Spec>> shared = std::move(validator);
  return [shared](const Request& request) { return detail::validate<Spec>(shared, request); };
}

// Webhooks for whole objects of any kind: those of Kubernetes (keelson/api) and your own. For the spec of your own
// kind, a Defaulter and a Validator are simpler.
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
// the fields that the webhook needs, uses less memory.

// The parameter of a validating webhook's function. Changes of `object` have no effect: only mutating webhooks patch. A
// struct has what T describes; request.object.read() reads other fields.
template <class T>
struct Review {
  const Request& request;       // who writes, and what: lives until the coroutine has returned
  T object;                     // of a delete: the object to be deleted
  std::optional<T> old_object;  // of an update; empty if it does not fit T
};

// A value that is one function pointer. A mutating webhook has a `ReviewFunction<T&, const Request&>`, a validating one
// a `ReviewFunction<const Review<T>&>`.
template <class... Arguments>
class ReviewFunction {
 public:
  using Pointer = boost::asio::awaitable<Decision> (*)(Arguments...);

  // Accepts everything that can be passed, only to reject what would not work with a helpful compile error: a lambda
  // with captures, another signature, and a function that is no coroutine.
  // NOLINTBEGIN(google-explicit-constructor,bugprone-forwarding-reference-overload): functions convert implicitly
  template <class Function>
    requires(!std::same_as<std::remove_cvref_t<Function>, ReviewFunction>)
  ReviewFunction(Function&& function) {
    constexpr bool kFits = std::is_convertible_v<Function, Pointer>;
    constexpr bool kHasSignature = std::is_invocable_r_v<boost::asio::awaitable<Decision>, Function&, Arguments...>;
    constexpr bool kHasNoCaptures = kFits || !kHasSignature;
    constexpr bool kIsReviewFunction = kFits || kHasSignature;
    static_assert(kHasNoCaptures,
                  "the function of a webhook cannot have captures: it is a coroutine, and would read them from a "
                  "lambda object that is gone. Use a function, or a lambda without captures. For state of your own, "
                  "use a class that is constructed with the controller::Context: webhook::mutating<T, Handler>()");
    static_assert(kIsReviewFunction,
                  "the function of a mutating webhook is `boost::asio::awaitable<webhook::Decision> f(T& object, const "
                  "webhook::Request& request)`, that of a validating one `boost::asio::awaitable<webhook::Decision> "
                  "f(const webhook::Review<T>& review)`");
    if constexpr (kFits) function_ = std::forward<Function>(function);
  }
  // NOLINTEND(google-explicit-constructor,bugprone-forwarding-reference-overload)

  // The arguments must outlive the coroutine.
  [[nodiscard]] boost::asio::awaitable<Decision> operator()(Arguments... arguments) const {
    return function_(arguments...);
  }

 private:
  Pointer function_ = nullptr;
};

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
