// Which applies need no comparison.
#include "src/controller/settled_children.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "test/support/parsed_object.hpp"

namespace {

using namespace keelson;
using controller::SettledChildren;
using testing::parsed_object;

kube::Object object_of(const std::string& uid) {
  return parsed_object(R"({"metadata":{"name":"a","uid":")" + uid + R"(","resourceVersion":"1"}})");
}

constexpr const char* kDesired = R"({"kind":"Deployment","metadata":{"name":"a"},"spec":{"replicas":1}})";
constexpr const char* kChild = R"({"metadata":{"name":"a","uid":"c","resourceVersion":"5","generation":2,)"
                               R"("labels":{"app":"a"},"annotations":{"keelson.dev/applied-hash":"17"}},)"
                               R"("spec":{"replicas":1},"status":{"replicas":0}})";

// The state of kChild with one text in it replaced.
std::uint64_t state_with(const std::string& former, const std::string& changed, const std::string& desired = kDesired) {
  std::string text = kChild;
  const auto at = text.find(former);
  REQUIRE(at != std::string::npos);
  text.replace(at, former.size(), changed);
  return SettledChildren::state_of(object_of("owner"), parsed_object(text), desired, kube::OperatorName());
}

}  // namespace

TEST_CASE("a child is settled while its owner, its fields and the desired state are the same") {
  const auto state = state_with("1", "1");

  CHECK(state_with(R"("replicas":0)", R"("replicas":1)") == state);
  CHECK(state_with(R"("resourceVersion":"5","generation":2)", R"("resourceVersion":"6","generation":3)") == state);
  CHECK(state_with(R"("annotations":{)", R"("annotations":{"note":"of another",)") == state);

  CHECK(state_with(R"("spec":{"replicas":1})", R"("spec":{"replicas":2})") != state);
  CHECK(state_with(R"("spec":{"replicas":1})", R"("spec":{})") != state);
  CHECK(state_with(R"("app":"a")", R"("app":"b")") != state);
  CHECK(state_with(R"(/applied-hash":"17")", R"(/applied-hash":"18")") != state);
  CHECK(state_with("1", "1", R"({"kind":"Deployment","metadata":{"name":"a"},"spec":{"replicas":2}})") != state);
  CHECK(SettledChildren::state_of(object_of("other"), parsed_object(kChild), kDesired, kube::OperatorName()) != state);
}

TEST_CASE("annotations of a child count if the desired state has annotations") {
  const std::string desired = R"({"kind":"Deployment","metadata":{"name":"a","annotations":{"note":"ours"}}})";

  CHECK(state_with(R"("annotations":{)", R"("annotations":{"note":"of another",)", desired) !=
        state_with("1", "1", desired));
}

TEST_CASE("children displace each other, and none is mistaken for another") {
  SettledChildren settled;
  const auto first = object_of("first");
  CHECK_FALSE(settled.contains(first, 1));

  settled.add(first, 1);
  CHECK(settled.contains(first, 1));
  CHECK_FALSE(settled.contains(first, 2));
  CHECK_FALSE(settled.contains(object_of("another"), 1));

  for (int number = 0; number < 10'000; ++number) {
    const auto child = object_of("child-" + std::to_string(number));
    CHECK_FALSE(settled.contains(child, 1));
    settled.add(child, 1);
    CHECK(settled.contains(child, 1));
  }
}
