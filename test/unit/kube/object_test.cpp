#include "keelson/kube/object.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <map>
#include <vector>

#include "keelson/detail/json/limits.hpp"
#include "test/support/equal_hashes.hpp"
#include "test/support/parsed_object.hpp"

namespace keelson::kube {
namespace {

using testing::parsed_object;

constexpr std::string_view kPod =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-1","namespace":"shop","uid":"u-1",)"
    R"("resourceVersion":"4711","generation":3,"labels":{"app":"web","tier":"front"},)"
    R"("annotations":{"note":"a \"quoted\" ä"},"deletionTimestamp":"2026-01-01T00:00:00Z",)"
    R"("ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n","uid":"o-0"},)"
    R"({"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"o-1","controller":true}]},)"
    R"("spec":{"nodeName":"n"}})";

TEST_CASE("an object returns its metadata") {
  auto pod = parsed_object(kPod);

  CHECK(pod.json() == kPod);
  CHECK(pod.key() == Key("shop", "web-1"));
  CHECK(pod.uid() == "u-1");
  CHECK(pod.resource_version() == 4711);
  CHECK(pod.generation() == 3);
  CHECK(pod.deleting());
  CHECK(pod.label("app") == "web");
  CHECK(pod.label("none") == std::nullopt);
  CHECK(pod.annotation("note") == "a \"quoted\" ä");
  CHECK(pod.projection() == nullptr);
}

TEST_CASE("an object returns its labels and owners") {
  auto pod = parsed_object(kPod);
  std::map<std::string, std::string> labels;
  std::vector<std::string> owners;

  pod.for_each_label([&](std::string_view name, std::string_view value) { labels[std::string(name)] = value; });
  pod.for_each_owner([&](const OwnerReference& owner) { owners.emplace_back(owner.uid); });

  CHECK(labels == std::map<std::string, std::string>{{"app", "web"}, {"tier", "front"}});
  CHECK(owners == std::vector<std::string>{"o-0", "o-1"});
  auto controller = pod.controller_owner();
  REQUIRE(controller);
  CHECK(controller->kind == "ReplicaSet");
  CHECK(controller->api_version == "apps/v1");
  CHECK(controller->name == "web");
  CHECK(controller->uid == "o-1");
}

TEST_CASE("two states have the same content if only their resourceVersions differ") {
  const auto state = [](const std::string& version, const std::string& rest) {
    return parsed_object(R"({"metadata":{"name":"a",)" + version +
                         R"("labels":{"v":"9"}},"spec":{"resourceVersion":"9"})" + rest + "}");
  };
  const auto before = state(R"("resourceVersion":"9",)", "");

  CHECK(before.same_content(before));
  CHECK(before.same_content(state(R"("resourceVersion":"10",)", "")));
  CHECK(state(R"("resourceVersion":"1000",)", "").same_content(before));
  CHECK_FALSE(before.same_content(state(R"("resourceVersion":"10",)", R"(,"status":{})")));
  CHECK_FALSE(before.same_content(state(R"("resourceVersion": "10",)", "")));
  CHECK_FALSE(before.same_content(state("", "")));
  CHECK_FALSE(parsed_object(kPod).same_content(before));
}

TEST_CASE("an object with another resourceVersion has the same content") {
  const auto of_version = [](const std::string& version) {
    return parsed_object(R"({"metadata":{"generation":3,"resourceVersion":)" + version +
                         R"(},"spec":{"resourceVersion":"9"}})");
  };

  const auto changed = of_version(R"("9")").with_resource_version(100);

  REQUIRE(changed.has_value());
  CHECK(changed->json() == of_version(R"("100")").json());
  CHECK(changed->resource_version() == 100);
  CHECK(changed->generation() == 3);
  CHECK_FALSE(of_version(R"("a")").with_resource_version(100).has_value());
  CHECK_FALSE(parsed_object("{}").with_resource_version(100).has_value());
}

TEST_CASE("versions that are not plain numbers are part of the content") {
  const auto named = [](const std::string& version) {
    return parsed_object(R"({"metadata":{"resourceVersion":)" + version + "}}");
  };

  CHECK(named(R"("a")").same_content(named(R"("a")")));
  CHECK_FALSE(named(R"("a")").same_content(named(R"("b")")));
  CHECK_FALSE(named(R"("\u0031")").same_content(named(R"("1")")));
  const std::string zeros(300, '0');
  CHECK_FALSE(named('"' + zeros + R"(1")").same_content(named('"' + zeros + R"(2")")));
}

TEST_CASE("absent metadata is empty") {
  auto object = parsed_object(R"({"metadata":{"name":"a","labels":null,"ownerReferences":null}})");

  CHECK(object.ns().empty());
  CHECK(object.uid().empty());
  CHECK(object.resource_version() == 0);
  CHECK(object.generation() == 0);
  CHECK_FALSE(object.deleting());
  CHECK_FALSE(object.label("a"));
  CHECK_FALSE(object.annotation("a"));
  CHECK_FALSE(object.controller_owner());
  object.for_each_label([](std::string_view, std::string_view) { FAIL("there are no labels"); });
}

TEST_CASE("an object does not refer to the text from which it was read") {
  std::string text(kPod);
  auto pod = parsed_object(text);
  text.assign(text.size(), 'x');

  CHECK(pod.json() == kPod);
  CHECK(pod.name() == "web-1");
  CHECK(pod.controller_owner()->name == "web");
}

TEST_CASE("copies share one block, which is freed with the last of them") {
  auto first = std::make_unique<Object>(parsed_object(kPod));
  Object second = *first;
  Object third = second;

  CHECK(first->same_block(second));
  CHECK(third.json().data() == first->json().data());
  CHECK_FALSE(first->same_block(parsed_object(kPod)));
  first.reset();
  third = parsed_object(R"({"metadata":{"name":"b"}})");
  CHECK(second.name() == "web-1");
  CHECK(third.name() == "b");
  Object moved = std::move(second);
  CHECK(moved.name() == "web-1");
}

TEST_CASE("assigning an object to itself changes nothing") {
  auto pod = parsed_object(kPod);
  auto& same = pod;

  pod = same;

  CHECK(pod.name() == "web-1");
}

TEST_CASE("the memory block of an object is little larger than its JSON") {
  auto pod = parsed_object(kPod);

  CHECK(pod.block_bytes() > kPod.size());
  CHECK(pod.block_bytes() <= kPod.size() + 96);
}

TEST_CASE("escaped names are returned decoded and are valid as long as the block") {
  auto object =
      parsed_object(R"({"metadata":{"name":"a\u002db","namespace":"n\"s","ownerReferences":)"
                    R"([{"apiVersion":"v1","kind":"K","name":"x\u003cy","uid":"u\u002d1","controller":true}]}})");

  auto owner = object.controller_owner();

  CHECK(object.name() == "a-b");
  CHECK(object.ns() == "n\"s");
  REQUIRE(owner);
  CHECK(owner->name == "x<y");
  CHECK(owner->uid == "u-1");
  auto begin = object.json().data();
  CHECK(owner->name.data() >= begin);
  CHECK(owner->name.data() < begin + object.block_bytes());
}

TEST_CASE("a text that is not an object is rejected") {
  const std::vector<std::string> texts = {"",
                                          "null",
                                          "[]",
                                          "\"a\"",
                                          "{",
                                          R"({"metadata":[]})",
                                          "{]",
                                          R"({"metadata":{"name":1}})",
                                          R"({"metadata":{"ownerReferences":[1]}})",
                                          R"({"metadata":{"ownerReferences":[{"uid":"a"})"};

  for (const auto& text : texts) {
    INFO(text);
    auto object = Object::from_json(text);
    REQUIRE_FALSE(object);
    CHECK(object.error().kind == Error::Kind::kMalformed);
  }
}

TEST_CASE("an object over the limit is rejected") {
  auto of_size = [](std::size_t size) {
    std::string text = R"({"metadata":{"name":"a"},"data":")";
    text.append(size - text.size() - 2, 'x');
    return text + "\"}";
  };

  CHECK(Object::from_json(of_size(limits::kObjectBytes)));
  CHECK_FALSE(Object::from_json(of_size(limits::kObjectBytes + 1)));
}

TEST_CASE("keys whose names have one std::hash have different hashes") {
  constexpr std::size_t kNames = 200;
  std::vector<std::size_t> hashes;
  for (const auto& name : testing::texts_of_equal_hash(kNames)) hashes.push_back(std::hash<Key>{}({"default", name}));
  std::ranges::sort(hashes);
  CHECK(std::ranges::adjacent_find(hashes) == hashes.end());
  CHECK(std::hash<Key>{}({"a", "b"}) != std::hash<Key>{}({"b", "a"}));
}

TEST_CASE("a resourceVersion that is not a number compares as an absent one") {
  CHECK(parsed_object(R"({"metadata":{"name":"a","resourceVersion":"abc"}})").resource_version() == 0);
  CHECK(parsed_object(R"({"metadata":{"name":"a","resourceVersion":"18446744073709551615"}})").resource_version() ==
        18446744073709551615ULL);
}

}  // namespace
}  // namespace keelson::kube
