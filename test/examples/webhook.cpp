// The examples of include/keelson/webhook.
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/api/core/v1/pod.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/webhook/field_errors.hpp"

namespace webhook_example {

using namespace keelson;
namespace asio = boost::asio;

// [bakery]
struct BreadSpec {
  std::string flour;
  std::optional<std::int64_t> grams;
};
void describe(kube::Description& d, BreadSpec& spec) {
  d.field("flour", spec.flour, "The kind of flour.").required();
  d.field("grams", spec.grams, "The weight. Defaults to 500.");
}

class BreadDefaulter final : public webhook::Defaulter<BreadSpec> {
  Task<void> set_defaults(BreadSpec& spec, const webhook::Request&) override {
    if (!spec.grams) spec.grams = 500;
    co_return Result<void>();
  }
};

class BreadValidator final : public webhook::Validator<BreadSpec> {
  asio::awaitable<webhook::Decision> validate(const webhook::Submission<BreadSpec>& submission) override {
    const auto& old_spec = submission.old_spec;
    if (!old_spec || old_spec->flour == submission.spec.flour) co_return webhook::Decision::allow();
    co_return webhook::Decision::deny("the flour of a bread cannot be changed");
  }
  // Optional: registers the webhook for deletes too.
  asio::awaitable<webhook::Decision> validate_delete(const webhook::Submission<BreadSpec>& submission) override {
    if (submission.spec.flour != "rye") co_return webhook::Decision::allow();
    co_return webhook::Decision::deny("a bread of rye is eaten, not deleted");
  }
};

void add_webhooks(controller::Definition& bread) {
  bread.with_defaulter<BreadSpec>([](controller::Context&) { return std::make_unique<BreadDefaulter>(); })
      .with_validator<BreadSpec>([](controller::Context&) { return std::make_unique<BreadValidator>(); });
}
// [end]

core::v1::Container sidecar() { return {.name = "proxy", .image = "proxy:1"}; }

// [whole_object]
asio::awaitable<webhook::Decision> add_sidecar(core::v1::Pod& pod, const webhook::Request&) {
  pod.spec.containers.push_back(sidecar());
  co_return webhook::Decision::allow().warn("a proxy was added");
}

asio::awaitable<webhook::Decision> protect(const webhook::Review<core::v1::Namespace>& review) {
  if (!review.object.metadata.labels.contains("protected")) co_return webhook::Decision::allow();
  co_return webhook::Decision::deny("it has the label protected");
}

void add_mesh_webhooks(controller::Definition& mesh) {
  mesh.webhook(webhook::mutating<core::v1::Pod>(add_sidecar, {.operations = {webhook::Operation::kCreate},
                                                              .namespace_selector = "mesh=on"_selector}))
      .webhook(webhook::validating<core::v1::Namespace>(protect, {.operations = {webhook::Operation::kDelete}}));
}
// [end]

// [object_validator]
struct Bread : CustomResource<BreadSpec> {
  static constexpr kube::Identity kIdentity{"kitchen.example.com", "v1", "Bread"};
};

class WholeBreadValidator {
 public:
  explicit WholeBreadValidator(controller::Context&) {}

  asio::awaitable<webhook::Decision> validate(const webhook::Review<Bread>& review) {
    const auto& old_bread = review.old_object;
    if (review.object.metadata.deletion_timestamp || !old_bread) co_return webhook::Decision::allow();
    if (old_bread->metadata.labels == review.object.metadata.labels) co_return webhook::Decision::allow();
    co_return webhook::Decision::deny("the labels of a bread cannot be changed");
  }
  asio::awaitable<webhook::Decision> validate_delete(const webhook::Review<Bread>& review) {
    if (!review.object.metadata.annotations.contains("fresh")) co_return webhook::Decision::allow();
    co_return webhook::Decision::deny("bread " + review.object.name() + " is fresh");
  }
};

void add_bread_validator(controller::Definition& bread) {
  bread.webhook(webhook::validating<Bread, WholeBreadValidator>());
}
// [end]

// [webhook_options]
webhook::WebhookOptions for_web() {
  return {.failure_policy = webhook::FailurePolicy::kIgnore,
          .timeout = std::chrono::seconds(5),
          .object_selector = "app=web"_selector};
}
// [end]

// [decision]
webhook::Decision review_color(const std::string& color, const Result<int>& limit) {
  if (!limit) return limit.error();  // denied with 403 and the text of the Error
  if (!color.empty()) return webhook::Decision::allow().warn("spec.color is deprecated");
  return webhook::Decision::allow();
}
// [end]

// [field_errors]
webhook::Decision check_schedule(const std::string& schedule) {
  std::vector<kube::FieldError> errors;
  // spec.schedule: Invalid value: "": Empty spec string
  if (schedule.empty()) errors.push_back(webhook::invalid_value("spec.schedule", schedule, "Empty spec string"));
  return webhook::Decision::judge(std::move(errors));
}
// [end]

// [reviewed_object]
asio::awaitable<webhook::Decision> require_team(const webhook::Request& request) {
  auto labels = co_await request.object.read({"metadata", "labels"});
  if (!labels) co_return webhook::Decision::fail(500, labels.error().message());
  if (labels->root().find("team").string()) co_return webhook::Decision::allow();
  co_return webhook::Decision::deny("the label team is missing");
}
// [end]

}  // namespace webhook_example
