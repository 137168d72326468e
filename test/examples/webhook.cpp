// The example of include/keelson/webhook/admission.hpp: a Defaulter, a Validator and their registration.
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "keelson/controller/definition.hpp"

namespace {

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
  asio::awaitable<Result<void>> set_defaults(BreadSpec& spec, const webhook::Request&) override {
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
};

void add_webhooks(controller::Definition& bread) {
  bread.with_defaulter<BreadSpec>([](controller::Context&) { return std::make_unique<BreadDefaulter>(); })
      .with_validator<BreadSpec>([](controller::Context&) { return std::make_unique<BreadValidator>(); });
}
// [end]

[[maybe_unused]] void define(controller::Definition& bread) { add_webhooks(bread); }

}  // namespace
