// What an object waits for during an uninstall, and when there is no progress.
#include "src/install/deletion_policy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/schema/time.hpp"

namespace keelson::install {
namespace {

using namespace std::chrono_literals;

kube::Object object(const std::string& metadata) {
  auto made = kube::Object::from_json(R"({"metadata":{"name":"a")" + metadata + "}}");
  REQUIRE(made.has_value());
  return std::move(*made);
}

ObjectState state(const std::string& metadata) {
  return state_of(object(metadata), {"example.com/own", "example.com/second"}, kube::OperatorName(),
                  *kube::parse_time("2026-01-01T00:01:00Z"));
}

TEST_CASE("the reason why an object remains names its finalizers") {
  const std::string deleting = R"(,"deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":)";
  const struct {
    std::string metadata;
    std::string reason;
  } cases[] = {
      {"", "was not deleted, or created again"},
      {R"(,"finalizers":["example.com/own"])", "was not deleted, or created again"},
      {deleting + "[]", "is being deleted"},
      {deleting + R"(["example.com/own","example.com/second"])",
       "has the finalizer example.com/own, example.com/second, which the manager has not removed"},
      {deleting + R"(["example.com/own"],"annotations":{"keelson.dev/paused":"true"})",
       "has the finalizer example.com/own, which the manager has not removed: the object is paused, remove the "
       "annotation"},
      {deleting + R"(["example.com/own"],"annotations":{"keelson.dev/paused":"false"})",
       "has the finalizer example.com/own, which the manager has not removed"},
      {deleting + R"(["example.com/own"],"annotations":{"keelson.dev/paused":"2026-01-01T00:00:30Z"})",
       "has the finalizer example.com/own, which the manager has not removed"},
      {deleting + R"(["foregroundDeletion","example.com/hold"])",
       "waits until the garbage collector has deleted its children; has the finalizer example.com/hold of another "
       "controller"},
  };
  for (const auto& row : cases) {
    INFO(row.metadata);
    CHECK(reason_of(state(row.metadata)) == row.reason);
  }
}

TEST_CASE("objects are counted with their namespaces and own finalizers") {
  Tally tally;
  CHECK(describe(tally) == "no objects");
  const auto add = [&tally](const std::string& metadata) { tally.add(object(metadata), state(metadata)); };
  add("");
  CHECK(describe(tally) == "1 object");
  add(R"(,"namespace":"a","finalizers":["example.com/own","example.com/hold"])");
  CHECK(describe(tally) == "2 objects in 1 namespace");
  add(R"(,"namespace":"a","finalizers":["example.com/hold"])");
  add(R"(,"namespace":"b")");
  CHECK(describe(tally) == "4 objects in 2 namespaces");
  CHECK(tally.with_own_finalizer == 1);
}

TEST_CASE("only a lower number of objects is progress") {
  async::TimePoint now;
  Progress progress(now, 60s);

  CHECK(progress.update(10, now));
  CHECK_FALSE(progress.update(10, now += 59s));
  CHECK_FALSE(progress.has_ended(now));
  CHECK(progress.update(9, now));
  CHECK(progress.update(10, now += 59s));
  CHECK(progress.update(9, now));
  CHECK_FALSE(progress.has_ended(now));
  CHECK(progress.has_ended(now + 1s));
}

}  // namespace
}  // namespace keelson::install
