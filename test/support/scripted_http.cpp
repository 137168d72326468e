#include "test/support/scripted_http.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "keelson/detail/async/notify.hpp"

namespace keelson::testing {
namespace asio = boost::asio;

namespace {

constexpr const char* kInternalError =
    R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"injected failure",)"
    R"("reason":"InternalError","code":500})";

asio::awaitable<void> wait_for_ever() {
  async::Notify never;
  co_await never.wait();
}

// Sends the pieces of a body at their times, and then its end.
class PieceReader {
 public:
  PieceReader(async::Clock& clock, std::vector<StreamPiece> pieces, StreamEnd end)
      : clock_(clock), pieces_(std::move(pieces)), end_(end) {}

  Task<std::size_t> read_some(std::span<char> buffer) {
    if (at_ == pieces_.size()) {
      auto ended = co_await finish();
      co_return ended;
    }
    if (offset_ == 0 && pieces_[at_].after > async::Duration::zero()) {
      co_await async::sleep_for(clock_, std::exchange(pieces_[at_].after, async::Duration::zero()));
    }
    const auto& text = pieces_[at_].text;
    auto count = std::min(buffer.size(), text.size() - offset_);
    std::memcpy(buffer.data(), text.data() + offset_, count);
    offset_ += count;
    if (offset_ == text.size()) next_piece();
    if (count > 0) co_return count;
    auto more = co_await read_some(buffer);
    co_return more;
  }
  // Ends the silence after the last piece.
  void stop() {
    end_ = StreamEnd::kBroken;
    stopped_.notify_all();
  }

 private:
  void next_piece() {
    ++at_;
    offset_ = 0;
  }
  Task<std::size_t> finish() {
    while (end_ == StreamEnd::kSilent) co_await stopped_.wait();
    if (end_ == StreamEnd::kBroken) co_return transport_error("unexpected EOF");
    co_return std::size_t{0};
  }

  async::Clock& clock_;
  std::vector<StreamPiece> pieces_;
  StreamEnd end_;
  async::Notify stopped_;
  std::size_t at_ = 0;
  std::size_t offset_ = 0;
};

class ScriptedStream final : public net::Stream {
 public:
  ScriptedStream(net::Response response, async::Clock& clock, std::vector<StreamPiece> pieces, StreamEnd end)
      : response_(std::move(response)), reader_(clock, std::move(pieces), end) {}
  int status() const override { return response_.status; }
  const net::Headers& headers() const override { return response_.headers; }
  Task<std::size_t> read_some(std::span<char> buffer) override {
    auto got = co_await reader_.read_some(buffer);
    co_return got;
  }
  void stop_reading() override { reader_.stop(); }

 private:
  net::Response response_;
  PieceReader reader_;
};

std::string line_of(const net::Request& request) { return request.method + " " + request.target; }

Error body_too_large() {
  auto error = malformed_error("body limit exceeded");
  error.code = 413;
  return error;
}

}  // namespace

std::string to_string(Fault fault) {
  switch (fault) {
    case Fault::kTransport:
      return "a transport error";
    case Fault::kTimeout:
      return "a timeout";
    case Fault::kServerError:
      return "a 500";
    case Fault::kTruncated:
      return "a truncated body";
  }
  return "?";
}

ScriptedStep::ScriptedStep(std::string method, std::string target_prefix)
    : method_(std::move(method)), target_prefix_(std::move(target_prefix)) {
  replies(200, "{}");
}

ScriptedStep& ScriptedStep::with_body(BodyTest test) {
  body_test_ = std::move(test);
  return *this;
}

ScriptedStep& ScriptedStep::after(async::Duration delay) {
  delay_ = delay;
  return *this;
}

ScriptedStep& ScriptedStep::replies(int status, std::string body) {
  net::Response response;
  response.status = status;
  response.headers.emplace_back("Content-Type", "application/json");
  response.body = std::move(body);
  return replies(std::move(response));
}

ScriptedStep& ScriptedStep::replies(net::Response response) {
  ScriptedBody body;
  if (!response.body.empty()) body.pieces.emplace_back(std::exchange(response.body, {}));
  body.response = std::move(response);
  answer_ = std::move(body);
  return *this;
}

ScriptedStep& ScriptedStep::streams(std::vector<StreamPiece> pieces, StreamEnd end) {
  ScriptedBody body;
  body.response.status = 200;
  body.response.headers.emplace_back("Content-Type", "application/json");
  body.pieces = std::move(pieces);
  body.end = end;
  answer_ = std::move(body);
  return *this;
}

ScriptedStep& ScriptedStep::fails(Error error) {
  answer_ = std::move(error);
  return *this;
}

bool ScriptedStep::matches(const net::Request& request) const {
  return request.method == method_ && request.target.starts_with(target_prefix_) &&
         (!body_test_ || body_test_(request.body));
}

struct ScriptedHttpClient::Answer {
  std::variant<ScriptedBody, Error> content = invalid_error("no such step");
  async::Duration delay{};
  std::optional<Fault> fault;
};

ScriptedStep& ScriptedHttpClient::expect(std::string method, std::string target_prefix) {
  return steps_.emplace_back(std::move(method), std::move(target_prefix));
}

ScriptedStep& ScriptedHttpClient::always(std::string method, std::string target_prefix) {
  return always_.emplace_back(std::move(method), std::move(target_prefix));
}

void ScriptedHttpClient::fail_at(std::size_t step, Fault fault) { fault_.emplace(step, fault); }

void ScriptedHttpClient::verify_no_surprise() const {
  if (!surprise_.empty()) throw std::runtime_error(surprise_);
}

void ScriptedHttpClient::verify() const {
  verify_no_surprise();
  if (done_ == steps_.size()) return;
  const auto& next = steps_[done_];
  throw std::runtime_error("step " + std::to_string(done_) + " was not requested: " + next.method_ + " " +
                           next.target_prefix_);
}

ScriptedHttpClient::Answer ScriptedHttpClient::choose(const net::Request& request) {
  Answer answer;
  if (done_ < steps_.size() && steps_[done_].matches(request)) {
    const auto& step = steps_[done_];
    answer.content = step.answer_;
    answer.delay = step.delay_;
    if (fault_ && fault_->first == done_) {
      answer.fault = fault_->second;
      fault_.reset();
    } else {
      ++done_;
    }
    return answer;
  }
  auto found = std::ranges::find_if(always_, [&](const auto& step) { return step.matches(request); });
  if (found != always_.end()) {
    answer.content = found->answer_;
    answer.delay = found->delay_;
    return answer;
  }
  auto expected = done_ < steps_.size() ? steps_[done_].method_ + " " + steps_[done_].target_prefix_ : "nothing more";
  auto text = "unexpected request " + line_of(request) + " " + request.body + "; expected " + expected;
  if (surprise_.empty()) surprise_ = text;
  answer.content = invalid_error(text);
  return answer;
}

Task<ScriptedBody> ScriptedHttpClient::answer(net::Request request, net::CallOptions options) {
  if (options.may_send && !options.may_send()) co_return Error(Error::Kind::kFenced, "not sent");
  requests_.push_back(request);
  auto chosen = choose(request);
  bool late = options.timeout > async::Duration::zero() && chosen.delay > options.timeout;
  if (chosen.fault == Fault::kTimeout || late) {
    if (options.timeout == async::Duration::zero()) co_await wait_for_ever();
    co_await async::sleep_for(clock_, options.timeout);
    co_return timeout_error(line_of(request) + ": no answer in time");
  }
  if (chosen.delay > async::Duration::zero()) co_await async::sleep_for(clock_, chosen.delay);
  if (chosen.fault == Fault::kTransport) co_return transport_error(line_of(request) + ": connection reset by peer");
  if (auto* error = std::get_if<Error>(&chosen.content)) co_return *error;
  auto body = std::get<ScriptedBody>(std::move(chosen.content));
  if (chosen.fault == Fault::kServerError) {
    body.response.status = 500;
    body.pieces = {StreamPiece(kInternalError)};
    body.end = StreamEnd::kProper;
  }
  if (chosen.fault == Fault::kTruncated) {
    // Half of the bytes, so that the break is inside a piece if there is only one.
    body.end = StreamEnd::kBroken;
    if (body.pieces.size() == 1) body.pieces[0].text.resize(body.pieces[0].text.size() / 2);
    if (body.pieces.size() > 1) body.pieces.erase(body.pieces.end() - 1);
  }
  co_return body;
}

Task<net::Response> ScriptedHttpClient::send(net::Request request, net::CallOptions options) {
  auto answered = co_await answer(std::move(request), options);
  if (!answered) co_return std::move(answered).error();
  auto response = std::move(answered->response);
  PieceReader reader(clock_, std::move(answered->pieces), answered->end);
  std::vector<char> buffer(4096);
  for (;;) {
    auto got = co_await reader.read_some(buffer);
    if (!got) co_return std::move(got).error();
    if (*got == 0) break;
    response.body.append(buffer.data(), *got);
    if (response.body.size() > options.body_limit) co_return body_too_large();
  }
  co_return response;
}

Task<std::unique_ptr<net::Stream>> ScriptedHttpClient::open(net::Request request, net::CallOptions options) {
  auto answered = co_await answer(std::move(request), options);
  if (!answered) co_return std::move(answered).error();
  std::unique_ptr<net::Stream> stream = std::make_unique<ScriptedStream>(std::move(answered->response), clock_,
                                                                         std::move(answered->pieces), answered->end);
  co_return stream;
}

void check_every_failure(
    async::Clock& clock, const std::function<void(ScriptedHttpClient&)>& script,
    const std::function<void(ScriptedHttpClient&, const std::optional<InjectedFailure>&)>& converse) {
  ScriptedHttpClient whole(clock);
  script(whole);
  converse(whole, std::nullopt);
  whole.verify();
  for (std::size_t step = 0; step < whole.steps_done(); ++step) {
    for (auto fault : {Fault::kTransport, Fault::kTimeout, Fault::kServerError, Fault::kTruncated}) {
      ScriptedHttpClient client(clock);
      script(client);
      client.fail_at(step, fault);
      try {
        converse(client, InjectedFailure{step, fault});
        client.verify_no_surprise();
      } catch (const std::exception& error) {
        throw std::runtime_error("with " + to_string(fault) + " at step " + std::to_string(step) + ": " + error.what());
      }
    }
  }
}

}  // namespace keelson::testing
