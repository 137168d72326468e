#include "src/cache/list_watch_policy.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::cache {
namespace {

using namespace std::chrono_literals;
using Kind = ListWatchPolicy::Action::Kind;
using End = ListWatchPolicy::StreamEnd;
using Course = ListWatchPolicy::Course;

struct Machine {
  base::Random random{1};
  ListWatchPolicy policy{random};
  async::TimePoint now{1h};

  ListWatchPolicy::Action next() { return policy.next(now); }
  // The wait that is expected next; advances the time by it.
  async::Duration wait() {
    auto action = next();
    REQUIRE(action.kind == Kind::kSleep);
    now += action.wait;
    return action.wait;
  }
  // The stream has ended with an ERROR event.
  void stream_failed(Error error) { policy.stream_ended(ListWatchPolicy::Rejected{std::move(error)}, Course::kLong); }
};

const End kClosed = ListWatchPolicy::Closed();
const End kStalled = ListWatchPolicy::Stalled();
const End kBroken = ListWatchPolicy::Broken{transport_error("unexpected EOF")};

Error status(int code, std::string reason) {
  Error error(Error::Kind::kStatus, "list pods");
  error.code = code;
  error.reason = std::move(reason);
  return error;
}

TEST_CASE("a list is streamed first, and the watch continues at its version") {
  Machine machine;

  auto list = machine.next();
  machine.policy.listed("42");
  auto watch = machine.next();

  CHECK(list.kind == Kind::kStreamList);
  CHECK(list.resource_version.empty());
  CHECK(list.timeout_seconds >= 300);
  CHECK(list.timeout_seconds < 600);
  CHECK(watch.kind == Kind::kWatch);
  CHECK(watch.resource_version == "42");
}

TEST_CASE("a server that rejects a streamed list is listed in pages from any version from then on") {
  Machine machine;
  (void)machine.next();

  machine.policy.failed(status(422, "Invalid"));
  auto list = machine.next();
  machine.policy.listed("7");
  (void)machine.next();
  machine.stream_failed(status(410, "Expired"));
  (void)machine.wait();
  auto again = machine.next();

  CHECK(list.kind == Kind::kList);
  CHECK(list.resource_version == "0");
  CHECK(list.page_size == 500);
  CHECK(again.kind == Kind::kList);
  CHECK(again.resource_version == "7");
  CHECK(again.page_size == 0);
}

TEST_CASE("a missing or forbidden kind is retried with growing waits, without an additional list") {
  for (int code : {401, 403, 404}) {
    Machine machine;
    async::Duration before{0};

    for (int attempt = 0; attempt < 5; ++attempt) {
      REQUIRE(machine.next().kind == Kind::kStreamList);
      machine.policy.failed(status(code, ""));
      auto wait = machine.wait();
      CHECK(wait >= 800ms * (1 << attempt));
      CHECK(wait < 1600ms * (1 << attempt));
      CHECK(wait > before / 2);
      before = wait;
    }
  }
}

TEST_CASE("waits grow to 30 s and restart after two minutes without an error") {
  Machine machine;
  for (int attempt = 0; attempt < 20; ++attempt) {
    (void)machine.next();
    machine.policy.failed(transport_error("connection refused"));
    CHECK(machine.wait() <= 60s);
  }

  machine.now += 121s;
  (void)machine.next();
  machine.policy.failed(transport_error("connection refused"));

  CHECK(machine.wait() < 1600ms);
}

TEST_CASE("lists that succeed between failing watches have growing waits") {
  Machine machine;
  (void)machine.next();
  async::Duration wait{0};

  for (int attempt = 0; attempt < 10; ++attempt) {
    machine.policy.listed("5");
    REQUIRE(machine.next().kind == Kind::kWatch);
    machine.stream_failed(status(410, "Expired"));
    wait = machine.wait();
    CHECK(wait >= std::min<async::Duration>(30s, 800ms * (1 << attempt)));
    REQUIRE(machine.next().kind == Kind::kStreamList);
  }
  machine.policy.listed("5");
  (void)machine.next();
  machine.now += 3min;
  machine.stream_failed(status(410, "Expired"));
  auto after_a_long_watch = machine.wait();

  CHECK(wait >= 30s);
  CHECK(after_a_long_watch < 1600ms);
}

TEST_CASE("a closed or broken watch resumes immediately from its last version") {
  for (const auto& end : {kClosed, kBroken, kStalled}) {
    Machine machine;
    (void)machine.next();
    machine.policy.listed("5");
    (void)machine.next();

    machine.policy.passed("9");
    machine.policy.stream_ended(end, Course::kLong);
    auto next = machine.next();

    CHECK(next.kind == Kind::kWatch);
    CHECK(next.resource_version == "9");
  }
}

TEST_CASE("an unavailable server gets the same watch request again, not a list") {
  Machine machine;
  (void)machine.next();
  machine.policy.listed("5");

  for (int attempt = 0; attempt < 3; ++attempt) {
    REQUIRE(machine.next().kind == Kind::kWatch);
    machine.policy.failed(transport_error("connection refused"));
    (void)machine.wait();
  }
  auto next = machine.next();

  CHECK(next.kind == Kind::kWatch);
  CHECK(next.resource_version == "5");
}

TEST_CASE("an expired version leads to a relist that is not older than the known version") {
  SECTION("the watch sends an ERROR event") {
    Machine machine;
    (void)machine.next();
    machine.policy.listed("5");
    (void)machine.next();

    machine.stream_failed(status(410, "Expired"));
    (void)machine.wait();
    auto next = machine.next();

    CHECK(next.kind == Kind::kStreamList);
    CHECK(next.resource_version == "5");
  }
  SECTION("the request of the watch fails") {
    Machine machine;
    (void)machine.next();
    machine.policy.listed("5");
    (void)machine.next();

    machine.policy.failed(status(410, "Gone"));
    (void)machine.wait();

    CHECK(machine.next().kind == Kind::kStreamList);
  }
}

TEST_CASE("a list that fails at a version is requested without one, immediately, then with waits") {
  Machine machine;
  (void)machine.next();
  machine.policy.listed("5");
  (void)machine.next();
  machine.stream_failed(status(410, "Expired"));
  (void)machine.wait();
  (void)machine.next();

  machine.policy.failed(status(410, "Expired"));
  auto unversioned = machine.next();
  machine.policy.failed(status(410, "Expired"));
  auto after = machine.next();

  CHECK(unversioned.kind == Kind::kStreamList);
  CHECK(unversioned.resource_version.empty());
  CHECK(after.kind == Kind::kSleep);
}

TEST_CASE("a server behind the known version is recognized") {
  auto error = status(504, "Timeout");
  error.server_text = "Too large resource version: 99, current: 12";

  CHECK(is_too_large_version(error));
  CHECK_FALSE(is_too_large_version(status(504, "Timeout")));
}

TEST_CASE("a streamed list that is cut before its end is followed by a plain list for this round") {
  Machine machine;
  (void)machine.next();

  SECTION("the server closes the stream immediately, without any event") {
    machine.policy.stream_ended(kClosed, Course::kBarren);
  }
  SECTION("the server closes the stream after a while") { machine.policy.stream_ended(kClosed, Course::kLong); }
  SECTION("the connection breaks") { machine.policy.stream_ended(kBroken, Course::kShort); }
  (void)machine.wait();
  auto list = machine.next();
  machine.policy.listed("3");
  (void)machine.next();
  machine.stream_failed(status(410, "Expired"));
  (void)machine.wait();

  CHECK(list.kind == Kind::kList);
  CHECK(machine.next().kind == Kind::kStreamList);
}

// A list that is complete, and a watch that makes the reflector list again.
void complete_list_and_relist(Machine& machine) {
  machine.policy.listed("3");
  (void)machine.next();
  machine.stream_failed(status(410, "Expired"));
  (void)machine.wait();
}

TEST_CASE("a plain list follows a streamed list that stalls, and after three in a row all lists are plain") {
  Machine machine;

  for (int stalled = 1; stalled <= 3; ++stalled) {
    INFO(stalled);
    REQUIRE(machine.next().kind == Kind::kStreamList);
    machine.policy.stream_ended(kStalled, Course::kLong);
    CHECK(machine.next().kind == Kind::kList);
    complete_list_and_relist(machine);
  }

  CHECK(machine.next().kind == Kind::kList);
}

TEST_CASE("a complete streamed list resets the count of stalled ones") {
  Machine machine;

  for (int round = 0; round < 5; ++round) {
    INFO(round);
    for (int stalled = 0; stalled < 2; ++stalled) {
      REQUIRE(machine.next().kind == Kind::kStreamList);
      machine.policy.stream_ended(kStalled, Course::kLong);
      REQUIRE(machine.next().kind == Kind::kList);
      complete_list_and_relist(machine);
    }
    REQUIRE(machine.next().kind == Kind::kStreamList);
    complete_list_and_relist(machine);
  }
}

TEST_CASE("a watch without an event that ends within a second waits before it lists again") {
  Machine machine;
  (void)machine.next();
  machine.policy.listed("5");
  (void)machine.next();

  machine.policy.stream_ended(kClosed, Course::kBarren);
  (void)machine.wait();

  CHECK(machine.next().kind == Kind::kStreamList);
}

TEST_CASE("a relist that is not older than the known version follows a watch without any event") {
  Machine machine;
  (void)machine.next();
  machine.policy.listed("5");
  (void)machine.next();

  machine.policy.stream_ended(kStalled, Course::kBarren);
  (void)machine.wait();
  auto next = machine.next();

  CHECK(next.kind == Kind::kStreamList);
  CHECK(next.resource_version == "5");
}

TEST_CASE("watches that end within a second although they have events are opened at most once a second") {
  for (const auto& end : {kClosed, kBroken}) {
    Machine machine;
    (void)machine.next();
    machine.policy.listed("5");
    REQUIRE(machine.next().kind == Kind::kWatch);

    machine.policy.stream_ended(end, Course::kShort);
    REQUIRE(machine.next().kind == Kind::kWatch);  // the first one: a server that restarts, a connection that breaks
    for (int watch = 0; watch < 5; ++watch) {
      machine.policy.passed(std::to_string(6 + watch));
      machine.policy.stream_ended(end, Course::kShort);
      auto wait = machine.wait();
      CHECK(wait >= 1s);
      CHECK(wait <= 2s);
      auto next = machine.next();
      REQUIRE(next.kind == Kind::kWatch);
      CHECK(next.resource_version == std::to_string(6 + watch));
    }
    machine.policy.stream_ended(end, Course::kLong);
    REQUIRE(machine.next().kind == Kind::kWatch);
    machine.policy.stream_ended(end, Course::kShort);
    CHECK(machine.next().kind == Kind::kWatch);
  }
}

TEST_CASE("a plain list follows a streamed list with an event that cannot be parsed") {
  Machine machine;
  (void)machine.next();

  machine.policy.failed(malformed_error("watch event of unknown type \"SYNCED\""));
  (void)machine.wait();
  auto list = machine.next();
  machine.policy.listed("3");
  (void)machine.next();
  machine.stream_failed(status(410, "Expired"));
  (void)machine.wait();

  CHECK(list.kind == Kind::kList);
  CHECK(list.page_size == 500);
  CHECK(machine.next().kind == Kind::kStreamList);
}

TEST_CASE(
    "a streamed list of an impossible version is followed by one without a version, immediately, then with a wait") {
  Machine machine;
  (void)machine.next();
  machine.policy.listed("100");
  (void)machine.next();
  machine.stream_failed(status(410, "Expired"));
  (void)machine.wait();
  REQUIRE(machine.next().resource_version == "100");

  machine.policy.stream_ended(ListWatchPolicy::WentBack(), Course::kLong);
  auto again = machine.next();
  machine.policy.stream_ended(ListWatchPolicy::WentBack(), Course::kLong);
  (void)machine.wait();

  CHECK(again.kind == Kind::kStreamList);
  CHECK(again.resource_version.empty());
  CHECK(machine.next().resource_version.empty());
}

TEST_CASE("a watch with a line that is not an event waits, and a relist from the known version follows") {
  Machine machine;
  (void)machine.next();
  machine.policy.listed("5");
  (void)machine.next();

  machine.policy.stream_ended(ListWatchPolicy::Broken{malformed_error("watch event has no type")}, Course::kLong);
  (void)machine.wait();
  auto next = machine.next();

  CHECK(next.kind == Kind::kStreamList);
  CHECK(next.resource_version == "5");
}

TEST_CASE("a streamed list with an ordinary bookmark before its end is abandoned: the server only watches") {
  Machine machine;
  (void)machine.next();

  machine.policy.stream_ended(ListWatchPolicy::NotStreamed(), Course::kLong);

  CHECK(machine.next().kind == Kind::kList);
}

TEST_CASE("a list without pages follows immediately after pages whose continue tokens expire") {
  Machine machine;
  (void)machine.next();
  machine.policy.failed(status(422, "Invalid"));
  auto pages = machine.next();
  REQUIRE(pages.page_size == 500);

  auto failure = machine.policy.list_failed(status(410, "Expired"), ListWatchPolicy::Page::kLater);
  auto whole = machine.next();

  CHECK(failure == ListWatchPolicy::ListFailure::kTokenExpired);
  CHECK(whole.kind == Kind::kList);
  CHECK(whole.page_size == 0);
  CHECK(whole.resource_version == pages.resource_version);
  SECTION("it succeeds") {
    machine.policy.listed("9");
    (void)machine.next();
    machine.policy.start_over();
    CHECK(machine.next().page_size == 500);
  }
  SECTION("it fails, and the next one waits") {
    machine.policy.failed(status(500, "InternalError"));
    (void)machine.wait();
    CHECK(machine.next().page_size == 0);
  }
}

TEST_CASE("an expired version on the first page, and another error on a later page, are errors of the list") {
  struct Row {
    Error error;
    ListWatchPolicy::Page page;
  };
  for (const auto& row : {Row{status(410, "Expired"), ListWatchPolicy::Page::kFirst},
                          Row{status(500, "InternalError"), ListWatchPolicy::Page::kLater}}) {
    Machine machine;
    (void)machine.next();
    machine.policy.failed(status(422, "Invalid"));
    REQUIRE(machine.next().kind == Kind::kList);

    auto failure = machine.policy.list_failed(row.error, row.page);

    CHECK(failure == ListWatchPolicy::ListFailure::kError);
    auto next = machine.next();
    if (next.kind == Kind::kSleep) next = machine.next();
    CHECK(next.page_size == 500);
  }
}

TEST_CASE("a watch that is throttled waits, and resumes from its last version") {
  Machine machine;
  (void)machine.next();
  machine.policy.listed("5");
  (void)machine.next();

  machine.stream_failed(status(429, "TooManyRequests"));
  (void)machine.wait();
  auto next = machine.next();

  CHECK(next.kind == Kind::kWatch);
  CHECK(next.resource_version == "5");
}

}  // namespace
}  // namespace keelson::cache
