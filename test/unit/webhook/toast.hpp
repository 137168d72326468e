// A kind for the tests of this room: Toast, with a defaulter and a validator as in an operator.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/webhook/admission.hpp"
#include "keelson/webhook/field_errors.hpp"

namespace keelson::testing {

struct Topping {
  std::string kind;
};

struct ToastSpec {
  std::int32_t slices = 0;
  std::optional<std::string> browning;
  std::vector<Topping> toppings;
};

inline void describe(kube::Description& d, Topping& topping) { d.field("kind", topping.kind, "What."); }

inline void describe(kube::Description& d, ToastSpec& spec) {
  d.field("slices", spec.slices, "How many.").minimum(0);
  d.field("browning", spec.browning, "How dark.");
  d.field("toppings", spec.toppings, "What is on it.");
}

inline kube::Resource toasts() { return {"kitchen.example.com", "v1", "Toast", "toasts"}; }

inline webhook::ServedWebhook served_toasts(webhook::WebhookType type, webhook::Reviewing review) {
  const bool is_mutating = type == webhook::WebhookType::kMutating;
  return {type, std::string(is_mutating ? "/mutate" : "/validate") + "-kitchen-example-com-v1-toast", toasts(),
          std::move(review)};
}

class ToastDefaulter final : public webhook::Defaulter<ToastSpec> {
 public:
  Task<void> set_defaults(ToastSpec& spec, const webhook::Request&) override {
    if (spec.slices == 13) co_return invalid_error("thirteen is refused");
    if (spec.slices == 99) throw std::runtime_error("the toaster burns");
    if (!spec.browning) spec.browning = "medium";
    std::erase_if(spec.toppings, [](const Topping& topping) { return topping.kind == "none"; });
    for (auto& topping : spec.toppings) {
      if (topping.kind.empty()) topping.kind = "butter";
    }
    co_return Result<void>();
  }
};

class ToastValidator final : public webhook::Validator<ToastSpec> {
 public:
  boost::asio::awaitable<webhook::Decision> validate(const webhook::Submission<ToastSpec>& submission) override {
    using webhook::Decision;
    const auto& spec = submission.spec;
    if (submission.request.operation == webhook::Operation::kDelete) {
      if (spec.browning == "dark") co_return Decision::deny("dark toast stays");
      co_return Decision::allow();
    }
    if (spec.slices == 99) throw std::runtime_error("the toaster burns");
    std::vector<kube::FieldError> errors;
    if (submission.request.key.name.size() > 10) {
      errors.push_back(webhook::invalid_value("metadata.name", submission.request.key.name, "too long for a toast"));
    }
    if (spec.browning == "burnt") {
      errors.push_back(webhook::invalid_value("spec.browning", *spec.browning, "nobody eats that"));
    }
    auto decision = Decision::judge(std::move(errors));
    if (spec.slices > 6) decision.warn("more than six slices are cold before they are eaten");
    co_return decision;
  }
};

}  // namespace keelson::testing
