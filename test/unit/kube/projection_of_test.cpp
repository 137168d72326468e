#include "keelson/kube/typed_object.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/schema/struct_table.hpp"
#include "keelson/schema/describe.hpp"
#include "test/support/toy_kinds.hpp"

namespace keelson::kube {
namespace {

using testing::ShortMetadata;

struct LongMetadata : ShortMetadata {
  std::map<std::string, std::string> annotations;
};
void describe(Description& d, LongMetadata& metadata) {
  describe(d, static_cast<ShortMetadata&>(metadata));
  d.field("annotations", metadata.annotations, "");
}

struct Container {
  std::string image;
};
void describe(Description& d, Container& container) { d.field("image", container.image, ""); }

struct Status {
  std::string phase;
  std::map<std::string, Container> by_name;
  RawJson extra;
};
void describe(Description& d, Status& status) {
  d.field("phase", status.phase, "");
  d.field("byName", status.by_name, "");
  d.field("extra", status.extra, "");
}

struct Spec {
  std::vector<Container> containers;
  std::optional<Container> main;
};
void describe(Description& d, Spec& spec) {
  d.field("containers", spec.containers, "");
  d.field("main", spec.main, "");
}

template <class Metadata>
struct Small {
  static constexpr Identity kIdentity{"", "v1", "Pod"};
  static constexpr bool kIsPartial = true;
  Metadata metadata;
  Spec spec;
  Status status;
};
template <class Metadata>
void describe(Description& d, Small<Metadata>& pod) {
  d.field("metadata", pod.metadata, "");
  d.field("spec", pod.spec, "");
  d.field("status", pod.status, "");
}

// A struct that contains itself, like JSONSchemaProps.
struct Schema {
  std::string type;
  ListOf<Schema> all_of;

  static const StructTable kFields;
};
constexpr StructTable::Field kSchemaFields[] = {
    KEELSON_TABLE_FIELD(Schema, type, "type", kOptional),
    KEELSON_TABLE_FIELD(Schema, all_of, "allOf", kOptional),
};
const StructTable Schema::kFields(kSchemaFields);

struct Holder {
  static constexpr Identity kIdentity{"demo.example.com", "v1", "Holder"};
  ShortMetadata metadata;
  Schema schema;
};
void describe(Description& d, Holder& holder) {
  d.field("metadata", holder.metadata, "");
  d.field("schema", holder.schema, "");
}

const std::string kPod =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"ns","managedFields":[{"manager":"m"}],)"
    R"("annotations":{"a":"b","kubectl.kubernetes.io/last-applied-configuration":"{}"}},)"
    R"("spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}],"main":{"image":"j","args":["x"]}},)"
    R"("status":{"phase":"Running","podIP":"10.0.0.1","byName":{"c":{"image":"k","ready":true}},"extra":{"x":[1]}}})";

std::string cut(const json::Projection& projection, const std::string& object) {
  std::string out;
  REQUIRE(projection.apply(object, out));
  return out;
}

TEST_CASE("a projection of a struct has the fields of the struct, and the identity of an object") {
  static_assert(PartialObject<Small<ShortMetadata>>);
  static_assert(!PartialObject<Holder>);

  CHECK(cut(projection_of<Small<ShortMetadata>>(), kPod) ==
        R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"ns"},)"
        R"("spec":{"containers":[{"image":"i"}],"main":{"image":"j"}},)"
        R"("status":{"phase":"Running","byName":{"c":{"image":"k","ready":true}},"extra":{"x":[1]}}})");
}

TEST_CASE("annotations of the struct are stored without the last applied configuration") {
  const auto text = cut(projection_of<Small<LongMetadata>>(), kPod);

  CHECK(text.find(R"("metadata":{"name":"a","namespace":"ns","annotations":{"a":"b"}})") != std::string::npos);
}

TEST_CASE("a projected object decodes as the whole object") {
  const auto whole = Object::from_json(kPod);
  const auto projected = Object::from_json(cut(projection_of<Small<ShortMetadata>>(), kPod));
  REQUIRE(whole);
  REQUIRE(projected);

  const auto from_whole = decode_object<Small<ShortMetadata>>(*whole);
  const auto from_projected = decode_object<Small<ShortMetadata>>(*projected);

  REQUIRE(from_whole);
  REQUIRE(from_projected);
  CHECK(from_projected->spec.containers.at(0).image == "i");
  CHECK(encode_object(*from_projected) == encode_object(*from_whole));
}

TEST_CASE("a struct that contains itself is stored whole") {
  const auto projection = projection_of<Holder>();

  CHECK(projection.covers({"schema", "type"}));
  CHECK(projection.covers({"schema", "allOf", "allOf", "type"}));
  CHECK_FALSE(projection.covers({"schema", "format"}));
  CHECK_FALSE(projection.covers({"spec"}));
}

}  // namespace
}  // namespace keelson::kube
