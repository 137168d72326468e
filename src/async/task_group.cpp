#include "keelson/async/task_group.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <list>

#include "keelson/detail/async/is_cancelled.hpp"
#include "keelson/detail/base/assert.hpp"
#include "src/async/launch.hpp"
#include "src/async/suspend.hpp"

namespace keelson::async {
namespace asio = boost::asio;

struct TaskGroup::State {
  explicit State(asio::any_io_executor e) : executor(std::move(e)) {}

  void finished(std::list<asio::cancellation_signal>::iterator task, std::exception_ptr left_behind) {
    if (left_behind && !is_cancelled(left_behind) && !failure) failure = left_behind;
    tasks.erase(task);
    if (!tasks.empty()) return;
    for (auto& resume : std::exchange(joiners, {})) resume();
    emptied.notify_all();
  }

  asio::any_io_executor executor;
  std::list<asio::cancellation_signal> tasks;
  std::list<std::function<void()>> joiners;
  Notify emptied;
  std::exception_ptr failure;
  bool stopped = false;
};

TaskGroup::TaskGroup(asio::any_io_executor executor) : state_(std::make_shared<State>(std::move(executor))) {}

TaskGroup::~TaskGroup() { KEELSON_ASSERT(state_->tasks.empty()); }

void TaskGroup::spawn(asio::awaitable<void> task) {
  if (state_->stopped) return;
  auto place = state_->tasks.emplace(state_->tasks.end());
  // launch() would run the task up to its first await immediately, inside its parent.
  asio::post(state_->executor, [state = state_, place, task = std::move(task)]() mutable {
    if (state->stopped) {
      auto dropped = std::move(task);
      return state->finished(place, nullptr);
    }
    auto on_end = [state, place](std::exception_ptr left_behind) { state->finished(place, left_behind); };
    launch(state->executor, std::move(task), place->slot(), std::move(on_end));
  });
}

void TaskGroup::stop() {
  state_->stopped = true;
  // A task may end inside emit() and leave the list, so the next one is determined before.
  for (auto task = state_->tasks.begin(); task != state_->tasks.end();) {
    auto current = task++;
    current->emit(asio::cancellation_type::terminal);
  }
}

asio::awaitable<void> TaskGroup::join() {
  auto state = state_;
  auto throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  auto begin = [state](std::function<void()> resume) { state->joiners.push_back(std::move(resume)); };
  auto cancel = [] { return OnCancel::kKeepWaiting; };
  while (!state->tasks.empty()) co_await suspend(begin, cancel);
  co_await asio::this_coro::throw_if_cancelled(throws);
  if (state->failure) std::rethrow_exception(std::exchange(state->failure, nullptr));
}

asio::awaitable<void> TaskGroup::drain() {
  auto state = state_;
  while (!state->tasks.empty()) co_await state->emptied.wait();
}

bool TaskGroup::empty() const { return state_->tasks.empty(); }
bool TaskGroup::stopped() const { return state_->stopped; }
asio::any_io_executor TaskGroup::executor() const { return state_->executor; }

asio::awaitable<void> with_task_group(std::function<asio::awaitable<void>(TaskGroup&)> body) {
  auto executor = co_await asio::this_coro::executor;
  auto group = std::make_unique<TaskGroup>(executor);
  std::exception_ptr failure;
  try {
    co_await body(*group);
  } catch (...) {
    failure = std::current_exception();
  }
  group->stop();
  // A canceled coroutine must be able to wait here, and stays canceled afterwards.
  auto throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  try {
    co_await group->join();
  } catch (...) {
    if (!failure || is_cancelled(failure)) failure = std::current_exception();
  }
  co_await asio::this_coro::throw_if_cancelled(throws);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace keelson::async
