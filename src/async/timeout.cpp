#include "keelson/detail/async/timeout.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/this_coro.hpp>

#include "keelson/detail/async/is_cancelled.hpp"
#include "src/async/launch.hpp"
#include "src/async/suspend.hpp"

namespace keelson::async {
namespace asio = boost::asio;

namespace {

// The work with a timeout: a separate coroutine, so that it can be canceled without its caller.
struct Bounded {
  asio::cancellation_signal stop;
  std::exception_ptr failure;
  bool expired = false;
  bool cancelled_from_outside = false;
};

// Cancels the work when its deadline has passed; sets its timer again if the deadline has moved.
class Watchdog {
 public:
  Watchdog(Clock& clock, std::function<TimePoint()> deadline, Bounded& bounded)
      : clock_(clock), deadline_(std::move(deadline)), bounded_(bounded) {
    arm(deadline_());
  }
  void stop() { timer_.reset(); }

 private:
  void arm(TimePoint when) {
    timer_ = clock_.call_at(when, [this] { look(); });
  }
  void look() {
    auto until = deadline_();
    if (clock_.now() < until) return arm(until);
    bounded_.expired = true;
    bounded_.stop.emit(asio::cancellation_type::terminal);
  }

  Clock& clock_;
  std::function<TimePoint()> deadline_;
  Bounded& bounded_;
  std::unique_ptr<Timer> timer_;
};

}  // namespace

asio::awaitable<bool> finish_within(Clock& clock, Duration limit, asio::awaitable<void> work) {
  auto when = clock.now() + limit;
  auto deadline = [when] { return when; };
  auto finished = co_await finish_while_alive(clock, deadline, std::move(work));
  co_return finished;
}

asio::awaitable<bool> finish_while_alive(Clock& clock, std::function<TimePoint()> deadline,
                                         asio::awaitable<void> work) {
  auto executor = co_await asio::this_coro::executor;
  auto bounded = std::make_shared<Bounded>();
  Watchdog watchdog(clock, std::move(deadline), *bounded);
  auto begin = [&work, executor, bounded](std::function<void()> resume) {
    auto on_end = [bounded, resume = std::move(resume)](std::exception_ptr failure) {
      bounded->failure = failure;
      resume();
    };
    launch(executor, std::move(work), bounded->stop.slot(), std::move(on_end));
  };
  auto cancel = [bounded] {
    bounded->cancelled_from_outside = true;
    bounded->stop.emit(asio::cancellation_type::terminal);
    return OnCancel::kKeepWaiting;  // work refers to the caller's frame, so it must unwind first
  };
  co_await suspend(begin, cancel);
  watchdog.stop();
  if (!bounded->failure) co_return true;
  bool only_late = bounded->expired && !bounded->cancelled_from_outside && is_cancelled(bounded->failure);
  if (!only_late) std::rethrow_exception(bounded->failure);
  co_return false;
}

namespace detail {

Error no_answer(const std::string& what, Duration limit) {
  auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(limit).count();
  auto text =
      milliseconds % 1000 == 0 ? std::to_string(milliseconds / 1000) + "s" : std::to_string(milliseconds) + "ms";
  return timeout_error(what + ": no answer within " + text);
}

}  // namespace detail
}  // namespace keelson::async
