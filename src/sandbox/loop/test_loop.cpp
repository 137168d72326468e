#include "keelson/sandbox/loop/test_loop.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace keelson::sandbox::loop {
namespace asio = boost::asio;

namespace {

constexpr int kStepsToUnwind = 100'000;

// A running coroutine: its result, and the signal that cancels it.
struct Running {
  asio::cancellation_signal stop;
  bool ended = false;
  std::exception_ptr failure;
};

}  // namespace

struct TestLoop::State {
  asio::io_context context{1};
  VirtualClock clock;
  std::unique_ptr<async::Clock> real_clock = async::make_real_clock(context.get_executor());

  std::shared_ptr<Running> begin(asio::awaitable<void> task) {
    auto running = std::make_shared<Running>();
    auto on_end = [running](std::exception_ptr failure) {
      running->failure = failure;
      running->ended = true;
    };
    asio::co_spawn(context, std::move(task), asio::bind_cancellation_slot(running->stop.slot(), std::move(on_end)));
    return running;
  }

  bool step() {
    context.restart();
    return context.poll_one() != 0;
  }

  // The test has failed. Its coroutine is unwound so that this failure is reported, and not an assertion about objects
  // that it left behind.
  [[noreturn]] void give_up(Running& running, const std::string& why) {
    asio::post(context, [&running] { running.stop.emit(asio::cancellation_type::terminal); });
    for (int steps = 0; !running.ended && steps < kStepsToUnwind; ++steps) {
      context.restart();
      context.run_one_for(std::chrono::milliseconds(1));
    }
    auto text = why + (running.ended ? "" : " (and it did not end after its cancellation)");
    // Groups that the test leaves behind may end the process before the exception is reported.
    std::fprintf(stderr, "TestLoop: %s\n", text.c_str());
    throw std::runtime_error(text);
  }

  void finish_virtual(Running& running, const RunLimits& limits) {
    auto deadline = clock.now() + limits.virtual_time;
    for (std::size_t steps = 0; !running.ended; ++steps) {
      if (steps > limits.steps) give_up(running, "the coroutine is still busy after the allowed number of steps");
      if (step()) continue;
      if (clock.timers() == 0) {
        give_up(running, "deadlock: the coroutine waits, but no handler is ready and no timer is set");
      }
      if (*clock.next_timer() > deadline) give_up(running, "the coroutine still waits after the allowed virtual time");
      clock.advance_to_next();
    }
  }

  void finish_real(Running& running, std::chrono::seconds limit) {
    auto deadline = std::chrono::steady_clock::now() + limit;
    while (!running.ended) {
      context.restart();
      context.run_one_until(deadline);
      clock.advance(async::Duration::zero());
      if (!running.ended && std::chrono::steady_clock::now() >= deadline) {
        give_up(running, "the coroutine has not ended within " + std::to_string(limit.count()) + " s of real time");
      }
    }
  }
};

TestLoop::TestLoop() : state_(std::make_unique<State>()) {}
TestLoop::~TestLoop() = default;

asio::any_io_executor TestLoop::executor() const { return state_->context.get_executor(); }
VirtualClock& TestLoop::clock() { return state_->clock; }
async::Clock& TestLoop::real_clock() { return *state_->real_clock; }

void TestLoop::run(asio::awaitable<void> task, RunLimits limits) {
  auto running = state_->begin(std::move(task));
  state_->finish_virtual(*running, limits);
  if (running->failure) std::rethrow_exception(running->failure);
}

void TestLoop::run(Body body, RunLimits limits) { run(body(), limits); }

void TestLoop::run_real(asio::awaitable<void> task, std::chrono::seconds limit) {
  auto running = state_->begin(std::move(task));
  state_->finish_real(*running, limit);
  if (running->failure) std::rethrow_exception(running->failure);
}

void TestLoop::run_real(Body body, std::chrono::seconds limit) { run_real(body(), limit); }

void TestLoop::poll() {
  while (state_->step()) {
  }
}

asio::awaitable<void> yield() { co_await asio::post(asio::use_awaitable); }

}  // namespace keelson::sandbox::loop
