// Admission webhooks for the spec of your own kind: a Defaulter, a Validator, or both. Start reading room `webhook`
// here.
//
// The API server calls an admission webhook over HTTPS before it stores an object. The Defaulter sets fields that the
// user left out (a mutating webhook), then the Validator allows or rejects the write (a validating webhook). Prefer
// constraints and CEL rules of the description (schema/describe.hpp): they are in the CRD and work without a running
// operator. Use webhooks for rules that these cannot express. whole_object.hpp has webhooks for objects of any kind,
// and for the metadata of your own.
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

#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/webhook/decision.hpp"
#include "keelson/detail/webhook/request.hpp"

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

}  // namespace keelson::webhook
