#include "keelson/detail/async/time_slice.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/this_coro.hpp>
#include <functional>
#include <list>
#include <utility>

#include "src/async/suspend.hpp"

namespace keelson::async {
namespace asio = boost::asio;

namespace {

// The queue (FIFO) of the coroutines that yield. Each loop owns one.
class Line final : public asio::execution_context::service {
 public:
  using Waiting = std::list<std::function<void()>>;
  static inline asio::execution_context::id id;  // NOLINT: Asio finds the service by its address

  explicit Line(asio::execution_context& context) : service(context) {}

  Waiting::iterator join(const asio::any_io_executor& executor, std::function<void()> resume) {
    auto place = waiting_.insert(waiting_.end(), std::move(resume));
    if (!std::exchange(is_moving_, true)) move_on(executor);
    return place;
  }
  void leave(Waiting::iterator place) { waiting_.erase(place); }

 private:
  void shutdown() noexcept override { Waiting().swap(waiting_); }

  // Because the call is posted, everything that is ready runs before the next coroutine of the queue.
  void move_on(const asio::any_io_executor& executor) {
    asio::post(executor, [this, executor] {
      is_moving_ = !waiting_.empty();
      if (!is_moving_) return;
      auto resume = std::move(waiting_.front());
      waiting_.pop_front();
      resume();
      move_on(executor);
    });
  }

  Waiting waiting_;
  bool is_moving_ = false;
};

Line& line_of(const asio::any_io_executor& executor) {
  return asio::use_service<Line>(asio::query(executor, asio::execution::context));
}

}  // namespace

TimeSlice::TimeSlice(Clock& clock) : clock_(clock) { restart(); }

void TimeSlice::begin(Duration length) {
  end_ = clock_.now() + length;
  bytes_ = 0;
}

void TimeSlice::restart() { begin(kFirstLength); }

bool TimeSlice::is_over() const { return bytes_ >= limits::kDecodeSliceBytes || clock_.now() >= end_; }

asio::awaitable<void> TimeSlice::yield() {
  auto executor = co_await asio::this_coro::executor;
  auto& line = line_of(executor);
  Line::Waiting::iterator place;
  auto join = [&](std::function<void()> resume) { place = line.join(executor, std::move(resume)); };
  auto leave = [&] {
    line.leave(place);
    return OnCancel::kUnwind;
  };
  co_await suspend(join, leave);
  begin(kLength);
}

}  // namespace keelson::async
