#include "keelson/kube/typed_object.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <utility>

#include "keelson/detail/schema/box.hpp"
#include "keelson/detail/schema/struct_table.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "test/support/fake_client.hpp"
#include "test/support/result_of.hpp"

namespace keelson::kube {
namespace {

struct GardenMetadata {
  std::string name;
  std::string ns;
  std::string resource_version;

  static const StructTable kFields;
};
constexpr StructTable::Field kMetadataFields[] = {
    KEELSON_TABLE_FIELD(GardenMetadata, name, "name", kOptional),
    KEELSON_TABLE_FIELD(GardenMetadata, ns, "namespace", kOptional),
    KEELSON_TABLE_FIELD(GardenMetadata, resource_version, "resourceVersion", kOptional),
};
const StructTable GardenMetadata::kFields(kMetadataFields);

struct Bed {
  std::string plant;
  std::int32_t rows = 0;

  static const StructTable kFields;
};
constexpr StructTable::Field kBedFields[] = {
    KEELSON_TABLE_FIELD(Bed, plant, "plant", kRequired),
    KEELSON_TABLE_FIELD(Bed, rows, "rows", kOptional),
};
const StructTable Bed::kFields(kBedFields);

struct Garden {
  static constexpr Identity kIdentity{"demo.example.com", "v1", "Garden"};

  GardenMetadata metadata;
  ListOf<Bed> beds;
  Box<Bed> nursery;

  static const StructTable kFields;
};
constexpr StructTable::Field kGardenFields[] = {
    KEELSON_TABLE_FIELD(Garden, metadata, "metadata", kOptional),
    KEELSON_TABLE_FIELD(Garden, beds, "beds", kOptional),
    KEELSON_TABLE_FIELD(Garden, nursery, "nursery", kOptional),
};
const StructTable Garden::kFields(kGardenFields);

const std::string kHome =
    R"({"kind":"Garden","metadata":{"name":"home","namespace":"ns","uid":"u","resourceVersion":"7"},)"
    R"("beds":[{"plant":"leek","rows":3,"newer":"than us"},{"plant":"kale"}]})";

using testing::FakeClient;

template <class T>
Result<T> ask(Task<T> verb) {
  sandbox::loop::TestLoop loop;
  return testing::result_of(loop, std::move(verb));
}

Garden home() { return decode_object<Garden>(Object::from_json(kHome).value()).value(); }

TEST_CASE("an object is decoded as the struct of its kind") {
  FakeClient client;
  client.always(ApiReply{200, kHome});

  auto read = ask(get<Garden>(client, {"ns", "home"}));

  REQUIRE(read);
  CHECK(client.requests.back().resource == Resource("demo.example.com", "v1", "Garden", "gardens"));
  CHECK(client.requests.back().key == Key("ns", "home"));
  REQUIRE(read->beds.size() == 2);
  CHECK(read->beds[0].plant == "leek");
  CHECK(read->beds[0].rows == 3);
  CHECK(read->beds[1].rows == 0);
  CHECK_FALSE(read->nursery);
}

TEST_CASE("a list is decoded as structs, and the error names an object that cannot be decoded") {
  FakeClient good;
  good.always(ApiReply{
      200, R"({"kind":"GardenList","metadata":{"resourceVersion":"9","continue":"more"},"items":[)" + kHome + "]}"});
  FakeClient bad;
  bad.always(
      ApiReply{200, R"({"metadata":{},"items":[{"metadata":{"name":"odd","namespace":"ns"},"beds":[{"rows":"x"}]}]})"});

  auto listed = ask(list<Garden>(good, {.ns = "ns"}));
  auto rejected = ask(list<Garden>(bad, {.ns = "ns"}));

  REQUIRE(listed);
  CHECK(listed->items.at(0).beds.size() == 2);
  CHECK(listed->resource_version == "9");
  CHECK(listed->continue_token == "more");
  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().message() == "ns/odd: beds[0].rows: expected an integer, found a string");
}

TEST_CASE("a created object has its apiVersion, its kind, and the fields that are required or set") {
  FakeClient client;
  client.always(ApiReply{200, kHome});
  Garden garden{.metadata = {.name = "home", .ns = "ns"}, .beds = {{.plant = "leek"}, {}}};

  auto made = ask(create(client, garden));

  REQUIRE(made);
  CHECK(client.requests.back().verb == Verb::kCreate);
  CHECK(client.requests.back().key.ns == "ns");
  CHECK(client.requests.back().body ==
        R"({"apiVersion":"demo.example.com/v1","kind":"Garden","metadata":{"name":"home","namespace":"ns"},)"
        R"("beds":[{"plant":"leek"},{"plant":""}]})");
}

TEST_CASE("a patch sends the difference, so that fields that the struct lacks stay") {
  FakeClient client;
  client.always(ApiReply{200, kHome});
  auto after = home();
  after.metadata.name = "new";
  after.nursery = {{.plant = "oak"}};

  auto changed = ask(patch(client, home(), after));

  REQUIRE(changed);
  CHECK(client.requests.back().patch_type == PatchType::kMerge);
  CHECK(client.requests.back().key == Key("ns", "home"));
  CHECK(client.requests.back().body ==
        R"({"nursery":{"plant":"oak"},"metadata":{"name":"new","resourceVersion":"7"}})");
}

TEST_CASE("a patch without a difference sends no request") {
  FakeClient client;
  client.always(ApiReply{200, kHome});

  auto same = ask(patch(client, home(), home()));

  REQUIRE(same);
  CHECK(same->beds.size() == 2);
  CHECK(client.requests.empty());
}

TEST_CASE("an apply has the fields that are set") {
  FakeClient client;
  client.always(ApiReply{200, kHome});

  auto applied = ask(apply(client, Garden{.metadata = {.name = "home", .ns = "ns"}}, ApplyForm::kForce));

  REQUIRE(applied);
  CHECK(client.requests.back().patch_type == PatchType::kApply);
  CHECK(client.requests.back().key == Key("ns", "home"));
  CHECK(client.requests.back().body ==
        R"({"apiVersion":"demo.example.com/v1","kind":"Garden","metadata":{"name":"home","namespace":"ns"}})");
}

TEST_CASE("the request of remove() names the kind and the object") {
  FakeClient client;
  client.always(ApiReply{200, "{}"});

  auto removed = ask(remove<Garden>(client, {"ns", "home"}));

  REQUIRE(removed);
  CHECK(client.requests.back().verb == Verb::kDelete);
  CHECK(client.requests.back().resource.plural == "gardens");
  CHECK(client.requests.back().key == Key("ns", "home"));
}

}  // namespace
}  // namespace keelson::kube
