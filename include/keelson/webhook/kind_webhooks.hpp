// Converts a Defaulter or a Validator (admission.hpp) to the function that the webhook server calls.
//
// Definition::with_defaulter and Definition::with_validator use it. Authors do not need this header.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "keelson/schema/describe.hpp"
#include "keelson/webhook/admission.hpp"
#include "keelson/webhook/webhook.hpp"

namespace keelson::webhook {

namespace detail {

// A JSON patch of the object's spec with the fields that differ between `before` and `after`, two values of `type`.
[[nodiscard]] boost::asio::awaitable<Reviewed> patch_spec(const ReviewedObject& object, const kube::Type& type,
                                                          const void* before, const void* after);
// The errors of an update that the old object does not have too. Objects that are older than a rule can still be
// updated.
[[nodiscard]] std::vector<kube::FieldError> without_known(std::vector<kube::FieldError> errors,
                                                          const std::vector<kube::FieldError>& known);

template <class Spec>
[[nodiscard]] boost::asio::awaitable<Reviewed> set_defaults(std::shared_ptr<Defaulter<Spec>> defaulter,
                                                            const Request& request) {
  Spec spec{};
  auto decoded = co_await request.object.decode_spec(kube::type_of<Spec>(), &spec);
  if (!decoded) co_return Reviewed{reject_content(decoded.error())};
  const Spec before = spec;
  auto done = co_await defaulter->set_defaults(spec, request);
  if (!done) co_return Reviewed{done.error()};
  auto patched = co_await patch_spec(request.object, kube::type_of<Spec>(), &before, &spec);
  co_return patched;
}

template <class Spec>
[[nodiscard]] boost::asio::awaitable<Reviewed> validate(std::shared_ptr<Validator<Spec>> validator,
                                                        const Request& request) {
  const bool is_delete = request.operation == Operation::kDelete;
  const auto& object = is_delete ? request.old_object : request.object;
  Submission<Spec> submission{request, Spec{}, std::nullopt};
  auto decoded = co_await object.decode_spec(kube::type_of<Spec>(), &submission.spec);
  if (!decoded) co_return Reviewed{reject_content(decoded.error())};
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
  auto decision = co_await validator->validate(submission);
  co_return Reviewed{std::move(decision)};
}

}  // namespace detail

// Decodes the spec, calls the defaulter, and patches the fields that it changed. A spec that does not fit the struct is
// denied with 400, and one that needs too much memory with 413.
template <class Spec>
[[nodiscard]] Reviewing defaulting_by(std::unique_ptr<Defaulter<Spec>> defaulter) {
  // The copies of a std::function share it. The coroutines own it too, so that it outlives them during a stop.
  std::shared_ptr<Defaulter<Spec>> shared = std::move(defaulter);
  return [shared](const Request& request) { return detail::set_defaults<Spec>(shared, request); };
}

// Decodes the spec (and the old one), checks it against its description, and calls the validator if it is valid.
template <class Spec>
[[nodiscard]] Reviewing validating_by(std::unique_ptr<Validator<Spec>> validator) {
  std::shared_ptr<Validator<Spec>> shared = std::move(validator);
  return [shared](const Request& request) { return detail::validate<Spec>(shared, request); };
}

}  // namespace keelson::webhook
