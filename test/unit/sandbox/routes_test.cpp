// Requests are routed as by kube-apiserver: each row was recorded from it.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <string>

#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kDefinition =
    R"({"metadata":{"name":"shops.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":)"
    R"({"plural":"shops","singular":"shop","kind":"Shop","listKind":"ShopList"},"versions":[{"name":"v1","served":true,)"
    R"("storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}})";

std::string answer_in(const net::Response& response) {
  const auto code = std::to_string(response.status);
  const auto type = net::header(response.headers, "Content-Type");
  const auto name = std::string(type.substr(0, type.find(';')));
  if (response.status < 400) return code + " " + name;
  if (name == "text/plain") return code + " text " + response.body.substr(0, response.body.find('\n'));
  const auto status = Tree::parse(response.body);
  return status ? code + " " + status->text_at({"reason"}) + " " + status->text_at({"message"}) : response.body;
}

net::Response send_to(fixtures::HttpTalk& talk, const std::string& method, const std::string& path) {
  const bool is_watch = path.find("/watch/") != std::string::npos;
  const bool has_body = method == "POST" || method == "PUT" || method == "PATCH";
  net::Headers headers;
  if (has_body) headers = {{"Content-Type", method == "PATCH" ? "application/merge-patch+json" : "application/json"}};
  return talk.send(method, is_watch ? path + "?timeoutSeconds=1" : path, has_body ? "{}" : "", headers);
}

TEST_CASE("unknown paths, wrong methods and deprecated watch paths are answered as by the API server") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kDefinition).status == 201);
  talk.pass(std::chrono::seconds(1));
  for (const auto& row : testing::data_rows("test/unit/sandbox/routes.txt", {"methods", "path", "answer"})) {
    std::istringstream methods(row["methods"]);
    for (std::string method; methods >> method;) {
      CAPTURE(row.place(), method, row["path"]);
      CHECK(answer_in(send_to(talk, method, row["path"])) == row["answer"]);
    }
  }
}

TEST_CASE("an invalid timeout is rejected, except for watches, which have none") {
  fixtures::HttpTalk talk;
  CHECK(answer_in(talk.send("GET", "/api/v1/namespaces?timeout=invalid")) ==
        "400 BadRequest invalid timeout specified in the request URL - time: invalid duration \"invalid\"");
  CHECK(talk.send("GET", "/api/v1/namespaces?timeout=3m").status == 200);
  CHECK(talk.send("GET", "/api/v1/namespaces?watch=true&timeoutSeconds=1&timeout=invalid").status == 200);
}

TEST_CASE("a node port has one Service and is in the range") {
  fixtures::HttpTalk talk;
  const auto create = [&talk](const std::string& name, const std::string& port) {
    return answer_in(talk.send("POST", "/api/v1/namespaces/default/services",
                               R"({"metadata":{"name":")" + name +
                                   R"("},"spec":{"type":"NodePort","ports":[{"port":80,"nodePort":)" + port + "}]}}"));
  };
  CHECK(create("a", "31234") == "201 application/json");
  CHECK(create("b", "31234") ==
        "422 Invalid Service \"b\" is invalid: spec.ports[0].nodePort: Invalid value: 31234: provided port is already "
        "allocated");
  CHECK(
      create("c", "4000") ==
      "422 Invalid Service \"c\" is invalid: spec.ports[0].nodePort: Invalid value: 4000: provided port is not in the "
      "valid range. The range of valid ports is 30000-32767");
  CHECK(talk.send("DELETE", "/api/v1/namespaces/default/services/a").status == 200);
  CHECK(create("b", "31234") == "201 application/json");
}

TEST_CASE("the deprecated path of a watch of one object sends only its events") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.create_map("a"));
  REQUIRE(talk.create_map("b"));
  const auto events = talk.send("GET", "/api/v1/watch/namespaces/default/configmaps/b?timeoutSeconds=1").body;
  CHECK(events.find(R"("name":"b")") != std::string::npos);
  CHECK(events.find(R"("name":"a")") == std::string::npos);
}

TEST_CASE("health checks are listed, excluded and asked one by one") {
  fixtures::HttpTalk talk;
  const auto verbose = talk.send("GET", "/livez?verbose&exclude=etcd&exclude=x").body;
  CHECK(verbose.starts_with("[+]ping ok\n[+]log ok\n[+]loopback-serving-certificate ok\n[+]etcd excluded: ok\n"));
  CHECK(verbose.ends_with("warn: some health checks cannot be excluded: no matches for \"x\"\nlivez check passed\n"));
  CHECK(talk.send("GET", "/readyz?exclude=x").body == "ok");
}

TEST_CASE("the index lists the paths that are served") {
  fixtures::HttpTalk talk;
  const auto paths = talk.json("/").texts_at({"paths"});
  for (const char* path : {"/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/readyz/ping", "/version"}) {
    CHECK(std::ranges::find(paths, path) != paths.end());
  }
}

TEST_CASE("the finalizers of a namespace are set through its subresource") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  const auto set = talk.send("PUT", "/api/v1/namespaces/default/finalize",
                             R"({"metadata":{"name":"default"},"spec":{"finalizers":["kubernetes","a.b/c"]}})");
  CHECK(set.status == 200);
  CHECK(set.body.find(R"("finalizers":["kubernetes","a.b/c"])") != std::string::npos);
}

}  // namespace
}  // namespace keelson::sandbox
