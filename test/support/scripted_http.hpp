// An HttpClient that follows a script: which requests are expected, in which order, and what answers each.
//
//   test::ScriptedHttpClient http(loop.clock());
//   http.expect("GET", "/api/v1/pods").replies(200, R"({"items":[]})");
//   http.expect("GET", "/api/v1/pods?watch").streams({"{}\n"}, test::StreamEnd::kSilent);
//   … run the code under test …
//   http.verify();
//
// A request that is not the expected one gets a kInvalid error and makes verify() throw.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/net/http.hpp"

namespace keelson::test {

enum class StreamEnd {
  kProper,  // the body ends as it should
  kBroken,  // a kTransport error "unexpected EOF"
  kSilent,  // nothing more comes, and no end
};

struct StreamPiece {
  StreamPiece(std::string t, async::Duration a = {}) : text(std::move(t)), after(a) {}
  StreamPiece(const char* t) : text(t) {}
  std::string text;
  async::Duration after{};  // virtual time since the piece before
};

// What can be made to go wrong with one request.
enum class Fault { kTransport, kTimeout, kServerError, kTruncated };
[[nodiscard]] std::string to_string(Fault fault);

struct ScriptedBody {
  net::Response response;  // without its body
  std::vector<StreamPiece> pieces;
  StreamEnd end = StreamEnd::kProper;
};

class ScriptedStep {
 public:
  using BodyTest = std::function<bool(const std::string&)>;
  ScriptedStep(std::string method, std::string target_prefix);

  ScriptedStep& with_body(BodyTest test);
  ScriptedStep& after(async::Duration delay);
  // The answer: the last one named counts, 200 "{}" if none is. A reply also answers open(), and a stream send().
  ScriptedStep& replies(int status, std::string body);
  ScriptedStep& replies(net::Response response);
  ScriptedStep& streams(std::vector<StreamPiece> pieces, StreamEnd end = StreamEnd::kProper);
  ScriptedStep& fails(Error error);

 private:
  friend class ScriptedHttpClient;
  [[nodiscard]] bool matches(const net::Request& request) const;

  std::string method_;
  std::string target_prefix_;
  BodyTest body_test_;
  async::Duration delay_{};
  std::variant<ScriptedBody, Error> answer_;
};

class ScriptedHttpClient final : public net::HttpClient {
 public:
  explicit ScriptedHttpClient(async::Clock& clock) : clock_(clock) {}

  // The next step of the conversation.
  ScriptedStep& expect(std::string method, std::string target_prefix);
  // Answers any number of requests, at any point, that are not the next step.
  ScriptedStep& always(std::string method, std::string target_prefix);

  // The request that would take step number `step` (from 0) goes wrong once; the step itself is not used up, so
  // that a second try is answered by it.
  void fail_at(std::size_t step, Fault fault);

  [[nodiscard]] const std::vector<net::Request>& requests() const { return requests_; }
  [[nodiscard]] std::size_t steps_done() const { return done_; }
  [[nodiscard]] int idle_closed() const { return idle_closed_; }
  [[nodiscard]] int streams_ended() const { return streams_ended_; }

  // Throws std::runtime_error naming the first request that was not expected, or a step that was not asked for.
  void verify() const;
  // The same, but steps may be left.
  void verify_no_surprise() const;

  boost::asio::awaitable<Result<net::Response>> send(net::Request request, net::CallOptions options) override;
  boost::asio::awaitable<Result<std::unique_ptr<net::Stream>>> open(net::Request request,
                                                                    net::CallOptions options) override;
  void close_idle() override { ++idle_closed_; }
  void end_streams() override { ++streams_ended_; }

 private:
  struct Answer;
  [[nodiscard]] Answer choose(const net::Request& request);
  [[nodiscard]] boost::asio::awaitable<Result<ScriptedBody>> answer(net::Request request, net::CallOptions options);

  async::Clock& clock_;
  std::deque<ScriptedStep> steps_;
  std::deque<ScriptedStep> always_;
  std::size_t done_ = 0;
  std::optional<std::pair<std::size_t, Fault>> fault_;
  std::vector<net::Request> requests_;
  std::string surprise_;
  int idle_closed_ = 0;
  int streams_ended_ = 0;
};

// One run of check_every_failure; none: the run in which nothing fails.
struct InjectedFailure {
  std::size_t step;
  Fault fault;
};

// Runs `converse` once as it stands and then once for every step of the script and every fault there. `script`
// writes the conversation into a fresh client; `converse` runs the code under test and checks what came of it.
// What converse throws is rethrown with the failure it happened under named.
void check_every_failure(
    async::Clock& clock, const std::function<void(ScriptedHttpClient&)>& script,
    const std::function<void(ScriptedHttpClient&, const std::optional<InjectedFailure>&)>& converse);

}  // namespace keelson::test
