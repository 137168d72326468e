#include "keelson/detail/lifecycle/manager.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <string_view>

#include "keelson/detail/async/is_cancelled.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"

namespace keelson::lifecycle {
namespace asio = boost::asio;

namespace {

struct StopStep {
  Group group;
  std::string_view message;
};
constexpr std::array kStopOrder{
    StopStep{Group::kControllers, "Stopping and waiting for leader election runnables"},
    StopStep{Group::kOthers, "Stopping and waiting for non leader election runnables"},
    StopStep{Group::kCaches, "Stopping and waiting for caches"},
    StopStep{Group::kWebhooks, "Stopping and waiting for webhooks"},
    StopStep{Group::kServers, "Stopping and waiting for HTTP servers"},
};

asio::awaitable<void> stop_side_by_side(async::TaskGroup& tasks, const std::vector<async::Runnable*>& stopping) {
  for (auto* runnable : stopping) tasks.spawn(runnable->stop());
  co_await tasks.join();
}

}  // namespace

void Manager::add(Group group, async::Runnable& runnable) {
  auto after = std::ranges::find_if(members_, [&](const Member& m) { return m.group > group; });
  members_.insert(after, Member{group, &runnable});
}

void Manager::elect_by(leader::Elector& elector) {
  elector_ = &elector;
  elector.on_change([this] { follow_election(); });
}

Task<void> Manager::run(std::function<asio::awaitable<void>()> stop_requested) {
  auto started = co_await start_until(elector_ == nullptr ? Group::kEnd : Group::kControllers);
  if (started && elector_ == nullptr) co_await stop_requested();
  if (started && elector_ != nullptr) {
    auto leading = [&](async::TaskGroup& tasks) { return lead(tasks, stop_requested(), started); };
    co_await async::with_task_group(leading);
  }
  auto stopped = co_await stop_all();
  log_.info("Wait completed, proceeding to shutdown the manager");
  if (!started) co_return started;
  if (has_lost()) co_return Error(Error::Kind::kFenced, "leader election lost");
  co_return stopped;
}

Task<void> Manager::start_until(Group end) {
  while (started_ < members_.size() && members_[started_].group < end) {
    auto& runnable = *members_[started_++].runnable;
    auto started = co_await runnable.start();
    if (!started) co_return std::move(started.error()).with_context("starting " + runnable.name());
  }
  co_return Result<void>();
}

// Decision: docs/decisions/0007-losing-leadership-exits-immediately.md
// Returns when a stop is requested, the lease is lost, or a controller fails to start.
asio::awaitable<void> Manager::lead(async::TaskGroup& tasks, asio::awaitable<void> stop_requested,
                                    Result<void>& started) {
  tasks.spawn(note_stop(std::move(stop_requested)));
  started = co_await elector_->start();
  while (started && !is_stopping_ && elector_->state() == leader::Elector::State::kStandby) co_await changed_.wait();
  if (started && !is_stopping_ && !has_lost()) started = co_await start_until(Group::kEnd);
  while (started && !is_stopping_ && !has_lost()) co_await changed_.wait();
}

asio::awaitable<void> Manager::note_stop(asio::awaitable<void> stop_requested) {
  co_await std::move(stop_requested);
  is_stopping_ = true;
  changed_.notify_all();
}

bool Manager::has_lost() const { return elector_ != nullptr && elector_->state() == leader::Elector::State::kLost; }

// After the loss of the lease no work may finish: the group that is stopping is aborted, and later groups get no time.
void Manager::follow_election() {
  changed_.notify_all();
  if (!has_lost()) return;
  stop_deadline_ = clock_.now();
  if (abort_) abort_();
}

Task<void> Manager::stop_all() {
  // A century means no limit: unlike the maximum, it does not overflow when it is added to a time.
  auto grace = grace_ < async::Duration{0} ? async::Duration(std::chrono::years(100)) : grace_;
  stop_deadline_ = clock_.now() + (has_lost() ? async::Duration{0} : grace);
  // A standby that is stopping must not acquire a lease that the leader releases at the same time.
  const bool is_standby = elector_ != nullptr && elector_->state() == leader::Elector::State::kStandby;
  if (is_standby) co_await stop_elector();
  bool in_time = true;
  for (const auto& step : kStopOrder) {
    log_.info(step.message);
    auto stopped = co_await stop_group(step.group);
    if (!stopped && step.group == Group::kControllers && elector_ != nullptr) elector_->forgo_release();
    in_time = in_time && stopped;
  }
  if (elector_ != nullptr && !is_standby) co_await stop_elector();
  if (broken_) co_return std::move(*broken_);
  // Without a grace period the abort is intended: a success, as in controller-runtime.
  if (in_time || grace_ == async::Duration{0}) co_return Result<void>();
  co_return timeout_error("failed waiting for all runnables to end within grace period of " +
                          base::format_go_duration(grace_) + ": context deadline exceeded");
}

// True if the group stopped by itself; otherwise it was aborted. It has ended in both cases.
asio::awaitable<bool> Manager::stop_group(Group group) {
  std::vector<async::Runnable*> stopping;
  for (std::size_t place = 0; place < started_; ++place) {
    if (members_[place].group == group) stopping.push_back(members_[place].runnable);
  }
  bool in_time = true;
  abort_ = [&in_time, &stopping] {
    in_time = false;
    for (auto* runnable : stopping) runnable->abort();
  };
  auto expired = clock_.call_at(std::max(stop_deadline_, clock_.now()), [this] { abort_(); });
  auto body = [&stopping](async::TaskGroup& tasks) { return stop_side_by_side(tasks, stopping); };
  co_await survive(async::with_task_group(body));
  abort_ = nullptr;
  co_return in_time;
}

asio::awaitable<void> Manager::stop_elector() { co_await survive(elector_->stop()); }

// An exception of one service must not prevent the stop of the others and the release of the lease.
asio::awaitable<void> Manager::survive(asio::awaitable<void> stop) {
  try {
    co_await std::move(stop);
  } catch (const std::bad_alloc&) {
    base::assertion_failed("out of memory while stopping", __FILE__, __LINE__);
  } catch (const std::exception& exception) {
    abort_ = nullptr;
    if (async::is_cancelled(std::current_exception())) throw;
    log_.error(invalid_error(exception.what()), "Unhandled exception in a service");
    broken_ = invalid_error("unhandled exception in a service: " + std::string(exception.what()));
  }
}

}  // namespace keelson::lifecycle
