// Each finding of `manager doctor` and each answer of `manager explain` has a test on a cluster.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <string_view>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/explain_policy.hpp"
#include "keelson/detail/doctor/findings.hpp"
#include "test/support/files.hpp"

namespace {

using namespace keelson;
using testing::content_of;

const std::filesystem::path kSource = KEELSON_SOURCE_DIR;

// The sources of all cluster tests whose names begin with `prefix`.
std::string sources_of(const std::string& prefix) {
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(KEELSON_SOURCE_DIR) + "/test/cluster")) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    text += content_of(kSource / entry.path());
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

// By its name, or by the longest part of its text without a fact.
bool is_caused(const controller::ExplainAnswer& answer, const std::string& sources) {
  return sources.find(quoted(answer.name)) != std::string::npos ||
         sources.find(longest_part(answer.text)) != std::string::npos;
}

}  // namespace

TEST_CASE("each finding of doctor is caused by a cluster test") {
  const auto sources = sources_of("doctor");
  for (const auto& kind : doctor::finding_kinds()) {
    INFO(kind.id);
    CHECK(sources.find(quoted(kind.id)) != std::string::npos);
  }
}

TEST_CASE("each answer of explain is caused by a cluster test") {
  // "busy" is the answer about a bug of a reconciler, which no built-in controller has.
  const auto sources = sources_of("explain") + content_of(kSource / "test/sim/requeue_test.cpp");
  for (const auto& answer : controller::explain_answers()) {
    INFO(answer.name);
    CHECK(is_caused(answer, sources));
  }
}
