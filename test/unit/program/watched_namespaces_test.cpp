#include "src/program/watched_namespaces.hpp"

#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::program {
namespace {

// The namespace "there" exists, and in "closed" the manager may not create Events.
class NamespaceClient final : public kube::Client {
 public:
  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    requests.push_back(request.key.ns);
    CHECK(request.query == std::vector<std::pair<std::string, std::string>>{{"dryRun", "All"}});
    if (request.key.ns == "there" || (has_appeared && request.key.ns == "typo")) co_return kube::ApiReply{201, "{}"};
    Error error(Error::Kind::kStatus, "create events");
    if (busy_code != 0) {
      error.code = std::exchange(busy_code, 0);
      co_return error;
    }
    error.code = request.key.ns == "closed" ? 403 : 404;
    error.reason = request.key.ns == "closed" ? "Forbidden" : "NotFound";
    co_return error;
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest) override { co_return transport_error("no streams"); }

  bool has_appeared = false;
  int busy_code = 0;  // of the next reply for a namespace that does not exist
  std::vector<std::string> requests;
};

}  // namespace

TEST_CASE("a namespace of --watch-namespaces that does not exist is logged once, and again when it exists") {
  sandbox::loop::TestLoop loop;
  sandbox::loop::RecordingSink sink;
  NamespaceClient client;
  WatchedNamespaces namespaces(loop.executor(), loop.clock(), Logger(sink), client, {"closed", "there", "typo"});

  loop.run([&]() -> boost::asio::awaitable<void> {
    (void)co_await namespaces.start();
    co_await async::sleep_for(loop.clock(), WatchedNamespaces::kAgain * 3 / 2);
    client.has_appeared = true;
    co_await async::sleep_for(loop.clock(), WatchedNamespaces::kAgain * 5);
    co_await namespaces.stop();
  });

  REQUIRE(sink.entries().size() == 2);
  const auto& missing = sink.entries().front();
  CHECK(missing.level == LogSink::Level::kError);
  CHECK(missing.message == "A namespace of --watch-namespaces does not exist, so nothing is reconciled for it");
  CHECK(missing.error == "namespaces \"typo\" not found: correct --watch-namespaces, or create it");
  CHECK(sink.entries().back().message == "The namespace of --watch-namespaces exists now");
  CHECK(client.requests == std::vector<std::string>{"closed", "there", "typo", "typo", "typo"});
}

TEST_CASE("a server that is overloaded or fails does not say that a namespace exists: it is asked again") {
  for (const int code : {429, 500, 503, 504}) {
    INFO(code);
    sandbox::loop::TestLoop loop;
    sandbox::loop::RecordingSink sink;
    NamespaceClient client;
    client.busy_code = code;
    WatchedNamespaces namespaces(loop.executor(), loop.clock(), Logger(sink), client, {"typo"});

    loop.run([&]() -> boost::asio::awaitable<void> {
      (void)co_await namespaces.start();
      co_await async::sleep_for(loop.clock(), WatchedNamespaces::kAgain * 3 / 2);
      co_await namespaces.stop();
    });

    CHECK(client.requests.size() == 2);
    REQUIRE(sink.entries().size() == 1);
    CHECK(sink.entries().front().error.find("\"typo\" not found") != std::string::npos);
  }
}

}  // namespace keelson::program
