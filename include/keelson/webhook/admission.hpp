// What the author of an operator implements to have a say in writes of a kind: a Defaulter, a Validator, or both.
//
//   class CronJobDefaulter final : public webhook::Defaulter<CronJobSpec> {
//     asio::awaitable<Result<void>> set_defaults(CronJobSpec& spec, const webhook::Request& request) override {
//       if (!spec.suspend) spec.suspend = false;
//       co_return Result<void>();
//     }
//   };
//   controller_for<CronJob>(reconcile)
//       .defaulted_by<CronJobSpec>([](controller::Context&) { return std::make_unique<CronJobDefaulter>(); })
//
// Spec is the described struct behind the object's `spec`. The API server waits meanwhile, so do little and ask nobody
// who may be slow. Cancellation unwinds (the API server went away, or its timeout has passed). An exception is counted
// as a panic and answered with 500 inside.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>

#include "keelson/base/result.hpp"
#include "keelson/webhook/decision.hpp"
#include "keelson/webhook/request.hpp"

namespace keelson::webhook {

template <class Spec>
class Defaulter {
 public:
  virtual ~Defaulter() = default;
  // Fills in what was left out; called for creates and updates. What the description does not know stays as it came,
  // and only what changed here is patched. An error denies the write with its text.
  [[nodiscard]] virtual boost::asio::awaitable<Result<void>> set_defaults(Spec& spec, const Request& request) = 0;
};

template <class Spec>
struct Submission {
  const Request& request;
  Spec spec;                     // for a delete the old object's
  std::optional<Spec> old_spec;  // for an update
};

template <class Spec>
class Validator {
 public:
  virtual ~Validator() = default;
  // Called for creates and updates, and for deletes if the definition says `.validates_deletes()` (ask
  // `request.operation`), of an object that meets its schema: what the
  // description refuses has been answered already, but for what an update leaves as it was.
  [[nodiscard]] virtual boost::asio::awaitable<Decision> validate(const Submission<Spec>& submission) = 0;
};

}  // namespace keelson::webhook
