#include "src/program/runnables.hpp"

#include <exception>
#include <new>
#include <utility>

#include "keelson/detail/async/is_cancelled.hpp"
#include "keelson/detail/async/signals.hpp"
#include "keelson/detail/base/assert.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

Error error_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::bad_alloc&) {
    base::assertion_failed("out of memory in a runnable", __FILE__, __LINE__);
  } catch (const std::exception& thrown) {
    return invalid_error("panic: " + std::string(thrown.what()));
  } catch (...) {
    return invalid_error("panic: unknown exception");
  }
}

class Function final : public async::Runnable {
 public:
  Function(asio::any_io_executor executor, controller::Context& context, const FunctionRunnable& runnable,
           std::function<void(const Error&)> on_failure)
      : context_(context),
        runnable_(runnable),
        on_failure_(std::move(on_failure)),
        log_(context.log.with({{"runnable", runnable.name}})),
        tasks_(std::move(executor)) {}

  std::string name() const override { return "runnable " + runnable_.name; }
  Task<void> start() override {
    tasks_.spawn(run());
    co_return Result<void>();
  }
  asio::awaitable<void> stop() override {
    tasks_.stop();
    co_await tasks_.join();
  }

 private:
  asio::awaitable<void> run() {
    auto ended = co_await call();
    if (ended || tasks_.stopped()) co_return;
    log_.error(ended.error(), "Runnable failed");
    on_failure_(std::move(ended.error()).with_context("runnable " + runnable_.name));
  }

  Task<void> call() {
    std::exception_ptr thrown;
    try {
      auto ended = co_await runnable_.function(context_);
      co_return ended;
    } catch (...) {
      thrown = std::current_exception();
    }
    if (tasks_.stopped() && async::is_cancelled(thrown)) std::rethrow_exception(thrown);
    co_return error_of(thrown);
  }

  controller::Context& context_;
  const FunctionRunnable& runnable_;
  std::function<void(const Error&)> on_failure_;
  Logger log_;
  async::TaskGroup tasks_;
};

asio::awaitable<net::ServerReply> answer(controller::Context& context, const Endpoint& endpoint, net::Request request) {
  net::ServerReply reply;
  reply.response = co_await endpoint.function(context, std::move(request));
  co_return reply;
}

}  // namespace

std::unique_ptr<async::Runnable> make_function_runnable(asio::any_io_executor executor, controller::Context& context,
                                                        const FunctionRunnable& runnable,
                                                        std::function<void(const Error&)> on_failure) {
  return std::make_unique<Function>(std::move(executor), context, runnable, std::move(on_failure));
}

std::vector<lifecycle::HttpEndpoint> endpoints_of(controller::Context& context, const Additions& additions) {
  std::vector<lifecycle::HttpEndpoint> endpoints;
  for (const auto& endpoint : additions.endpoints) {
    endpoints.push_back({endpoint.path, [&context, &endpoint](net::Request request) {
                           return answer(context, endpoint, std::move(request));
                         }});
  }
  return endpoints;
}

asio::awaitable<void> ProgramEnd::wait() {
  signals_.spawn(wait_for_signal());
  while (!has_signal_ && !failure_) co_await changed_.wait();
}

void ProgramEnd::fail(const Error& error) {
  if (!failure_) failure_ = error;
  changed_.notify_all();
}

asio::awaitable<void> ProgramEnd::wait_for_signal() {
  co_await async::wait_for_stop_signal();
  has_signal_ = true;
  changed_.notify_all();
}

asio::awaitable<void> ProgramEnd::stop() {
  signals_.stop();
  co_await signals_.join();
}

}  // namespace keelson::program
