#include "src/program/first_answer.hpp"

#include <utility>

#include "keelson/base/go_text.hpp"

namespace keelson::program {
namespace asio = boost::asio;

// After the first reply a request costs only a forwarded call.
asio::awaitable<Result<kube::ApiReply>> FirstAnswer::send(kube::ApiRequest request) {
  return has_answered_ ? client_->send(std::move(request)) : observed_send(std::move(request));
}

asio::awaitable<Result<std::unique_ptr<net::Stream>>> FirstAnswer::stream(kube::ApiRequest request) {
  return has_answered_ ? client_->stream(std::move(request)) : observed_stream(std::move(request));
}

asio::awaitable<Result<kube::ApiReply>> FirstAnswer::observed_send(kube::ApiRequest request) {
  auto reply = co_await client_->send(std::move(request));
  observe(reply ? nullptr : &reply.error());
  co_return reply;
}

asio::awaitable<Result<std::unique_ptr<net::Stream>>> FirstAnswer::observed_stream(kube::ApiRequest request) {
  auto opened = co_await client_->stream(std::move(request));
  observe(opened ? nullptr : &opened.error());
  co_return opened;
}

// A rejection by the API server counts as an answer.
void FirstAnswer::observe(const Error* error) {
  if (error == nullptr || error->kind == Error::Kind::kStatus) {
    has_answered_ = true;
    last_error_.reset();
  } else {
    last_error_ = *error;
  }
}

asio::awaitable<Result<void>> FirstAnswer::start() {
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
