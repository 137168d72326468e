// Writes that are alike for all kinds: the errors of decoding, of patches and of metadata, as kube-apiserver reports
// them.
#include <algorithm>
#include <regex>

#include <catch2/catch_test_macros.hpp>

#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::HttpTalk;

constexpr const char* kConfigMaps = "/api/v1/namespaces/write-answers/configmaps";

struct Writer : HttpTalk {
  Writer() { send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"write-answers"}})"); }

  net::Response write(const std::string& method, const std::string& path, const std::string& type,
                      const std::string& body) {
    static const std::map<std::string, std::string> kTypes{{"json", "application/json"},
                                                           {"merge", "application/merge-patch+json"},
                                                           {"patch", "application/json-patch+json"},
                                                           {"strategic", "application/strategic-merge-patch+json"},
                                                           {"apply", "application/apply-patch+yaml"}};
    return send(method, path, body, {{"Content-Type", kTypes.at(type)}, {"User-Agent", "test"}});
  }
};

// The code and, of a rejection, the reason and the message without what no two servers have in common.
std::string answer_of(const net::Response& response) {
  auto text = std::to_string(response.status);
  if (response.status < 400) return text;
  const auto status = json_tree(response.body);
  text += " " + status.text_at({"reason"}) + " " + status.text_at({"message"});
  text = std::regex_replace(text, std::regex("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), "<uid>");
  text = std::regex_replace(text, std::regex(R"(20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ(?=\\))"), "<time>");
  return std::regex_replace(text, std::regex(R"((resourceVersion\\":\\")\d+)"), "$1<version>");
}

std::string causes_of(const net::Response& response) {
  std::string fields;
  const auto status = json_tree(response.body);
  for (const auto& cause : status.items_at({"details", "causes"})) {
    fields += (fields.empty() ? "" : " ") + cause.text_at({"field"});
  }
  return fields;
}

TEST_CASE("writes of any kind are answered as by kube-apiserver") {
  Writer writer;
  for (const auto& row :
       testing::data_rows("test/unit/sandbox/write_answers.txt", {"request", "body", "answer", "causes"})) {
    INFO(row.place());
    std::istringstream request(row["request"]);
    std::string method;
    std::string path;
    std::string type;
    request >> method >> path >> type;
    const auto response = writer.write(method, path, type, row["body"]);
    CHECK(answer_of(response) == row["answer"]);
    if (response.status >= 400) CHECK(causes_of(response) == row["causes"]);
  }
}

TEST_CASE("a new object of a kind without a generation keeps that of its client") {
  Writer writer;
  const auto created = writer.write("POST", kConfigMaps, "json", R"({"metadata":{"name":"b","generation":7}})");
  CHECK(json_tree(created.body).integer_at({"metadata", "generation"}) == 7);
}

TEST_CASE("the namespace of a cluster-scoped object is dropped") {
  Writer writer;
  const auto created = writer.write("POST", "/apis/scheduling.k8s.io/v1/priorityclasses", "json",
                                    R"({"metadata":{"name":"p","namespace":"other"},"value":1})");
  CHECK(created.status == 201);
  CHECK(json_tree(created.body).at({"metadata", "namespace"}) == nullptr);
}

TEST_CASE("the creator owns a required struct that Go omits in a zero value") {
  Writer writer;
  const auto created = writer.write("POST", "/apis/networking.k8s.io/v1/ipaddresses", "json",
                                    R"({"metadata":{"name":"10.0.77.77"},"spec":{"parentRef":{"resource":"services",
                                    "namespace":"default","name":"a"}}})");
  CHECK(created.body.find(R"("f:parentRef":{".":{},"f:name":{})") != std::string::npos);
}

TEST_CASE("the rejection of a JSON patch that cannot be applied has empty details") {
  Writer writer;
  writer.write("POST", kConfigMaps, "json", R"({"metadata":{"name":"a"}})");
  const auto rejected =
      writer.write("PATCH", std::string(kConfigMaps) + "/a", "patch", R"([{"op":"remove","path":"/data/x"}])");
  const auto status = json_tree(rejected.body);
  REQUIRE(status.at({"details"}) != nullptr);
  CHECK(status.at({"details"})->is_empty());
}

TEST_CASE("the rejection of a deprecated kind has the warning about it, too") {
  Writer writer;
  const auto rejected =
      writer.write("POST", "/api/v1/namespaces/default/endpoints", "json",
                   R"({"metadata":{"name":"a"},"subsets":[{"addresses":[{}],"ports":[{"name":"a","port":80}]}]})");
  CHECK(rejected.status == 422);
  const bool is_warned = std::ranges::any_of(rejected.headers, [](const auto& header) {
    return header.second.find("v1 Endpoints is deprecated in v1.33+") != std::string::npos;
  });
  CHECK(is_warned);
}

}  // namespace
}  // namespace keelson::sandbox
