// The options of requests are validated as by kube-apiserver: each row was recorded from it.
#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <string>

#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";

struct Sent {
  const char* method;
  const char* name;          // of the object, after the path of the list
  const char* query;         // in addition to that of the row, unless the row has this parameter
  const char* body;          // unless the row has a body
  const char* content_type;  // of the body
};

Sent request_of(const std::string& kind) {
  constexpr const char* kDry = "dryRun=All";
  constexpr const char* kJson = "application/json";
  if (kind == "list") return {"GET", "", "", "", kJson};
  if (kind == "watch") return {"GET", "", "timeoutSeconds=1", "", kJson};
  if (kind == "get") return {"GET", "/m", "", "", kJson};
  if (kind == "deletecollection") return {"DELETE", "", kDry, "", kJson};
  if (kind == "delete") return {"DELETE", "/m", kDry, "", kJson};
  if (kind == "create") return {"POST", "", kDry, R"({"metadata":{"name":"n"}})", kJson};
  if (kind == "update") return {"PUT", "/m", kDry, R"({"metadata":{"name":"m"}})", kJson};
  if (kind == "patch") return {"PATCH", "/m", kDry, R"({"data":{"a":"b"}})", "application/merge-patch+json"};
  REQUIRE(kind == "apply");
  return {"PATCH", "/m", kDry, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"}})",
          "application/apply-patch+yaml"};
}

std::string with(std::string query, const std::string& parameter) {
  const auto name = parameter.substr(0, parameter.find('=') + 1);
  const bool has_it = query.starts_with(name) || query.find("&" + name) != std::string::npos;
  return has_it || parameter.empty() ? query : query + "&" + parameter;
}

std::string target_of(const std::string& kind, const Sent& sent, const testing::DataRow& row) {
  auto query = with(row["query"], sent.query);
  if (kind == "apply") query = with(query, "fieldManager=f");
  return std::string(kMaps) + sent.name + "?" + (kind == "watch" ? "watch=1&" : "") + query;
}

std::string filled_in(std::string text, const std::string& part, const std::string& by) {
  const auto at = text.find(part);
  return at == std::string::npos ? text : text.replace(at, part.size(), by);
}

// The code, and the reason and message of a rejection.
std::string answer_in(const net::Response& response) {
  auto answer = std::to_string(response.status);
  if (response.status < 400) return answer;
  const auto status = Tree::parse(response.body);
  REQUIRE(status);
  for (const char* field : {"reason", "message"}) {
    const auto text = status->text_at({field});
    if (!text.empty()) answer += " " + text;
  }
  return answer;
}

TEST_CASE("the options of a request are validated as by the API server, with its messages") {
  fixtures::HttpTalk talk;
  const auto map = talk.create_map("m");
  REQUIRE(map);
  for (const auto& row :
       testing::data_rows("test/unit/sandbox/query_options.txt", {"request", "query", "body", "answer"})) {
    std::istringstream kinds(row["request"]);
    for (std::string kind; kinds >> kind;) {
      const auto sent = request_of(kind);
      const auto body = row["body"].empty() ? sent.body : row["body"];
      const auto response =
          talk.send(sent.method, target_of(kind, sent, row), body, {{"Content-Type", sent.content_type}});
      CAPTURE(row.place(), kind, row["query"], response.body);
      auto expected = filled_in(row["answer"], "<uid>", std::string(map->uid()));
      expected = filled_in(expected, "<version>", std::to_string(map->resource_version()));
      CHECK(answer_in(response) == expected);
    }
  }
}

TEST_CASE("a version that is later than the current one is rejected for every read and for a deletecollection") {
  fixtures::HttpTalk talk;
  const std::string late = "?resourceVersion=999999";
  for (const char* name : {"", "/missing"}) {
    CHECK(talk.json(kMaps + (name + late)).text_at({"message"}).starts_with("Timeout: Too large resource version"));
  }
  CHECK(talk.send("DELETE", kMaps + late).status == 504);
}

TEST_CASE("the parameters of a delete count as its DeleteOptions if it has no body") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.create_map("m"));
  const auto one = kMaps + std::string("/m");
  REQUIRE(talk.send("DELETE", one + "?propagationPolicy=Foreground").status == 200);
  CHECK(talk.json(one).text_at({"metadata", "deletionTimestamp"}) != "");
  CHECK(talk.send("DELETE", one + "?uid=other").status == 409);
}

TEST_CASE("a continue token that the server did not return is malformed, and not expired") {
  fixtures::HttpTalk talk;
  const auto list = kMaps + std::string("?continue=");
  const auto malformed = talk.json(list + "bad");
  CHECK(malformed.text_at({"reason"}) == "BadRequest");
  CHECK(malformed.text_at({"message"}).starts_with("invalid continue token: continue key is not valid"));
  CHECK(talk.json(list + "f31bd9de-6a0a-4d5c-9d83-2d5b4a3d7f01").text_at({"reason"}) == "Expired");
}

TEST_CASE("a boolean parameter is true, unless it is 0 or false") {
  fixtures::HttpTalk talk;
  for (const char* value : {"1", "true", "x", ""}) {
    INFO(value);
    CHECK(talk.ask_http("GET", kMaps + std::string("?timeoutSeconds=1&watch=") + value).streaming);
  }
  for (const char* value : {"0", "false", "False"}) {
    INFO(value);
    CHECK(talk.json(kMaps + std::string("?watch=") + value).text_at({"kind"}) == "ConfigMapList");
  }
}

TEST_CASE("an empty fieldManager is replaced by the name of the program") {
  fixtures::HttpTalk talk;
  const auto created =
      talk.send("POST", std::string(kMaps) + "?fieldManager=", R"({"metadata":{"name":"n"},"data":{"a":"b"}})",
                {{"User-Agent", "kubectl/v1.36"}});
  REQUIRE(created.status == 201);
  CHECK(created.body.find(R"("manager":"kubectl")") != std::string::npos);
}

}  // namespace
}  // namespace keelson::sandbox
