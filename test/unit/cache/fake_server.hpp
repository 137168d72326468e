// A scripted API server: the test pushes the replies to lists and watches while the reflector reads.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"
#include "test/support/fake_stream.hpp"

namespace keelson::cache {

using testing::FakeBody;
using testing::FakeStream;
using testing::whole_body;

class FakeServer final : public kube::Client {
 public:
  using Answer = std::function<Result<std::shared_ptr<FakeBody>>(const kube::ApiRequest&)>;

  // Replies to the next requests, in order; a request without a reply fails with "connection refused".
  void next(Answer answer) { answers_.push_back(std::move(answer)); }
  std::shared_ptr<FakeBody> next_stream(std::vector<std::string> lines) {
    auto body = std::make_shared<FakeBody>();
    for (auto& line : lines) body->push(line + "\n");
    next([body](const kube::ApiRequest&) { return body; });
    return body;
  }
  void next_error(Error error) {
    next([error](const kube::ApiRequest&) { return Result<std::shared_ptr<FakeBody>>(error); });
  }
  [[nodiscard]] const std::vector<kube::ApiRequest>& requests() const { return requests_; }

  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    requests_.push_back(request);
    co_return reply;
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override {
    requests_.push_back(request);
    if (answers_.empty()) co_return transport_error("dial tcp 127.0.0.1:6443: connect: connection refused");
    auto answer = std::move(answers_.front());
    answers_.pop_front();
    auto body = answer(request);
    if (!body) co_return std::move(body.error());
    co_return std::unique_ptr<net::Stream>(std::make_unique<FakeStream>(std::move(*body)));
  }

  // The reply of send().
  kube::ApiReply reply;

 private:
  std::deque<Answer> answers_;
  std::vector<kube::ApiRequest> requests_;
};

inline std::string query_of(const kube::ApiRequest& request, std::string_view name) {
  for (const auto& [key, value] : request.query) {
    if (key == name) return value;
  }
  return "";
}

inline std::string pod(std::string_view name, int version, std::string_view extra = "") {
  std::string uid = "uid-" + std::string(name);
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + std::string(name) +
         R"(","namespace":"default","uid":")" + uid + R"(","resourceVersion":")" + std::to_string(version) +
         R"(","labels":{"app":"web"}}, "status":{"phase":"Running"})" + std::string(extra) + "}";
}
inline std::string event(std::string_view type, std::string_view object) {
  return R"({"type":")" + std::string(type) + R"(","object":)" + std::string(object) + "}";
}
inline std::string bookmark(int version) {
  return event("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":")" + std::to_string(version) + R"("}})");
}
inline std::string end_of_list(int version) {
  return event("BOOKMARK", R"({"kind":"Pod","metadata":{"resourceVersion":")" + std::to_string(version) +
                               R"(","annotations":{"k8s.io/initial-events-end":"true"}}})");
}

}  // namespace keelson::cache
