#include "src/program/commands/explain_target.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::program {

namespace {

controller::Definition definition_of(const kube::Resource& resource, const std::string& short_name) {
  kube::Kind kind;
  kind.resource = resource;
  kind.singular = "memcached";
  kind.short_names = {short_name};
  return controller::define(kind);
}

std::vector<controller::Definition> definitions() {
  std::vector<controller::Definition> all;
  all.push_back(definition_of({"cache.example.com", "v1", "Memcached", "memcacheds"}, "mc"));
  all.push_back(definition_of({"cache.example.com", "v1", "Region", "regions", false}, "rg"));
  return all;
}

Result<ExplainTarget> parse(const std::vector<std::string>& arguments) {
  return parse_explain_target(arguments, definitions());
}

std::string error_of(const std::vector<std::string>& arguments) {
  const auto parsed = parse(arguments);
  REQUIRE_FALSE(parsed.has_value());
  return parsed.error().text;
}

}  // namespace

TEST_CASE("a kind is given by its name, plural or short name, with or without its group") {
  for (const char* kind : {"memcached", "Memcached", "memcacheds", "mc", "memcacheds.cache.example.com"}) {
    const auto parsed = parse({kind, "default/web"});
    INFO(kind);
    REQUIRE(parsed.has_value());
    CHECK(parsed->resource.kind == "Memcached");
    CHECK(parsed->key == kube::Key("default", "web"));
  }
}

TEST_CASE("a cluster-scoped kind takes only a name") {
  const auto parsed = parse({"region", "west"});
  REQUIRE(parsed.has_value());
  CHECK(parsed->key == kube::Key("", "west"));
  CHECK(error_of({"region", "default/west"}) ==
        "Region \"default/west\": objects of this kind have no namespace; give only NAME");
}

TEST_CASE("an incomplete object is an error that shows the form") {
  CHECK(error_of({"memcached", "web"}) ==
        "Memcached \"web\": objects of this kind have a namespace; give NAMESPACE/NAME");
  CHECK(error_of({"memcached", "default/"}) == "\"default/\" is not of the form NAMESPACE/NAME");
  CHECK(error_of({"memcached", "/web"}) == "\"/web\" is not of the form NAMESPACE/NAME");
  CHECK(error_of({"memcached", "a/b/c"}) == "\"a/b/c\" is not of the form NAMESPACE/NAME");
  CHECK(error_of({"memcached"}) == "give a kind and an object: explain KIND NAMESPACE/NAME");
}

TEST_CASE("an unknown kind is an error that names the kinds and the nearest one") {
  CHECK(error_of({"memcachd", "default/web"}) ==
        "no controller of this program reconciles the kind \"memcachd\"; it reconciles: memcacheds, regions\n"
        "did you mean memcached?");
}

}  // namespace keelson::program
