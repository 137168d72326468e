#include "keelson/kube/dry_run.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::kube {
namespace {

ApiRequest request(Verb verb, std::string body = "", std::vector<std::pair<std::string, std::string>> query = {}) {
  ApiRequest request;
  request.verb = verb;
  request.resource = config_maps();
  request.key = Key("default", "a");
  request.query = std::move(query);
  request.body = std::move(body);
  return request;
}

ApiRequest dry(ApiRequest request) {
  make_dry_run(request);
  return request;
}

using Query = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("every write becomes a dry run, and reads stay as they are") {
  for (const auto verb : {Verb::kGet, Verb::kList, Verb::kWatch}) {
    CHECK(dry(request(verb)).query.empty());
    CHECK_FALSE(is_dry_run(dry(request(verb))));
  }
  for (const auto verb : {Verb::kCreate, Verb::kUpdate, Verb::kPatch, Verb::kDelete, Verb::kDeleteCollection}) {
    CHECK_FALSE(is_dry_run(request(verb)));
    const auto made = dry(request(verb));
    CHECK(made.query == Query{{"dryRun", "All"}});
    CHECK(is_dry_run(made));
  }
}

TEST_CASE("the other parameters of a write stay, and a dry run of a dry run is the same") {
  const auto made = dry(request(Verb::kPatch, "{}", {{"fieldManager", "me"}, {"force", "true"}}));

  CHECK(made.query == Query{{"fieldManager", "me"}, {"force", "true"}, {"dryRun", "All"}});
  CHECK(made.body == "{}");
  CHECK(dry(made).query == made.query);
}

TEST_CASE("a delete with options has the dry run in its body, because the API server ignores its query") {
  const std::string options = R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"})";
  for (const auto verb : {Verb::kDelete, Verb::kDeleteCollection}) {
    const auto made = dry(request(verb, options));
    CHECK(made.body ==
          R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background","dryRun":["All"]})");
    CHECK(made.query == Query{{"dryRun", "All"}});
    CHECK(is_dry_run(made));
    CHECK(dry(made).body == made.body);
    CHECK_FALSE(is_dry_run(request(verb, options, {{"dryRun", "All"}})));
    CHECK(is_dry_run(request(verb, R"({"dryRun":["All"]})")));
    CHECK_FALSE(is_dry_run(request(verb, R"({"dryRun":[]})")));
  }
}

TEST_CASE("a body that is not a JSON object is left to the API server, which rejects it") {
  for (const auto* body : {"[]", "{", "x"}) CHECK(dry(request(Verb::kDelete, body)).body == body);
}

}  // namespace
}  // namespace keelson::kube
