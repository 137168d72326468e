// The composition of lock, elector and fence: each of them gets its options.
#include "keelson/detail/leader/election.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "keelson/base/try.hpp"
#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/json/value.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::leader {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using kube::Verb;

// An API server without a lease, which returns each created or updated object; a fence is checked as before a send.
class EmptyServer final : public kube::Client {
 public:
  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    if (request.may_send && !request.may_send()) co_return Error(Error::Kind::kFenced, "fenced");
    requests.push_back(request);
    if (request.verb != Verb::kGet) co_return kube::ApiReply{200, request.body};
    Error absent(Error::Kind::kStatus, "get");
    absent.code = 404;
    absent.reason = "NotFound";
    co_return absent;
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest) override { co_return transport_error("EOF"); }
  const kube::ApiRequest& first(Verb verb) const {
    auto found = std::ranges::find(requests, verb, &kube::ApiRequest::verb);
    REQUIRE(found != requests.end());
    return *found;
  }

  std::vector<kube::ApiRequest> requests;
};

struct ElectionOnEmptyServer {
  void start() {
    loop.run([&]() -> asio::awaitable<void> {
      auto started = co_await election.elector().start();
      REQUIRE(started);
      co_await async::sleep_for(loop.clock(), 1s);
    });
  }
  void stop() {
    loop.run([&]() -> asio::awaitable<void> { co_await election.elector().stop(); });
  }
  bool can_write() {
    bool written = false;
    loop.run([&]() -> asio::awaitable<void> {
      kube::ApiRequest request;
      request.verb = Verb::kCreate;
      auto reply = co_await writer->send(std::move(request));
      written = reply.has_value();
    });
    return written;
  }

  sandbox::loop::TestLoop loop;
  base::Random random{7};
  sandbox::loop::RecordingSink sink;
  metrics::Registry registry;
  EmptyServer server;
  Election election{loop.executor(),
                    loop.clock(),
                    random,
                    Logger(sink),
                    registry,
                    server,
                    {.lease = kube::Key("system", "greeter"),
                     .identity = "host_1",
                     .timing = {.lease_duration = 30s, .renew_deadline = 20s, .retry_period = 4s}}};
  std::unique_ptr<kube::Client> writer = election.leader_client(server);
};

TEST_CASE("an election writes its identity and its duration into its lease, with half of the deadline as the timeout") {
  ElectionOnEmptyServer world;

  world.start();

  const auto& created = world.server.first(Verb::kCreate);
  CHECK(created.key.ns == "system");
  const auto lease = json::Document::parse(created.body);
  REQUIRE(lease);
  CHECK(lease->root().at({"metadata", "name"}).string() == "greeter");
  CHECK(lease->root().at({"spec", "holderIdentity"}).string() == "host_1");
  CHECK(lease->root().at({"spec", "leaseDurationSeconds"}).integer() == 30);
  CHECK(world.server.first(Verb::kGet).query == decltype(created.query){{"timeout", "10s"}});
  CHECK(world.registry.text().find("leader_election_master_status{name=\"greeter\"} 1\n") != std::string::npos);
  world.stop();
}

TEST_CASE("the leader's client writes only while the process leads") {
  ElectionOnEmptyServer world;

  CHECK_FALSE(world.can_write());
  world.start();
  CHECK(world.can_write());
  world.stop();
  CHECK_FALSE(world.can_write());
}

}  // namespace
}  // namespace keelson::leader
