// Decisions about recorded events: created, counted, dropped, refreshed, ended.
#include "src/controller/event_policy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "src/controller/event_json.hpp"

namespace {

using namespace keelson;
using namespace std::chrono_literals;
using controller::EventPolicy;
using controller::EventSeries;
using Taken = EventPolicy::Taken;
using Action = EventPolicy::Job::Action;

async::TimePoint at(async::Duration time) { return async::TimePoint(time); }

EventSeries event(const std::string& object, const std::string& reason, const std::string& note = "note") {
  EventSeries series;
  series.regarding = {"v1", "Pod", "default", object, "uid-" + object, "1"};
  series.type = "Normal";
  series.reason = reason;
  series.action = "Act";
  series.note = note;
  series.ns = "default";
  series.name = object + "." + reason;
  return series;
}

// Takes the next job, which must exist, and reports it as sent.
EventPolicy::Job deliver(EventPolicy& policy, async::TimePoint now) {
  auto job = policy.next();
  REQUIRE(job);
  policy.sent(*job, now);
  return *job;
}

}  // namespace

TEST_CASE("the first Event is created, the first repetition is patched, and later ones are counted") {
  EventPolicy policy;

  CHECK(policy.record(event("a", "Started"), at(0s)) == Taken::kQueued);
  CHECK(deliver(policy, at(0s)).action == Action::kCreate);
  CHECK(policy.record(event("a", "Started", "another note"), at(1s)) == Taken::kCounted);
  auto patch = deliver(policy, at(1s));
  CHECK(patch.action == Action::kPatch);
  CHECK(patch.series.count == 2);
  CHECK(patch.series.name == "a.Started");
  for (int i = 0; i < 10; ++i) CHECK(policy.record(event("a", "Started"), at(2s)) == Taken::kCounted);

  CHECK_FALSE(policy.next());
}

TEST_CASE("an Event with another object, type, reason or action is a separate Event") {
  EventPolicy policy;
  auto warning = event("a", "Started");
  warning.type = "Warning";
  auto action = event("a", "Started");
  action.action = "Other";

  for (const auto& one : {event("a", "Started"), event("b", "Started"), event("a", "Stopped"), warning, action}) {
    CHECK(policy.record(one, at(0s)) == Taken::kQueued);
  }

  CHECK(policy.queued() == 5);
}

TEST_CASE("repetitions while the first Event is being sent are sent after it") {
  EventPolicy policy;
  policy.record(event("a", "Started"), at(0s));
  auto create = policy.next();
  policy.record(event("a", "Started"), at(1s));
  policy.record(event("a", "Started"), at(2s));
  CHECK_FALSE(policy.next());

  policy.sent(*create, at(3s));

  auto patch = policy.next();
  REQUIRE(patch);
  CHECK(patch->action == Action::kPatch);
  CHECK(patch->series.count == 3);
}

TEST_CASE("repetitions before the first Event is sent are sent with it") {
  EventPolicy policy;
  policy.record(event("a", "Started"), at(0s));
  policy.record(event("a", "Started"), at(1s));

  auto create = deliver(policy, at(2s));

  CHECK(create.action == Action::kCreate);
  CHECK(create.series.count == 2);
  CHECK_FALSE(policy.next());
}

TEST_CASE("an Event that repeats while its repetition is queued is queued once") {
  EventPolicy policy;
  policy.record(event("a", "Started"), at(0s));
  deliver(policy, at(0s));

  for (int i = 1; i <= 5; ++i) CHECK(policy.record(event("a", "Started"), at(i * 1s)) == Taken::kCounted);

  CHECK(policy.queued() == 1);
  auto patch = deliver(policy, at(6s));
  CHECK(patch.action == Action::kPatch);
  CHECK(patch.series.count == 6);
  CHECK(policy.queued() == 0);
  CHECK_FALSE(policy.next());
}

TEST_CASE("a series is refreshed every 30 min and ends after 6 min without an Event") {
  EventPolicy policy;
  policy.record(event("a", "Started"), at(0s));
  deliver(policy, at(0s));
  policy.record(event("a", "Started"), at(1s));
  deliver(policy, at(1s));
  for (int minute = 1; minute <= 29; ++minute) {
    policy.record(event("a", "Started"), at(minute * 1min));
    policy.sweep(at(minute * 1min));
    CHECK_FALSE(policy.next());
  }
  policy.record(event("a", "Started"), at(31min));
  policy.sweep(at(31min));
  CHECK(deliver(policy, at(31min)).series.count == 32);

  policy.record(event("a", "Started"), at(32min));
  policy.sweep(at(37min));
  CHECK_FALSE(policy.next());
  policy.sweep(at(38min));
  CHECK(deliver(policy, at(38min)).series.count == 33);
  policy.sweep(at(39min));
  CHECK(policy.series() == 0);
  CHECK(policy.record(event("a", "Started"), at(39min)) == Taken::kQueued);
}

TEST_CASE("a flood about one object is cut at 25 Events, and then one passes every 300 s") {
  EventPolicy policy;
  int passed = 0;
  for (int i = 0; i < 100; ++i) {
    if (policy.record(event("a", "Reason" + std::to_string(i)), at(0s)) == Taken::kQueued) ++passed;
  }
  CHECK(passed == 25);
  CHECK(policy.record(event("b", "Reason"), at(0s)) == Taken::kQueued);

  CHECK(policy.record(event("a", "Later"), at(299s)) == Taken::kCut);
  CHECK(policy.record(event("a", "Later"), at(301s)) == Taken::kQueued);
  CHECK(policy.record(event("a", "AndMore"), at(301s)) == Taken::kCut);
}

TEST_CASE("a flood of Normal Events does not hide a warning") {
  EventPolicy policy;
  for (int i = 0; i < 100; ++i) static_cast<void>(policy.record(event("a", "Reason" + std::to_string(i)), at(0s)));
  auto warning = event("a", "Broken");
  warning.type = "Warning";

  CHECK(policy.record(event("a", "Broken"), at(0s)) == Taken::kCut);
  CHECK(policy.record(warning, at(0s)) == Taken::kQueued);
}

TEST_CASE("an Event with another related object is a separate Event and names it") {
  EventPolicy policy;
  auto made = event("a", "Created", "Created job one");
  made.related = controller::Regarding{"batch/v1", "Job", "default", "one", "uid-one", ""};
  auto again = made;
  auto other = made;
  other.related->name = "two";

  CHECK(policy.record(made, at(0s)) == Taken::kQueued);
  CHECK(policy.record(again, at(0s)) == Taken::kCounted);
  CHECK(policy.record(other, at(0s)) == Taken::kQueued);
  auto json = controller::event_json(made, {"manager", "host"});
  CHECK(json.find(R"("related":{"apiVersion":"batch/v1","kind":"Job","namespace":"default","name":"one",)"
                  R"("uid":"uid-one"})") != std::string::npos);
}

TEST_CASE("the queue and the remembered Events are bounded") {
  EventPolicy policy;
  for (std::size_t i = 0; i < limits::kQueuedEvents; ++i) {
    REQUIRE(policy.record(event("o" + std::to_string(i), "R"), at(0s)) == Taken::kQueued);
  }
  CHECK(policy.record(event("one more", "R"), at(0s)) == Taken::kFull);

  for (std::size_t i = 0; i < 3 * limits::kRememberedEvents; ++i) {
    while (policy.queued() > 0) deliver(policy, at(0s));
    policy.record(event("p" + std::to_string(i), "R"), at(0s));
  }
  CHECK(policy.series() == limits::kRememberedEvents);
}

TEST_CASE("an Event that was rejected is created the next time") {
  EventPolicy policy;
  policy.record(event("a", "Started"), at(0s));
  auto job = policy.next();

  policy.rejected(*job);

  CHECK(policy.record(event("a", "Started"), at(1s)) == Taken::kQueued);
  CHECK(policy.next()->action == Action::kCreate);
}

TEST_CASE("flush queues the Events that the server does not have") {
  EventPolicy policy;
  policy.record(event("a", "Started"), at(0s));
  deliver(policy, at(0s));
  policy.record(event("a", "Started"), at(1s));
  deliver(policy, at(1s));
  policy.record(event("a", "Started"), at(2s));

  policy.flush();

  CHECK(deliver(policy, at(3s)).series.count == 3);
  policy.flush();
  CHECK_FALSE(policy.next());
}

TEST_CASE("names and notes of Events are valid in the API") {
  CHECK(controller::event_name("web", 0x18c0ffee) == "web.18c0ffee");
  auto longest = controller::event_name(std::string(236, 'a') + "." + std::string(16, 'b'), 0x1234567890abcdef);
  CHECK(longest == std::string(236, 'a') + ".1234567890abcdef");
}
