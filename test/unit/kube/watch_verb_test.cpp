#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/timeout.hpp"
#include "keelson/kube/watch.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::kube {
namespace {

using boost::asio::awaitable;
using Type = WatchEvent::Type;

class PiecesStream final : public net::Stream {
 public:
  PiecesStream(std::deque<std::string> pieces, std::optional<Error> end)
      : pieces_(std::move(pieces)), end_(std::move(end)) {}
  int status() const override { return 200; }
  const net::Headers& headers() const override { return headers_; }
  awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override {
    if (pieces_.empty() && end_) co_return Error(*end_);
    if (pieces_.empty()) co_return std::size_t{0};
    auto piece = std::move(pieces_.front());
    pieces_.pop_front();
    std::memcpy(buffer.data(), piece.data(), piece.size());
    co_return piece.size();
  }
  void stop_reading() override { pieces_.clear(); }

 private:
  std::deque<std::string> pieces_;
  std::optional<Error> end_;
  net::Headers headers_;
};

class StreamClient final : public Client {
 public:
  explicit StreamClient(std::deque<std::string> pieces, std::optional<Error> end = std::nullopt)
      : pieces_(std::move(pieces)), end_(std::move(end)) {}
  awaitable<Result<ApiReply>> send(ApiRequest) override { co_return invalid_error("not scripted"); }
  awaitable<Result<std::unique_ptr<net::Stream>>> stream(ApiRequest request) override {
    asked = std::move(request);
    co_return std::unique_ptr<net::Stream>(std::make_unique<PiecesStream>(pieces_, end_));
  }
  ApiRequest asked;

 private:
  std::deque<std::string> pieces_;
  std::optional<Error> end_;
};

// "ADDED a", …, then "end" or the error's text.
std::vector<std::string> all_of(StreamClient& client, WatchRequest options = {}) {
  std::vector<std::string> seen;
  testing::TestLoop loop;
  loop.run([&]() -> awaitable<void> {
    auto opened = co_await watch(client, pods(), options);
    REQUIRE(opened);
    for (;;) {
      auto event = co_await opened->next();
      if (!event) seen.push_back(event.error().message());
      if (event && !*event) seen.emplace_back("end");
      if (!event || !*event) break;
      constexpr const char* kNames[] = {"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"};
      seen.push_back(std::string(kNames[static_cast<int>((*event)->type)]) + " " +
                     std::string((*event)->object.name()));
    }
  });
  return seen;
}

const std::string kAdded = R"({"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"a","resourceVersion":"5"}}})";
const std::string kDeleted = R"({"type":"DELETED","object":{"kind":"Pod","metadata":{"name":"a"}}})";

TEST_CASE("a watch returns its events one by one, however the body is split, and then its end") {
  StreamClient client({kAdded.substr(0, 30), kAdded.substr(30) + "\n" + kDeleted + "\n"});

  auto seen = all_of(client, {.ns = "ns", .resource_version = "4", .timeout_seconds = 60});

  CHECK(seen == std::vector<std::string>{"ADDED a", "DELETED a", "end"});
  CHECK(client.asked.verb == Verb::kWatch);
  CHECK(client.asked.key.ns == "ns");
  CHECK(client.asked.query == std::vector<std::pair<std::string, std::string>>{
                                  {"allowWatchBookmarks", "true"}, {"resourceVersion", "4"}, {"timeoutSeconds", "60"}});
}

TEST_CASE("events before an ERROR event are returned first, and then its error") {
  StreamClient client(
      {kAdded + "\n" +
       R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}})" + "\n"});

  auto seen = all_of(client);

  REQUIRE(seen.size() == 2);
  CHECK(seen[0] == "ADDED a");
  CHECK(seen[1].find("too old") != std::string::npos);
}

TEST_CASE("a watch that breaks off or has invalid JSON ends with an error") {
  StreamClient broken({kAdded + "\n"}, transport_error("unexpected EOF"));
  StreamClient garbled({"{\"type\":\"ADDED\",\"object\":{\"metadata\":{}]}}\n"});

  CHECK(all_of(broken).back().find("unexpected EOF") != std::string::npos);
  CHECK(all_of(garbled).size() == 1);
  CHECK(all_of(garbled).back() != "end");
}

}  // namespace
}  // namespace keelson::kube
