// The webhooks of one kind with the type of its spec forgotten, and what kubebuilder calls them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/kube/describe.hpp"
#include "keelson/kube/resource.hpp"
#include "keelson/webhook/admission.hpp"

namespace keelson::webhook {

struct Defaulted {
  Decision decision;
  // The whole new `spec` as JSON; nothing when it stays as it came.
  std::optional<std::string> spec;
};

using Defaulting = std::function<boost::asio::awaitable<Defaulted>(const Request&)>;
using Validating = std::function<boost::asio::awaitable<Decision>(const Request&)>;

struct KindWebhooks {
  kube::Resource resource;
  Defaulting defaulting;  // either may be empty
  Validating validating;
};

// "/mutate-batch-tutorial-kubebuilder-io-v1-cronjob" and "mcronjob-v1.kb.io", as kubebuilder 4 names them.
[[nodiscard]] std::string mutating_path(const kube::Resource& resource);
[[nodiscard]] std::string validating_path(const kube::Resource& resource);
[[nodiscard]] std::string mutating_name(const kube::Resource& resource);
[[nodiscard]] std::string validating_name(const kube::Resource& resource);

namespace detail {

// `came` with everything in it that differs between `before` and `after`, both as the description writes them.
[[nodiscard]] Defaulted overlay(json::View came, const std::string& before, const std::string& after);
// Of an update only what the old object was not refused for too: a rule that came later must not lock objects up.
[[nodiscard]] std::vector<kube::FieldError> without_known(std::vector<kube::FieldError> errors,
                                                          const std::vector<kube::FieldError>& known);

template <class Spec>
[[nodiscard]] boost::asio::awaitable<Defaulted> set_defaults(std::shared_ptr<Defaulter<Spec>> defaulter,
                                                             const Request& request) {
  const auto came = request.object.find("spec");
  auto spec = kube::decode<Spec>(came, "spec");
  if (!spec) co_return Defaulted{Decision::fail(400, spec.error().text), std::nullopt};
  const auto before = kube::encode(*spec);
  auto done = co_await defaulter->set_defaults(*spec, request);
  if (!done) co_return Defaulted{Decision::deny(done.error().message()), std::nullopt};
  co_return overlay(came, before, kube::encode(*spec));
}

template <class Spec>
[[nodiscard]] boost::asio::awaitable<Decision> validate(std::shared_ptr<Validator<Spec>> validator,
                                                        const Request& request) {
  const bool is_delete = request.operation == Operation::kDelete;
  const auto object = is_delete ? request.old_object : request.object;
  auto spec = kube::decode<Spec>(object.find("spec"), "spec");
  if (!spec) co_return Decision::fail(400, spec.error().text);
  Submission<Spec> submission{request, std::move(*spec), std::nullopt};
  std::vector<kube::FieldError> errors;
  if (!is_delete) errors = kube::validate(submission.spec, "spec");
  if (request.operation == Operation::kUpdate) {
    auto old_spec = kube::decode<Spec>(request.old_object.find("spec"), "spec");
    // An old object that cannot be read (it is older than its schema) has no say.
    if (old_spec) submission.old_spec = std::move(*old_spec);
    if (submission.old_spec) errors = without_known(std::move(errors), kube::validate(*submission.old_spec, "spec"));
  }
  if (!errors.empty()) co_return Decision::judge(std::move(errors));
  co_return co_await validator->validate(submission);
}

}  // namespace detail

template <class Spec>
[[nodiscard]] Defaulting defaulting_by(std::unique_ptr<Defaulter<Spec>> defaulter) {
  // Shared by the copies of a std::function; the coroutines hold it too, so that a stop cannot take it from them.
  std::shared_ptr<Defaulter<Spec>> shared = std::move(defaulter);
  return [shared](const Request& request) { return detail::set_defaults<Spec>(shared, request); };
}

template <class Spec>
[[nodiscard]] Validating validating_by(std::unique_ptr<Validator<Spec>> validator) {
  std::shared_ptr<Validator<Spec>> shared = std::move(validator);
  return [shared](const Request& request) { return detail::validate<Spec>(shared, request); };
}

}  // namespace keelson::webhook
