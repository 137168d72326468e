// The operator's runnables and endpoints in the running program, and the end of the program if one of them fails.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/lifecycle/http_service.hpp"
#include "keelson/program/operator.hpp"

namespace keelson::program {

// `on_failure` gets the Error of the function, or its exception as an Error, after it has been logged. All references
// must outlive the result.
[[nodiscard]] std::unique_ptr<async::Runnable> make_function_runnable(boost::asio::any_io_executor executor,
                                                                      controller::Context& context,
                                                                      const FunctionRunnable& runnable,
                                                                      std::function<void(const Error&)> on_failure);

// `context` must outlive the handlers. The server answers an exception with 500.
[[nodiscard]] std::vector<lifecycle::HttpEndpoint> endpoints_of(controller::Context& context,
                                                                const Additions& additions);

// The first reason for the program to end: a signal, or a failure.
class ProgramEnd {
 public:
  explicit ProgramEnd(boost::asio::any_io_executor executor) : signals_(std::move(executor)) {}
  ProgramEnd(const ProgramEnd&) = delete;
  ProgramEnd& operator=(const ProgramEnd&) = delete;

  [[nodiscard]] boost::asio::awaitable<void> wait();
  void fail(const Error& error);
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }
  // Only after the last wait().
  [[nodiscard]] boost::asio::awaitable<void> stop();

 private:
  [[nodiscard]] boost::asio::awaitable<void> wait_for_signal();

  bool has_signal_ = false;
  std::optional<Error> failure_;
  async::Notify changed_;
  async::TaskGroup signals_;
};

}  // namespace keelson::program
