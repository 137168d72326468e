#include "keelson/controller/controller_for.hpp"

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/controller/finalizer.hpp"
#include "keelson/detail/controller/pass_state.hpp"

namespace keelson::controller::detail {
namespace asio = boost::asio;

PassSteps::PassSteps(Context& context, Kind kind)
    : kind_(std::move(kind)),
      state_(std::make_unique<PassState>(context, kind_.resource, kind_.status, kind_.shares_status)) {}

PassSteps::~PassSteps() = default;

Task<Outcome> PassSteps::reconcile(Attempt& attempt) {
  auto found = state_->informer.get(attempt.key);
  const bool is_finalized = found && !kind_.finalizer.empty() && has_finalizer(*found, kind_.finalizer);
  if (!found) attempt.log.info(kind_.resource.kind + " resource not found. Ignoring since object must be deleted.");
  if (!found || (found->deleting() && !is_finalized && !kind_.reconciles_deleting)) {
    state_->forget(attempt.key);
    forget(attempt.key);
    co_return Outcome::done();
  }
  if (auto pause = state_->pause_of(*found)) {
    co_return co_await state_->stay_paused(attempt, std::move(*found), std::move(*pause));
  }
  if (!kind_.finalizer.empty() && !is_finalized && !found->deleting()) {
    auto added = co_await state_->add_finalizer(attempt, *found, kind_.finalizer);
    if (!added) co_return co_await end_with(attempt, std::move(*found), std::move(added).error());
    // In a dry run the object does not change, so no change would start the next pass.
    if (!state_->context.is_dry_run()) co_return added;
  }
  co_return co_await run(attempt, std::move(*found), is_finalized);
}

asio::awaitable<bool> PassSteps::report_failure(Attempt& attempt, Error failure) {
  auto found = state_->informer.get(attempt.key);
  if (!found) co_return true;
  [[maybe_unused]] const auto ended = co_await end_with(attempt, std::move(*found), std::move(failure));
  co_return true;
}

void PassSteps::note_resumed(const Attempt& attempt) { state_->note_resumed(attempt); }

Task<std::optional<kube::Object>> PassSteps::end_pause(Attempt& attempt, kube::Object object) {
  return state_->end_pause(attempt, std::move(object));
}

Task<Outcome> PassSteps::remove_finalizer(Attempt& attempt, kube::Object object) {
  return state_->remove_finalizer(attempt, std::move(object), kind_.finalizer);
}

void misuse_finalizer(std::string_view of_class, std::string_view passed) {
  throw base::Misuse("the reconciler class declares the finalizer " + std::string(of_class) +
                     " with kFinalizer, and controller_for gets a Finalizer " + std::string(passed) +
                     ": remove one of them");
}

}  // namespace keelson::controller::detail
