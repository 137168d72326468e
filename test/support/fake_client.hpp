// A client of the API server that answers from functions of the test and records the requests.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"
#include "test/support/fake_stream.hpp"
#include "test/support/status_error.hpp"

namespace keelson::testing {

class FakeClient final : public kube::Client {
 public:
  using Request = kube::ApiRequest;

  Task<kube::ApiReply> send(Request request) override {
    requests.push_back(request);
    if (before_answer) co_await before_answer(request);
    if (replies.empty()) co_return answer(request);
    auto next = std::move(replies.front());
    replies.pop_front();
    co_return next;
  }
  Task<std::unique_ptr<net::Stream>> stream(Request request) override {
    requests.push_back(request);
    auto body = open(request);
    if (!body) co_return std::move(body).error();
    co_return std::unique_ptr<net::Stream>(std::make_unique<FakeStream>(std::move(*body)));
  }

  // Adds the reply of the next request. When all replies are used, a request is an error, unless the test sets `answer`
  // after this call.
  FakeClient& next(std::string body, int code = 200) {
    always(invalid_error("all replies of the fake client are used"));
    replies.emplace_back(kube::ApiReply{code, std::move(body)});
    return *this;
  }

  // Replies to every request in the same way.
  void always(Result<kube::ApiReply> reply) {
    answer = [reply = std::move(reply)](const Request&) { return reply; };
  }

  std::vector<Request> requests;
  std::deque<Result<kube::ApiReply>> replies;
  std::function<boost::asio::awaitable<void>(const Request&)> before_answer;  // may be empty
  // By default, the reply is the written object.
  std::function<Result<kube::ApiReply>(const Request&)> answer = [](const Request& request) {
    kube::ApiReply reply;
    reply.code = request.verb == kube::Verb::kCreate ? 201 : 200;
    reply.body = request.verb == kube::Verb::kPatch && request.patch_type != kube::PatchType::kApply
                     ? R"({"apiVersion":"v1","kind":"Event","metadata":{"name":"a","namespace":"b"}})"
                     : request.body;
    return Result<kube::ApiReply>(std::move(reply));
  };
  // By default, there are no streams.
  std::function<Result<std::shared_ptr<FakeBody>>(const Request&)> open =
      [](const Request&) -> Result<std::shared_ptr<FakeBody>> { return invalid_error("no streams here"); };
};

}  // namespace keelson::testing
