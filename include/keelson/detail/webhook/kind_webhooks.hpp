// Converts a Defaulter or a Validator (admission.hpp) to the function that the webhook server calls.
//
// Definition::with_defaulter and Definition::with_validator use it. Authors do not need this header, except to call a
// Defaulter or a Validator as the server does.
//
// A Validator sees only specs that satisfy the constraints of the description, even if the CRD in the cluster is older
// than the program and does not have them; an update may keep the violations of the old object. A Defaulter is called
// without this check, because its defaults may be what is missing. CEL rules and formats are left to the API server.
//
// Lifetimes: the parameters of the author's code live until its coroutine has returned. The result refers to nothing.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "keelson/detail/webhook/webhook.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/webhook/admission.hpp"

namespace keelson::webhook {

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

}  // namespace keelson::webhook
