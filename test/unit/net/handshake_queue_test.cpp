#include "src/net/handshake_queue.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

using namespace keelson;
using namespace std::chrono_literals;
using net::HandshakeQueue;

namespace {

constexpr async::TimePoint kStart(1h);

// A burst of ten and 20 a second for all; a burst of three and 10 a second for each peer.
struct Table {
  static HandshakeQueue::Address address(const std::string& text) { return boost::asio::ip::make_address(text); }

  void join(const std::string& peer, int count = 1) {
    for (; count > 0; --count) names[queue.join(HandshakeQueue::peer_of(address(peer)))] = peer;
  }
  // The peers whose turn it is at this time since the start.
  std::vector<std::string> admitted(async::Duration at) {
    std::vector<std::string> peers;
    while (auto ticket = queue.next(kStart + at)) peers.push_back(names.at(*ticket));
    return peers;
  }
  std::optional<async::Duration> next_turn() {
    auto turn = queue.next_turn();
    return turn ? std::optional(*turn - kStart) : std::nullopt;
  }

  HandshakeQueue queue{{50ms, 10}, {100ms, 3}};
  std::map<HandshakeQueue::Ticket, std::string> names;
};

using Peers = std::vector<std::string>;
const std::string kFlooder = "10.0.0.1";
const std::string kServer = "10.0.0.2";

}  // namespace

TEST_CASE("a peer has a burst of handshakes and then one for each interval") {
  Table table;
  table.join(kFlooder, 100);

  CHECK(table.admitted(0ms).size() == 3);
  CHECK(table.next_turn() == 100ms);
  CHECK(table.admitted(99ms).empty());
  CHECK(table.admitted(100ms).size() == 1);
  CHECK(table.admitted(1s).size() == 3);
  CHECK(table.admitted(10s).size() == 3);
}

TEST_CASE("a flood from one peer leaves turns for the others") {
  Table table;
  table.join(kFlooder, 400);
  CHECK(table.admitted(0ms).size() == 3);

  for (auto at = 10ms; at < 5s; at += 250ms) {
    table.join(kServer);
    auto peers = table.admitted(at);
    CHECK(std::ranges::count(peers, kServer) == 1);
  }
}

TEST_CASE("above the rate of all peers, the peer that has used least goes first") {
  Table table;
  for (int peer = 1; peer <= 9; ++peer) table.join("10.1.0." + std::to_string(peer), 100);

  CHECK(table.admitted(0ms).size() == 10);
  CHECK(table.next_turn() == 50ms);
  table.join(kServer, 2);
  CHECK(table.admitted(50ms) == Peers{kServer});
  CHECK(table.admitted(99ms).empty());
  CHECK(table.admitted(10s).size() == 10);
}

TEST_CASE("peers of equal rank go in the order of their arrival") {
  Table table;
  table.join("10.0.0.9");
  table.join("10.0.0.3");
  table.join("10.0.0.5");

  CHECK(table.admitted(0ms) == Peers{"10.0.0.9", "10.0.0.3", "10.0.0.5"});
  CHECK(table.next_turn() == std::nullopt);
}

TEST_CASE("a peer that leaves before its turn uses none") {
  Table table;
  auto address = Table::address(kFlooder);
  auto ticket = table.queue.join(address);
  table.join(kServer);
  table.queue.leave(address, ticket);
  table.queue.leave(address, ticket);

  CHECK(table.admitted(0ms) == Peers{kServer});
}

TEST_CASE("the queue forgets a peer that may use its whole burst again") {
  Table table;
  for (int peer = 0; peer < 200; ++peer) table.join("10.2.0." + std::to_string(peer));
  for (auto at = 0ms; at < 20s; at += 50ms) table.admitted(at);

  CHECK(table.queue.peers() <= 3);
  CHECK(table.admitted(30s).empty());
  CHECK(table.queue.peers() == 0);
}

TEST_CASE("a peer is an IPv4 address in any notation, or an IPv6 network of 64 bits") {
  auto same = [](const std::string& one, const std::string& other) {
    return HandshakeQueue::peer_of(Table::address(one)) == HandshakeQueue::peer_of(Table::address(other));
  };

  CHECK(same("10.0.0.1", "::ffff:10.0.0.1"));
  CHECK_FALSE(same("::ffff:10.0.0.2", "::ffff:10.0.0.1"));
  CHECK(same("fd00:1:2:3::1", "fd00:1:2:3:ffff::1"));
  CHECK_FALSE(same("fd00:1:2:3::1", "fd00:1:2:4::1"));
  CHECK(HandshakeQueue::peer_of(Table::address("fd00:1:2:3:4:5:6:7")) == Table::address("fd00:1:2:3::"));
}
