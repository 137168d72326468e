#include "src/kinds/memcached/memcached.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "test/support/parsed.hpp"

namespace {

using namespace keelson;
using kinds::MemcachedSpec;
using kinds::MemcachedStatus;
using testing::parsed;

}  // namespace

TEST_CASE("M2, M16: a Memcached without pods has an empty list of nodes, never null") {
  const std::string status = kube::encode(MemcachedStatus{});

  CHECK(parsed(status).root().find("nodes").text() == "[]");
}

TEST_CASE("M1: the sample is a valid Memcached of three pods") {
  const auto kind = controller::kind_of<kinds::Memcached>();
  const auto json = json::yaml_to_json(kind.sample);
  REQUIRE(json);
  const auto sample = parsed(*json);

  const auto spec = kube::decode<MemcachedSpec>(sample.root().find("spec"), "spec");

  REQUIRE(spec);
  CHECK(spec->size == 3);
  CHECK(kube::validate(*spec, "spec").empty());
  CHECK(sample.root().find("apiVersion").string() == kind.resource.api_version());
  CHECK(sample.root().find("kind").string() == kind.resource.kind);
}

TEST_CASE("M19: a negative size and an empty image are rejected") {
  const auto errors = kube::validate(MemcachedSpec{-1, ""}, "spec");

  REQUIRE(errors.size() == 2);
  CHECK(errors[0].message() == "spec.size: Invalid value: -1: should be greater than or equal to 0");
  CHECK(errors[1].message() == "spec.image: Invalid value: \"\": should be at least 1 chars long");
}

TEST_CASE("the paths that kubectl scale and kubectl get read are described") {
  const auto kind = controller::kind_of<kinds::Memcached>();
  const auto spec = parsed(kind.spec_schema);
  const auto status = parsed(kind.status_schema);

  CHECK(kind.has_scale);
  CHECK_FALSE(spec.root().at({"properties", kind.scale.spec_replicas.substr(6)}).is_absent());
  CHECK_FALSE(status.root().at({"properties", kind.scale.status_replicas.substr(8)}).is_absent());
  CHECK_FALSE(status.root().at({"properties", kind.scale.selector.substr(8)}).is_absent());
  CHECK_FALSE(status.root().at({"properties", kind.columns[1].json_path.substr(8)}).is_absent());
}
