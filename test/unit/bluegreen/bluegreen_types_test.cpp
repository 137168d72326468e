#include "src/kinds/bluegreen/bluegreen.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/json/yaml.hpp"
#include "keelson/detail/schema/crd.hpp"
#include "keelson/json/value.hpp"
#include "test/support/parsed.hpp"

namespace keelson::kinds {
namespace {

using testing::parsed;

TEST_CASE("B1: the sample is a valid BlueGreen of two colors") {
  const auto kind = controller::kind_of<BlueGreen>();
  const auto json = json::yaml_to_json(kind.sample);
  REQUIRE(json);
  const auto sample = parsed(*json);

  const auto spec = kube::decode<BlueGreenSpec>(sample.root().find("spec"), "spec");

  REQUIRE(spec);
  CHECK(kube::validate(*spec, "spec").empty());
  CHECK(spec->route_to == kBlue);
  CHECK(spec->has(kBlue));
  CHECK(spec->pod_spec(kBlue) == R"({"containers":[{"name":"blue","image":"ealen/echo-server"}]})");
  CHECK(spec->pod_spec(kGreen) == R"({"containers":[{"name":"green","image":"busybox"}]})");
  CHECK(sample.root().find("apiVersion").string() == kind.resource.api_version());
}

TEST_CASE("B11: a color other than Blue and Green is rejected, and so is an unknown policy") {
  for (const auto* color : {"Purple", "", "blue"}) {
    INFO(color);
    CHECK(kube::validate(BlueGreenSpec{color, {}, {}, {}}, "spec").size() == 1);
  }
  CHECK(kube::validate(BlueGreenSpec{"Blue", {}, {}, "Later"}, "spec").size() == 1);
  CHECK(kube::validate(BlueGreenSpec{"Green", {}, {}, "WhenReady"}, "spec").empty());
}

TEST_CASE("an absent field is neither a color nor a policy") {
  const auto document = parsed(R"({"routeTo":"Blue","blueSpec":null})");

  const auto spec = kube::decode<BlueGreenSpec>(document.root(), "spec");

  REQUIRE(spec);
  CHECK_FALSE(spec->has(kBlue));
  CHECK_FALSE(spec->has(kGreen));
  CHECK_FALSE(spec->switch_policy);
}

TEST_CASE("B8, B15: the CRD fits into the annotation of kubectl apply") {
  CHECK(kube::custom_resource_definition(controller::kind_of<BlueGreen>()).size() < 262'144);
}

TEST_CASE("a status without colors has only its route") {
  const auto status = parsed(kube::encode(BlueGreenStatus{}));

  CHECK(status.root().find("routeTo").string() == "");
  CHECK(status.root().find("blue").is_absent());
}

}  // namespace
}  // namespace keelson::kinds
