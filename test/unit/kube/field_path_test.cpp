#include "src/kube/field_path.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/support/parsed.hpp"

namespace keelson::kube {
namespace {

using testing::parsed;

std::string path(std::string_view before, std::string_view after, std::string_view pointer) {
  const auto old = parsed(before);
  const auto next = parsed(after);
  return field_path(old.root(), next.root(), json::parse_pointer(pointer).value());
}

TEST_CASE("members are joined by dots, and names with dots are in quotes") {
  CHECK(path("{}", "{}", "/spec/replicas") == "spec.replicas");
  CHECK(path("{}", "{}", "/metadata/annotations/example.com~1a") == R"(metadata.annotations["example.com/a"])");
  CHECK(path("{}", "{}", "/data/a~0b") == R"(data["a~b"])");
}

TEST_CASE("items are named by their name or type if both versions agree on it") {
  constexpr auto kNamed = R"({"c":[{"name":"web","image":"a"}]})";
  CHECK(path(kNamed, R"({"c":[{"name":"web","image":"b"}]})", "/c/0/image") == "c[web].image");
  CHECK(path(kNamed, R"({"c":[{"name":"db","image":"a"}]})", "/c/0/name") == "c[0].name");
  CHECK(path(R"({"c":[]})", kNamed, "/c/0") == "c[web]");
  CHECK(path(kNamed, R"({"c":[]})", "/c/0") == "c[web]");
  CHECK(path(R"({"c":[{"type":"Ready","status":"False"}]})", R"({"c":[{"type":"Ready","status":"True"}]})",
             "/c/0/status") == "c[Ready].status");
  CHECK(path(R"({"c":[1]})", R"({"c":[2]})", "/c/0") == "c[0]");
}

TEST_CASE("a pointer finds its value, or nothing if there is none") {
  const auto document = parsed(R"({"a/b":[{"c":7}]})");
  const auto at = [&](const char* pointer) {
    return at_pointer(document.root(), json::parse_pointer(pointer).value());
  };
  CHECK(at("/a~1b/0/c").integer() == 7);
  CHECK(at("").is_object());
  CHECK(at("/a~1b/x").is_absent());
  CHECK(at("/z/0").is_absent());
}

}  // namespace
}  // namespace keelson::kube
