// The limits that all servers of a process share.
#include "keelson/detail/net/server_budget.hpp"

#include <catch2/catch_test_macros.hpp>
#include <list>
#include <string>
#include <vector>

#include "src/net/server_ledger.hpp"
#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;
using net::ServerBudget;
using net::ServerLedger;

namespace {

async::TimePoint at(int second) { return async::TimePoint(std::chrono::seconds(second)); }

// A connection of the ledger that records its eviction.
struct Peer {
  Peer(ServerLedger& ledger, ServerLedger::Account& account, std::string called, std::vector<std::string>& gone)
      : name(std::move(called)), seat(ledger, account, [this, &gone] { gone.push_back(name); }) {}
  std::string name;
  ServerLedger::Seat seat;
};

const std::string kHalf = "POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n" + std::string(40'000, 'x');

}  // namespace

TEST_CASE("each server has connections of its own that others cannot use") {
  ServerLedger ledger({.own_connections = 1, .shared_connections = 2});
  ServerLedger::Account attacked;
  ServerLedger::Account probed;
  std::vector<std::string> gone;

  Peer first(ledger, attacked, "first", gone);
  Peer second(ledger, attacked, "second", gone);
  Peer third(ledger, attacked, "third", gone);
  CHECK(ledger.is_full(attacked));
  CHECK_FALSE(ledger.is_full(probed));
  Peer probe(ledger, probed, "probe", gone);
  CHECK(ledger.is_full(probed));

  probe.seat.wait_from(at(1));
  first.seat.wait_from(at(2));
  ledger.evict_for(attacked);
  ledger.evict_for(attacked);
  CHECK(gone == std::vector<std::string>{"first"});
}

TEST_CASE("a full server evicts a connection of another server that uses more than its own connections") {
  ServerLedger ledger({.own_connections = 1, .shared_connections = 1});
  ServerLedger::Account attacked;
  ServerLedger::Account probed;
  std::vector<std::string> gone;
  Peer first(ledger, attacked, "first", gone);
  Peer second(ledger, attacked, "second", gone);
  Peer probe(ledger, probed, "probe", gone);
  first.seat.wait_from(at(2));
  second.seat.wait_from(at(1));
  second.seat.prove();
  probe.seat.wait_from(at(0));
  probe.seat.prove();

  ledger.evict_for(probed);
  CHECK(gone == std::vector<std::string>{"first"});
  ledger.evict_for(probed);
  CHECK(gone.back() == "probe");
}

TEST_CASE("a client that does not finish its second request is evicted before one that has just come") {
  ServerLedger ledger({.own_connections = 0, .shared_connections = 100, .held_bytes = 100});
  ServerLedger::Account account;
  std::vector<std::string> gone;
  Peer attacker(ledger, account, "attacker", gone);
  attacker.seat.wait_from(at(1));
  attacker.seat.prove();
  attacker.seat.begin_request(at(2));
  attacker.seat.hold(60);
  Peer late(ledger, account, "late", gone);
  late.seat.wait_from(at(3));

  late.seat.hold(55);

  CHECK(gone == std::vector<std::string>{"attacker"});
}

TEST_CASE("an address with more than a quarter of the connections is evicted first, its idle connections too") {
  ServerLedger ledger({.own_connections = 0, .shared_connections = 8});
  ServerLedger::Account account;
  std::vector<std::string> gone;
  std::list<Peer> crowd;
  for (int i = 0; i < 4; ++i) {
    auto& one = crowd.emplace_back(ledger, account, "crowd " + std::to_string(i), gone);
    one.seat.come_from("10.0.0.9");
    one.seat.wait_from(at(10 + i));
    one.seat.prove();
  }
  Peer honest(ledger, account, "honest", gone);
  honest.seat.come_from("10.0.0.1");
  honest.seat.wait_from(at(1));

  for (int i = 0; i < 3; ++i) {
    ledger.evict_for(account);
    crowd.pop_front();
  }

  CHECK(gone == std::vector<std::string>{"crowd 0", "crowd 1", "honest"});
}

TEST_CASE(
    "when the bytes of all servers are used up, the clients that waited longest are evicted, unproven ones first") {
  // 100 for connections that are not small.
  ServerLedger ledger({.held_bytes = 114});
  ServerLedger::Account account;
  ServerLedger::Account other;
  std::vector<std::string> gone;
  Peer answered(ledger, account, "answered", gone);
  Peer proven(ledger, account, "proven", gone);
  Peer slow(ledger, other, "slow", gone);
  Peer slower(ledger, account, "slower", gone);
  Peer idle(ledger, account, "idle", gone);
  Peer late(ledger, other, "late", gone);
  answered.seat.work();
  proven.seat.wait_from(at(1));
  proven.seat.prove();
  slow.seat.wait_from(at(3));
  slower.seat.wait_from(at(2));
  idle.seat.wait_from(at(0));
  late.seat.wait_from(at(4));
  for (auto* peer : {&answered, &proven, &slow, &slower}) peer->seat.hold(25);
  CHECK(gone.empty());

  late.seat.hold(26);
  CHECK(gone == std::vector<std::string>{"slower", "slow"});
  CHECK(ledger.held_bytes() == 76);
  late.seat.hold(60, ServerLedger::Seat::Who::kKeepSelf);
  CHECK(gone == std::vector<std::string>{"slower", "slow", "proven"});
  late.seat.hold(76);
  CHECK(gone.back() == "late");
  CHECK(ledger.held_bytes() == 25);
}

TEST_CASE("when the bytes of all servers are used up, clients that hold few bytes are not evicted") {
  ServerLedger ledger({.shared_connections = 1, .held_bytes = 114});
  ServerLedger::Account account;
  std::vector<std::string> gone;
  Peer probe(ledger, account, "probe", gone);
  Peer large(ledger, account, "large", gone);
  Peer larger(ledger, account, "larger", gone);
  probe.seat.wait_from(at(1));
  large.seat.wait_from(at(2));
  larger.seat.wait_from(at(3));
  for (auto* peer : {&large, &larger}) peer->seat.prove();

  probe.seat.hold(33);
  large.seat.hold(60);
  larger.seat.hold(61);

  CHECK(gone == std::vector<std::string>{"large"});
  CHECK(ledger.held_bytes() == 94);
}

TEST_CASE("large requests that cannot be evicted leave room for small ones") {
  ServerLedger ledger({.own_connections = 0, .shared_connections = 100, .held_bytes = 6400});
  ServerLedger::Account account;
  std::vector<std::string> gone;
  Peer running(ledger, account, "running", gone);
  Peer queued(ledger, account, "queued", gone);
  Peer coming(ledger, account, "coming", gone);
  Peer honest(ledger, account, "honest", gone);
  running.seat.hold(2800);
  queued.seat.hold(2800);
  coming.seat.wait_from(at(1));
  honest.seat.wait_from(at(2));

  coming.seat.hold(101);
  honest.seat.hold(100);

  CHECK(gone == std::vector<std::string>{"coming"});
}

TEST_CASE("a small request that has just come evicts a stalled large one, and not the reverse") {
  ServerLedger ledger({.own_connections = 0, .shared_connections = 100, .held_bytes = 6400});
  ServerLedger::Account account;
  std::vector<std::string> gone;
  std::list<Peer> stalled;
  for (int i = 0; i < 7; ++i) {
    auto& one = stalled.emplace_back(ledger, account, "stalled " + std::to_string(i), gone);
    one.seat.wait_from(at(i));
    one.seat.hold(800);
  }
  std::list<Peer> running;
  for (int i = 0; i < 8; ++i) running.emplace_back(ledger, account, "running", gone).seat.hold(100);
  CHECK(gone.empty());
  Peer honest(ledger, account, "honest", gone);
  honest.seat.wait_from(at(100));

  honest.seat.hold(100);

  CHECK(gone == std::vector<std::string>{"stalled 0"});
  CHECK(ledger.held_bytes() <= 6400);
}

TEST_CASE("incomplete bodies on three servers leave room for a complete request on each") {
  NetFixture fixture;
  ServerBudget budget({.held_bytes = 300'000});
  std::vector<std::unique_ptr<net::HttpServer>> servers;
  for (int i = 0; i < 3; ++i) servers.push_back(fixture.server(echo, {.budget = &budget}));
  std::vector<std::unique_ptr<RawConnection>> attackers;
  std::size_t most_held = 0;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    for (auto& server : servers) {
      server->start();
      for (int i = 0; i < 10; ++i) {
        attackers.push_back(co_await connect_raw(server->port()));
        co_await attackers.back()->write(kHalf);
        co_await fixture.settle();
        most_held = std::max(most_held, budget.held_bytes());
        fixture.loop.clock().advance(1ms);
      }
    }
    for (auto& server : servers) {
      auto honest = co_await connect_raw(server->port());
      co_await honest->write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\nConnection: close\r\n\r\n" +
                             std::string(60'000, 'y'));
      auto answer = co_await honest->read_to_end();
      CHECK(body_of(answer).size() == std::string("POST / ").size() + 60'000);
    }
    CHECK(budget.held_bytes() > 90'000);
    for (auto& server : servers) co_await server->stop(0s);
  });

  CHECK(most_held <= 300'000);
  CHECK(budget.held_bytes() == 0);
  CHECK(budget.connections() == 0);
}

TEST_CASE("a complete body beyond the bytes of all servers ends only its own connection") {
  NetFixture fixture;
  const Authority authority;
  ServerBudget budget({.held_bytes = 100'000});
  auto server = fixture.server(echo, {.tls = server_tls(authority.issue_for_loopback()), .budget = &budget});

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    auto attacker = fixture.tls_client(server->port(), authority);
    auto nothing = co_await attacker->send(post(std::string(200'000, 'x')), {});
    CHECK_FALSE(nothing.has_value());
    auto honest = fixture.tls_client(server->port(), authority);
    auto answer = co_await honest->send(get("/honest"), {});
    CHECK(answer.value().body == "GET /honest ");
    attacker.reset();
    honest.reset();
    co_await server->stop(0s);
  });

  CHECK(budget.held_bytes() == 0);
}

TEST_CASE("incomplete headers count against the bytes of all servers") {
  NetFixture fixture;
  ServerBudget budget({.held_bytes = 200'000});
  auto server = fixture.server(echo, {.budget = &budget});
  std::vector<std::unique_ptr<RawConnection>> attackers;
  std::size_t most_held = 0;
  // Empty fields use 64 bytes each in memory.
  std::string slow = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 900; ++i) slow += "a:\r\n";

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    for (int i = 0; i < 20; ++i) {
      attackers.push_back(co_await connect_raw(server->port()));
      co_await attackers.back()->write(slow);
      co_await fixture.settle();
      most_held = std::max(most_held, budget.held_bytes());
      fixture.loop.clock().advance(1ms);
    }
    auto honest = co_await connect_raw(server->port());
    co_await honest->write("GET /honest HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    auto answer = co_await honest->read_to_end();
    CHECK(body_of(answer) == "GET /honest ");
    auto first = co_await attackers.front()->read_to_end();
    CHECK(first.empty());
    co_await server->stop(0s);
  });

  CHECK(most_held > 100'000);
  CHECK(most_held <= 200'000);
}

TEST_CASE("connections that send nothing to one server leave room on all others") {
  NetFixture fixture;
  ServerBudget budget({.own_connections = 2, .shared_connections = 4});
  auto attacked = fixture.server(echo, {.budget = &budget});
  auto probed = fixture.server(echo, {.budget = &budget});
  std::vector<std::unique_ptr<RawConnection>> attackers;

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    attacked->start();
    probed->start();
    for (int i = 0; i < 20; ++i) {
      attackers.push_back(co_await connect_raw(attacked->port()));
      co_await fixture.settle();
      fixture.loop.clock().advance(1ms);
    }
    CHECK(budget.connections() == 6);
    for (auto* server : {probed.get(), attacked.get()}) {
      auto honest = co_await connect_raw(server->port());
      co_await honest->write("GET /honest HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      auto answer = co_await honest->read_to_end();
      CHECK(body_of(answer) == "GET /honest ");
    }
    co_await attacked->stop(0s);
    co_await probed->stop(0s);
  });
}

TEST_CASE("incomplete handshakes count against the bytes of all servers") {
  NetFixture fixture;
  const Authority authority;
  const std::size_t limit = 300'000;
  ServerBudget budget({.held_bytes = limit});
  auto server = fixture.server(echo, {.tls = server_tls(authority.issue_for_loopback()), .budget = &budget});
  std::vector<std::unique_ptr<RawConnection>> attackers;
  std::size_t most_held = 0;
  // The beginning of a ClientHello of 16,000 bytes.
  const std::string hello = std::string("\x16\x03\x01\x3e\x84\x01\x00\x3e\x80\x03\x03", 11) + std::string(4000, 'x');

  fixture.loop.run_real([&]() -> asio::awaitable<void> {
    server->start();
    for (int i = 0; i < 20; ++i) {
      attackers.push_back(co_await connect_raw(server->port()));
      co_await attackers.back()->write(hello);
      co_await fixture.settle();
      most_held = std::max(most_held, budget.held_bytes());
      fixture.loop.clock().advance(1ms);
    }
    auto honest = fixture.tls_client(server->port(), authority);
    auto answer = co_await honest->send(get("/honest"), {});
    CHECK(answer.value().body == "GET /honest ");
    honest.reset();
    co_await server->stop(0s);
  });

  CHECK(most_held > limit / 2);
  CHECK(most_held <= limit);
}
