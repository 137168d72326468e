// Each finding of `manager doctor` and each answer of `manager explain` has a test on a cluster.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "keelson/base/text.hpp"
#include "keelson/controller/explain_policy.hpp"
#include "keelson/doctor/findings.hpp"

namespace {

using namespace keelson;

// The sources of all cluster tests whose names begin with `prefix`.
std::string sources_of(const std::string& prefix) {
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(KEELSON_SOURCE_DIR) + "/test/cluster")) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    std::ifstream file(entry.path());
    text.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  REQUIRE(!text.empty());
  return text;
}

std::string quoted(std::string_view id) { return "\"" + std::string(id) + "\""; }

std::string longest_part(std::string_view text) {
  constexpr std::string_view kFact = "…";
  std::string longest;
  while (!text.empty()) {
    const auto end = std::min(text.find(kFact), text.size());
    const std::string part(base::trim(text.substr(0, end)));
    if (part.size() > longest.size()) longest = part;
    text.remove_prefix(std::min(end + kFact.size(), text.size()));
  }
  return longest;
}

}  // namespace

TEST_CASE("each finding of doctor is caused by a cluster test") {
  const auto sources = sources_of("doctor");
  for (const auto& kind : doctor::finding_kinds()) {
    INFO(kind.id);
    CHECK(sources.find(quoted(kind.id)) != std::string::npos);
  }
}

TEST_CASE("each answer of explain is caused by a cluster test, or by a simulated one if it needs another controller") {
  const auto sources = sources_of("explain");
  // The built-in controllers do not throw, hang, give up or fail in a way that is not retried, and their own writes
  // start another reconcile at once: test/sim/explain_test.cpp and test/unit/controller/explain_policy_test.cpp have
  // these.
  constexpr std::string_view kOthers[] = {"timeout", "panic", "terminal", "not-retried", "requeued", "wrote"};
  for (const auto& answer : controller::explain_answers()) {
    INFO(answer.name);
    if (std::ranges::find(kOthers, answer.name) != std::end(kOthers)) continue;
    // By its name, or by the longest part of its text without a fact.
    const auto is_named = sources.find(quoted(answer.name)) != std::string::npos;
    CHECK((is_named || sources.find(longest_part(answer.text)) != std::string::npos));
  }
}
