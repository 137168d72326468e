#include "keelson/manager/manager.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "keelson/async/task_group.hpp"
#include "keelson/async/timeout.hpp"
#include "keelson/base/go_text.hpp"

namespace keelson::manager {
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
  auto after = std::find_if(members_.begin(), members_.end(), [&](const Member& m) { return m.group > group; });
  members_.insert(after, Member{group, &runnable});
}

asio::awaitable<Result<void>> Manager::run(std::function<asio::awaitable<void>()> stop_requested) {
  auto started = co_await start_all();
  if (started) co_await stop_requested();
  auto stopped = co_await stop_all();
  log_.info("Wait completed, proceeding to shutdown the manager");
  if (!started) co_return started;
  co_return stopped;
}

asio::awaitable<Result<void>> Manager::start_all() {
  for (auto& member : members_) {
    ++started_;
    auto started = co_await member.runnable->start();
    if (!started) co_return std::move(started.error()).within("starting " + member.runnable->name());
  }
  co_return Result<void>();
}

asio::awaitable<Result<void>> Manager::stop_all() {
  // A century is for ever, and leaves room to add it to a time.
  auto deadline = clock_.now() + (grace_ < async::Duration{0} ? async::Duration(std::chrono::years(100)) : grace_);
  bool in_time = true;
  for (const auto& step : kStopOrder) {
    log_.info(step.message);
    auto stopped = co_await stop_group(step.group, deadline);
    in_time = in_time && stopped;
  }
  // Whoever grants no grace asked for the abort: controller-runtime calls that a success too.
  if (in_time || grace_ == async::Duration{0}) co_return Result<void>();
  co_return timeout("failed waiting for all runnables to end within grace period of " +
                    base::format_go_duration(grace_) + ": context deadline exceeded");
}

// True if the group stopped by itself; otherwise it has been aborted and has ended then.
asio::awaitable<bool> Manager::stop_group(Group group, async::TimePoint deadline) {
  std::vector<async::Runnable*> stopping;
  for (std::size_t place = 0; place < started_; ++place) {
    if (members_[place].group == group) stopping.push_back(members_[place].runnable);
  }
  bool in_time = true;
  auto left = std::max(deadline - clock_.now(), async::Duration{0});
  auto expired = clock_.call_at(clock_.now() + left, [&in_time, &stopping] {
    in_time = false;
    for (auto* runnable : stopping) runnable->abort();
  });
  auto body = [&stopping](async::TaskGroup& tasks) { return stop_side_by_side(tasks, stopping); };
  co_await async::with_task_group(body);
  co_return in_time;
}

}  // namespace keelson::manager
