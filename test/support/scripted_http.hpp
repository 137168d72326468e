// An HttpClient that follows a script: the expected requests in their order, and the responses.
//
//   testing::ScriptedHttpClient http(loop.clock());
//   http.expect("GET", "/api/v1/pods").replies(200, R"({"items":[]})");
//   http.expect("GET", "/api/v1/pods?watch").streams({"{}\n"}, testing::StreamEnd::kSilent);
//   … run the code under test …
//   http.verify();
//
// An unexpected request gets a kInvalid error and makes verify() throw.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/task.hpp"
#include "keelson/net/http.hpp"

namespace keelson::testing {

enum class StreamEnd {
  kProper,  // the body ends properly
  kBroken,  // a kTransport error "unexpected EOF"
  kSilent,  // the body neither continues nor ends
};

struct StreamPiece {
  StreamPiece(std::string t, async::Duration a = {}) : text(std::move(t)), after(a) {}
  StreamPiece(const char* t) : text(t) {}
  std::string text;
  async::Duration after{};  // virtual time since the previous piece
};

// The faults that can be injected into a request.
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
  // The response: the last call counts; the default is 200 "{}". `replies` also serves open(), and `streams` also
  // send().
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

  // Adds the next step of the conversation.
  ScriptedStep& expect(std::string method, std::string target_prefix);
  // Responds to any number of requests, at any point, that do not match the next step.
  ScriptedStep& always(std::string method, std::string target_prefix);

  // The request for step number `step` (from 0) fails once; the step itself is not used up, so that a retry gets its
  // response.
  void fail_at(std::size_t step, Fault fault);

  [[nodiscard]] const std::vector<net::Request>& requests() const { return requests_; }
  [[nodiscard]] std::size_t steps_done() const { return done_; }
  [[nodiscard]] int idle_closed() const { return idle_closed_; }
  [[nodiscard]] int streams_ended() const { return streams_ended_; }

  // Throws std::runtime_error with the first unexpected request, or with a step that was not requested.
  void verify() const;
  // The same, but steps may be left over.
  void verify_no_surprise() const;

  Task<net::Response> send(net::Request request, net::CallOptions options) override;
  Task<std::unique_ptr<net::Stream>> open(net::Request request, net::CallOptions options) override;
  void close_idle() override { ++idle_closed_; }
  void end_streams() override { ++streams_ended_; }

 private:
  struct Answer;
  [[nodiscard]] Answer choose(const net::Request& request);
  [[nodiscard]] Task<ScriptedBody> answer(net::Request request, net::CallOptions options);

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

// A run of check_every_failure; without a fault for the run in which nothing fails.
struct InjectedFailure {
  std::size_t step;
  Fault fault;
};

// Runs `converse` once without a fault, and then once for every fault at every step of the script. `script` adds the
// conversation to a new client; `converse` runs the code under test and checks the result. Exceptions of `converse` are
// rethrown with the fault added to their text.
void check_every_failure(
    async::Clock& clock, const std::function<void(ScriptedHttpClient&)>& script,
    const std::function<void(ScriptedHttpClient&, const std::optional<InjectedFailure>&)>& converse);

}  // namespace keelson::testing
