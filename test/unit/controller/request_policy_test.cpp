// The decisions about the annotations `paused` and `reconcile-at`, as tables.
#include "src/controller/request_policy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/controller/pause.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/time.hpp"
#include "test/unit/controller/fakes.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;
using namespace std::chrono_literals;

const async::WallTime kNow = *kube::parse_time("2026-01-02T12:00:00Z");
const kube::OperatorName kKeelson;
const controller::RequestNames kNames(kKeelson);

kube::Object annotated(const std::string& name, const std::string& value, const std::string& more = "") {
  json::Writer annotations;
  annotations.begin_object().field(name, value).end_object();
  return object(R"({"metadata":{"name":"a","namespace":"default","uid":"u-1","resourceVersion":"7","annotations":)" +
                std::move(annotations).take() + "}" + more + "}");
}

kube::Object paused(const std::string& value) { return annotated("keelson.dev/paused", value); }
kube::Object requested(const std::string& value) { return annotated("keelson.dev/reconcile-at", value); }

kube::Object with_conditions(const std::string& conditions) {
  return annotated("a", "b", R"(,"status":{"size":3,"conditions":)" + conditions + "}");
}

}  // namespace

TEST_CASE("the value of the annotation paused decides whether and until when an object is paused") {
  struct Row {
    std::string value;
    bool is_paused;
    std::string until;  // empty: without an end
    std::string part_of_message;
  };
  const std::vector<Row> table{
      {"true", true, "", "The annotation keelson.dev/paused is true. Remove it to resume."},
      {"false", false, "", ""},
      {"", false, "", ""},
      {"2026-01-02T12:00:01Z", true, "2026-01-02T12:00:01Z", "pauses until 2026-01-02T12:00:01Z. Remove it to resume"},
      {"2026-01-02T14:00:00+01:00", true, "2026-01-02T13:00:00Z", "pauses until 2026-01-02T13:00:00Z"},
      {"2026-01-02T12:00:00Z", false, "", ""},
      {"2026-01-02T11:59:59Z", false, "", ""},
      {"ture", true, "", R"(is "ture", which is neither true, false nor a time such as 2026-01-02T15:04:05Z. Correct)"},
      {"False", true, "", R"(is "False", which is neither)"},
      {"2026-01-02", true, "", R"(is "2026-01-02", which is neither)"},
      {"2026-02-30T12:00:00Z", true, "", R"(is "2026-02-30T12:00:00Z", which is neither)"},
      {"9999-12-31T23:59:59Z", true, "2262-01-01T00:00:00Z", "pauses until 9999-12-31T23:59:59Z. Remove it to resume"},
      {"2262-01-01T00:00:00Z", true, "2262-01-01T00:00:00Z", "pauses until 2262-01-01T00:00:00Z"},
      {"2261-12-31T23:59:59Z", true, "2261-12-31T23:59:59Z", "pauses until 2261-12-31T23:59:59Z"},
      {"0001-01-01T00:00:00Z", false, "", ""},
      {"1677-12-31T23:59:59Z", false, "", ""},
      {" ", true, "", R"(is " ", which is neither)"},
      {std::string(1000, 'x'), true, "", "is \"" + std::string(64, 'x') + "\"…, which is neither"},
  };
  for (const auto& row : table) {
    INFO(row.value);
    const auto pause = controller::pause_of(paused(row.value), kKeelson, kNow);

    CHECK(pause.has_value() == row.is_paused);
    if (!pause) continue;
    CHECK((pause->until ? kube::format_time(*pause->until) : "") == row.until);
    INFO(pause->message);
    CHECK(pause->message.find(row.part_of_message) != std::string::npos);
  }
  CHECK_FALSE(controller::pause_of(memcached("a"), kKeelson, kNow));
}

TEST_CASE("the annotation has the name of the operator") {
  const kube::OperatorName greeter("greeter");

  CHECK(controller::pause_of(annotated("greeter.keelson.dev/paused", "true"), greeter, kNow));
  CHECK_FALSE(controller::pause_of(paused("true"), greeter, kNow));
  CHECK_FALSE(controller::pause_of(annotated("greeter.keelson.dev/paused", "true"), kKeelson, kNow));
}

TEST_CASE("reconcile-at requests a reconcile if an update sets another value") {
  struct Row {
    std::string before;
    std::string after;
    bool is_request;
  };
  for (const auto& row : std::vector<Row>{{"", "now", true},
                                          {"1", "2", true},
                                          {"2026-01-02T12:00:00Z", "2026-01-02T13:00:00Z", true},
                                          {"1", "1", false},
                                          {"1", "", false}}) {
    INFO(row.before << " -> " << row.after);
    CHECK(controller::requests_reconcile(updated(requested(row.before), requested(row.after)), kNames) ==
          row.is_request);
  }
  CHECK(controller::requests_reconcile(updated(memcached("a"), requested("1")), kNames));
  CHECK_FALSE(controller::requests_reconcile(updated(requested("1"), memcached("a")), kNames));
  CHECK_FALSE(controller::requests_reconcile(added(requested("1")), kNames));
  CHECK_FALSE(controller::requests_reconcile(deleted(requested("1")), kNames));
}

TEST_CASE("an update of the annotation paused, and an addition with a value of it, concern a pause") {
  CHECK(controller::concerns_pause(updated(memcached("a"), paused("true")), kNames));
  CHECK(controller::concerns_pause(updated(paused("true"), memcached("a")), kNames));
  CHECK(controller::concerns_pause(added(paused("true")), kNames));
  CHECK_FALSE(controller::concerns_pause(updated(paused("true"), paused("true")), kNames));
  CHECK_FALSE(controller::concerns_pause(added(paused("")), kNames));
  CHECK_FALSE(controller::concerns_pause(added(requested("1")), kNames));
  CHECK_FALSE(controller::concerns_pause(deleted(paused("true")), kNames));
}

TEST_CASE("a time of reconcile-at in the future delays the reconcile until slightly after it") {
  CHECK(controller::time_until_requested(requested("2026-01-02T12:30:00Z"), kNames, kNow) == 30min + 100ms);
  CHECK(controller::time_until_requested(requested("9999-12-31T23:59:59Z"), kNames, kNow) > 235 * 365 * 24h);
  for (const auto* value : {"2026-01-02T12:00:00Z", "2025-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "soon", ""}) {
    INFO(value);
    CHECK_FALSE(controller::time_until_requested(requested(value), kNames, kNow));
  }
  CHECK_FALSE(controller::time_until_requested(memcached("a"), kNames, kNow));
}

TEST_CASE("the sleep of a pause is at most a minute, because the wall clock may be set meanwhile") {
  CHECK(controller::delay_of(kNow + 10s, kNow) == 10s + 100ms);
  CHECK(controller::delay_of(kNow - 10s, kNow) == 100ms);
  CHECK(controller::delay_of(kNow + 24h, kNow) == 1min);
  CHECK_FALSE(controller::delay_of(std::nullopt, kNow));
}

TEST_CASE("the patch of the condition Paused retains the other conditions and requests optimistic locking") {
  const auto ready =
      std::string(R"({"type":"Ready","status":"True","reason":"Done","message":"","x":1.5,"lastTransitionTime":"t"})");

  const auto body = controller::paused_patch(with_conditions("[" + ready + "]"), "Paused", "Why.", kNow);

  REQUIRE(body);
  CHECK(body->value() == R"({"metadata":{"uid":"u-1","resourceVersion":"7"},"status":{"conditions":[)" + ready +
                             R"(,{"type":"Paused","status":"True","reason":"Paused","message":"Why.",)"
                             R"("lastTransitionTime":"2026-01-02T12:00:00Z"}]}})");
}

TEST_CASE("the condition Paused is written only if it changes, and its transition time is that of its status") {
  const auto stored = [](const std::string& status, const std::string& reason, const std::string& message) {
    return with_conditions(R"([{"type":"Paused","status":")" + status + R"(","reason":")" + reason +
                           R"(","message":")" + message + R"(","lastTransitionTime":"2026-01-01T00:00:00Z"}])");
  };
  struct Row {
    std::string what;
    kube::Object object;
    std::string_view reason;
    std::string status;  // of the patch; empty: no patch
    std::string since;
  };
  const auto without_status = json::Projection::of({{"spec"}});
  const auto with_status = json::Projection::of({{"status"}});
  const std::string whole = R"({"metadata":{"name":"a"}})";
  const std::vector<Row> table{
      {"conditions that are not stored", *kube::Object::from_json(whole, &without_status), "Paused", "", ""},
      {"stored conditions", *kube::Object::from_json(whole, &with_status), "Paused", "True", "2026-01-02T12:00:00Z"},
      {"first", object(R"({"metadata":{"name":"a"}})"), "Paused", "True", "2026-01-02T12:00:00Z"},
      {"unchanged", stored("True", "Paused", "Why."), "Paused", "", ""},
      {"another message", stored("True", "Paused", "Until."), "Paused", "True", "2026-01-01T00:00:00Z"},
      {"another reason", stored("True", "ChildPaused", "Why."), "Paused", "True", "2026-01-01T00:00:00Z"},
      {"again", stored("False", "Resumed", "Why."), "Paused", "True", "2026-01-02T12:00:00Z"},
      {"resumed", stored("True", "Paused", "Why."), "Resumed", "False", "2026-01-02T12:00:00Z"},
      {"still resumed", stored("False", "Resumed", "Why."), "Resumed", "", ""},
  };
  for (const auto& row : table) {
    INFO(row.what);
    const auto body = controller::paused_patch(row.object, row.reason, "Why.", kNow);

    REQUIRE(body);
    CHECK(body->has_value() == !row.status.empty());
    if (!*body) continue;
    const auto patch = json::Document::parse(**body);
    const auto conditions = patch->root().at({"status", "conditions"});
    CHECK(conditions.size() == 1);
    CHECK(conditions.item(0).find("status").string() == row.status);
    CHECK(conditions.item(0).find("lastTransitionTime").string() == row.since);
  }
}
