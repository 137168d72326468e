#include "keelson/detail/kube/dry_run.hpp"

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

TEST_CASE(
    "a delete whose body is not a JSON object becomes a dry run, because the API server reads null as no options") {
  for (const auto* body : {"null", "[]", "{", "x", " "}) {
    const auto made = dry(request(Verb::kDelete, body));
    CHECK(made.body == R"({"dryRun":["All"]})");
    CHECK(is_dry_run(made));
  }
}

TEST_CASE("writes to connect subresources ignore a dry run, reads and other subresources do not") {
  const auto of_pod = [](Verb verb, std::string subresource) {
    auto made = request(verb);
    made.resource = pods();
    made.subresource = std::move(subresource);
    return made;
  };
  for (const auto* subresource : {"exec", "attach", "portforward", "proxy", "proxy/metrics"}) {
    INFO(subresource);
    for (const auto verb : {Verb::kCreate, Verb::kUpdate, Verb::kPatch, Verb::kDelete}) {
      CHECK(ignores_dry_run(of_pod(verb, subresource)));
      CHECK(ignores_dry_run(dry(of_pod(verb, subresource))));
    }
    CHECK_FALSE(ignores_dry_run(of_pod(Verb::kGet, subresource)));
  }
  for (const auto* subresource : {"", "status", "scale", "eviction", "binding", "ephemeralcontainers"}) {
    INFO(subresource);
    CHECK_FALSE(ignores_dry_run(of_pod(Verb::kCreate, subresource)));
  }
}

TEST_CASE("the path of a write may lead to a connect subresource, too") {
  const auto to_path = [](std::string path) {
    auto made = request(Verb::kCreate);
    made.raw_path = std::move(path);
    return made;
  };
  for (const auto* path : {"/api/v1/namespaces/default/pods/a/exec", "/api/v1/nodes/n/proxy/run/x",
                           "/api/v1/namespaces/default/services/https:a:443/proxy?path=x"}) {
    INFO(path);
    CHECK(ignores_dry_run(to_path(path)));
  }
  CHECK_FALSE(ignores_dry_run(to_path("/api/v1/namespaces/default/pods")));
  CHECK_FALSE(ignores_dry_run(to_path("/apis/apps/v1/namespaces/default/deployments/proxy-1/status")));
}

}  // namespace
}  // namespace keelson::kube
