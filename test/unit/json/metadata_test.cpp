#include "keelson/detail/json/metadata.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "keelson/json/value.hpp"
#include "test/unit/json/pods.hpp"

namespace keelson::json {
namespace {

TEST_CASE("the metadata of a pod equals that of a parsed pod") {
  const std::string pod = fixtures::make_pod(42);
  const auto document = Document::parse(pod);
  REQUIRE(document);
  const View metadata = document->root().find("metadata");

  const auto found = scan_metadata(pod);

  REQUIRE(found);
  CHECK(found->name == metadata.find("name").string());
  CHECK(found->namespace_ == metadata.find("namespace").string());
  CHECK(found->uid == metadata.find("uid").string());
  CHECK(found->resource_version == "1042");
  CHECK(found->resource_version_number == 1042);
  CHECK(found->generation == 1);
  CHECK(found->creation_timestamp == "2026-01-01T00:00:00Z");
  CHECK_FALSE(found->is_deleting());
  CHECK(found->labels == metadata.find("labels").text());
  CHECK(found->annotations == metadata.find("annotations").text());
  CHECK(found->owner_references == metadata.find("ownerReferences").text());
  CHECK(found->kind.empty());
}

TEST_CASE("metadata may be at any position, and equal names elsewhere do not count") {
  const auto found = scan_metadata(
      R"({"spec":{"metadata":{"name":"no"},"kind":"no"},"kind":"Pod","status":{"uid":"no"},)"
      R"( "metadata" : {"deletionTimestamp":"t","labels":null,"generation":-3,"name":"a"},"apiVersion":"v1"})");

  REQUIRE(found);
  CHECK(found->kind == "Pod");
  CHECK(found->api_version == "v1");
  CHECK(found->name == "a");
  CHECK(found->uid.empty());
  CHECK(found->labels.empty());
  CHECK(found->generation == -3);
  CHECK(found->is_deleting());
}

TEST_CASE("escaped strings are decoded and outlive a move") {
  auto found = scan_metadata(R"({"metadata":{"name":"a\u003cb\"","namespace":"\ud83d\ude00","resourceVersion":"x1"}})");
  REQUIRE(found);

  const ObjectMetadata moved = std::move(*found);

  CHECK(moved.name == "a<b\"");
  CHECK(moved.namespace_ == "\U0001F600");
  CHECK(moved.resource_version == "x1");
  CHECK_FALSE(moved.resource_version_number);
}

TEST_CASE("the metadata of an object without metadata is absent") {
  const auto found = scan_metadata(R"({"metadata":null})");

  REQUIRE(found);
  CHECK(found->name.empty());
  CHECK_FALSE(found->resource_version_number);
}

TEST_CASE("metadata with fields of wrong types is rejected") {
  const char* const rows[] = {"",
                              "[]",
                              "{",
                              R"({"metadata":[]})",
                              R"({"metadata":{"name":1}})",
                              R"({"metadata":{"labels":[]}})",
                              R"({"metadata":{"labels":{"a":}}})",
                              R"({"metadata":{"ownerReferences":{}}})",
                              R"({"metadata":{"generation":"1"}})",
                              R"({"metadata":{"generation":1.5}})",
                              R"({"metadata":{"generation":99999999999999999999}})",
                              R"({"metadata":{"name":"\q"}})",
                              R"({"metadata":{"name":"a})",
                              R"({"metadata":{}} x)"};

  for (const char* row : rows) {
    INFO(row);
    const auto found = scan_metadata(row);
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == Error::Kind::kMalformed);
  }
}

TEST_CASE("a member of a flat object is decoded, and the last of duplicates counts") {
  const std::string labels = R"({"a":"1","b\"":"x\ny","n":3,"a":"2"})";

  CHECK(scan_member(labels, "a") == "2");
  CHECK(scan_member(labels, "b\"") == "x\ny");
  CHECK(scan_member(labels, "n") == std::nullopt);
  CHECK(scan_member(labels, "missing") == std::nullopt);
  CHECK(scan_member("", "a") == std::nullopt);
  CHECK(scan_member("{", "a") == std::nullopt);
}

TEST_CASE("each string member is visited") {
  std::vector<std::string> seen;

  const auto visited =
      for_each_string(R"({"a":"1","n":null,"b":"\u0041"})", [&](std::string_view key, std::string_view value) {
        seen.push_back(std::string(key) + "=" + std::string(value));
      });

  REQUIRE(visited);
  CHECK(seen == std::vector<std::string>{"a=1", "b=A"});
  CHECK(for_each_string("", [](std::string_view, std::string_view) { FAIL("nothing to visit"); }));
  CHECK_FALSE(for_each_string("[]", [](std::string_view, std::string_view) {}));
}

TEST_CASE("the members of an object are its names and its values as JSON, in the order of the text") {
  std::string visited;
  const auto add = [&](std::string_view name, std::string_view value) {
    visited += std::string(name) + "=" + std::string(value) + ";";
  };

  CHECK(for_each_member(R"( {"a":{"b":[1, 2]} , "c\"d":"e}", "f":null} )", add));

  CHECK(visited == R"(a={"b":[1, 2]};c\"d="e}";f=null;)");
  for (const char* text : {"", "[]", "1", R"({"a")", R"({"a":1)", R"({"a":{})", "{} x"}) {
    INFO(text);
    CHECK_FALSE(for_each_member(text, [](std::string_view, std::string_view) {}));
  }
}

TEST_CASE("each owner is visited with its controller flag") {
  std::vector<std::string> seen;

  const auto visited = for_each_owner(
      R"([{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r","uid":"1","controller":true},{"uid":"2","kind":"X","controller":false}])",
      [&](const OwnerReferenceView& owner) {
        seen.push_back(std::string(owner.api_version) + " " + std::string(owner.kind) + " " + std::string(owner.name) +
                       " " + std::string(owner.uid) + (owner.controller ? " controls" : ""));
      });

  REQUIRE(visited);
  CHECK(seen == std::vector<std::string>{"apps/v1 ReplicaSet r 1 controls", " X  2"});
  CHECK_FALSE(for_each_owner("[1]", [](const OwnerReferenceView&) {}));
  CHECK_FALSE(for_each_owner("{}", [](const OwnerReferenceView&) {}));
}

}  // namespace
}  // namespace keelson::json
