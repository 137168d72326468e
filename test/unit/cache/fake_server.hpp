// A scripted API server: the test pushes the replies to lists and watches while the reflector reads.
#pragma once

#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::cache {

// The body of a response: the pieces that were pushed, then later ones, until it is closed.
struct FakeBody {
  std::deque<std::string> pieces;
  std::optional<Error> broken;
  bool closed = false;
  bool broken_at_end = false;  // breaks off when all pieces have been read
  async::Notify changed;

  void push(std::string piece) {
    pieces.push_back(std::move(piece));
    changed.notify_all();
  }
  void close() {
    closed = true;
    changed.notify_all();
  }
  void break_off() {
    broken = transport_error("read: connection reset by peer");
    changed.notify_all();
  }
};

// A complete body.
inline std::shared_ptr<FakeBody> body_of(std::string text) {
  auto body = std::make_shared<FakeBody>();
  body->push(std::move(text));
  body->close();
  return body;
}

class FakeStream final : public net::Stream {
 public:
  explicit FakeStream(std::shared_ptr<FakeBody> body) : body_(std::move(body)) {}
  int status() const override { return 200; }
  const net::Headers& headers() const override { return headers_; }
  Task<std::size_t> read_some(std::span<char> buffer) override {
    if (body_->pieces.empty() && body_->broken_at_end) body_->break_off();
    while (body_->pieces.empty() && !body_->closed && !body_->broken) co_await body_->changed.wait();
    if (body_->broken) co_return *body_->broken;
    if (body_->pieces.empty()) co_return std::size_t{0};
    auto& piece = body_->pieces.front();
    auto count = std::min(buffer.size(), piece.size());
    std::memcpy(buffer.data(), piece.data(), count);
    piece.erase(0, count);
    if (piece.empty()) body_->pieces.pop_front();
    co_return count;
  }
  void stop_reading() override { body_->break_off(); }

 private:
  std::shared_ptr<FakeBody> body_;
  net::Headers headers_;
};

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
