#include "src/program/first_answer.hpp"

#include "keelson/detail/base/go_text.hpp"

namespace keelson::program {
namespace asio = boost::asio;

void FirstAnswer::observe(const Error& error) {
  if (!has_answered_) last_error_ = error;
}

Task<void> FirstAnswer::start() {
  tasks_.spawn(report_silence());
  co_return Result<void>();
}

asio::awaitable<void> FirstAnswer::stop() {
  tasks_.stop();
  co_await tasks_.join();
}

asio::awaitable<void> FirstAnswer::report_silence() {
  co_await async::sleep_for(clock_, kLimit);
  if (has_answered_) co_return;
  const auto error = last_error_.value_or(timeout_error("no reply yet"));
  log_.error(error, "The API server has not answered since the start; the manager keeps trying",
             {{"server", server_}, {"after", base::format_go_duration(kLimit)}});
}

}  // namespace keelson::program
