#include "src/controller/reconcile_notes.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/controller/limits.hpp"

namespace keelson::controller {
namespace {

using namespace std::chrono_literals;

async::TimePoint at(async::Duration since_start) { return async::TimePoint(since_start); }

std::vector<std::string> keys_of(const auto& noted) {
  std::vector<std::string> keys;
  for (const auto& one : noted) keys.push_back(one.key);
  return keys;
}

TEST_CASE("the slowest keys are noted by the duration of their last reconcile") {
  ReconcileNotes notes;
  for (int i = 1; i <= 9; ++i) notes.observe("k" + std::to_string(i), i * 1ms, nullptr, at(1s));
  CHECK(keys_of(notes.slowest(at(2s))) == std::vector<std::string>{"k9", "k8", "k7", "k6", "k5"});

  notes.observe("k9", 1ms, nullptr, at(3s));
  notes.observe("k10", 4500us, nullptr, at(3s));

  const auto slowest = notes.slowest(at(5s));
  CHECK(keys_of(slowest) == std::vector<std::string>{"k8", "k7", "k6", "k5", "k10"});
  CHECK(slowest.front().lasted == 8ms);
  CHECK(slowest.front().ago == 4s);
  CHECK(slowest.back().ago == 2s);
}

TEST_CASE("a slow reconcile of more than an hour ago makes room for a faster one") {
  ReconcileNotes notes;
  for (std::size_t i = 0; i < limits::kNotedKeys; ++i) notes.observe(std::to_string(i), 10s, nullptr, at(0s));

  CHECK(notes.slowest(at(61min)).empty());
  notes.observe("new", 1ms, nullptr, at(61min));

  CHECK(keys_of(notes.slowest(at(61min))) == std::vector<std::string>{"new"});
}

TEST_CASE("a key is failing from its first error until it succeeds") {
  ReconcileNotes notes;
  const auto first = invalid_error("first");
  const auto second = invalid_error("second");
  notes.observe("a", 1ms, &first, at(1s));
  notes.observe("b", 1ms, &first, at(2s));
  notes.observe("a", 1ms, &second, at(3s));

  const auto failing = notes.failing(at(10s));
  REQUIRE(keys_of(failing) == std::vector<std::string>{"a", "b"});
  CHECK(failing.front().error == "second");
  CHECK(failing.front().ago == 7s);

  notes.observe("a", 1ms, nullptr, at(11s));
  CHECK(keys_of(notes.failing(at(12s))) == std::vector<std::string>{"b"});
}

TEST_CASE("the failing keys and the bytes of their errors are limited") {
  ReconcileNotes notes;
  const auto error = invalid_error(std::string(5000, 'x'));
  for (int i = 0; i < 20; ++i) notes.observe(std::to_string(i), 1ms, &error, at(1s));

  const auto failing = notes.failing(at(1s));
  CHECK(keys_of(failing) == std::vector<std::string>{"19", "18", "17", "16", "15"});
  CHECK(failing.front().error.size() == limits::kNotedErrorBytes);
}

}  // namespace
}  // namespace keelson::controller
