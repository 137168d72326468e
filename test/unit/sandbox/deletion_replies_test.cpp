// The replies to deletions are those of kube-apiserver: each row was recorded from it.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kShopDefinition =
    R"({"metadata":{"name":"shops.example.com"},"spec":{"group":"example.com","scope":"Namespaced","names":)"
    R"({"plural":"shops","singular":"shop","kind":"Shop","listKind":"ShopList"},"versions":[{"name":"v1","served":true,)"
    R"("storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}})";

std::string name_at(const std::string& path) {
  if (path.ends_with("/apiservices")) return "v1.wire.x.y";
  return path.ends_with("/customresourcedefinitions") ? "wires.wire.x.y" : "a";
}

std::string details_in(const Tree& status) {
  auto text = "Status " + status.text_at({"status"});
  for (const auto& [name, value] : status.members_at({"details"})) {
    text += " " + name + "=" + (name == "uid" ? "<uid>" : value.scalar());
  }
  return text;
}

// The parts of a reply that a row has.
std::string summary(const net::Response& response) {
  const auto body = Tree::parse(response.body);
  if (response.status != 200 || !body) return response.body;
  auto text = body->text_at({"kind"});
  if (text == "Status") return details_in(*body);
  if (body->at({"metadata", "deletionTimestamp"}) != nullptr) text += " deleting";
  if (const Tree* grace = body->at({"metadata", "deletionGracePeriodSeconds"})) text += " grace=" + grace->scalar();
  for (const auto& finalizer : body->texts_at({"metadata", "finalizers"})) text += " fin=" + finalizer;
  if (text.starts_with("Namespace")) text += " phase=" + body->text_at({"status", "phase"});
  return text;
}

// On a new server, because the object may remain.
std::string reply_to_deletion(const testing::DataRow& row, bool has_finalizer, const std::string& query) {
  fixtures::HttpTalk talk;
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kShopDefinition).status == 201);
  talk.pass(std::chrono::seconds(1));
  auto object = *Tree::parse(row["object"]);
  auto& metadata = object["metadata"];
  metadata["name"] = name_at(row["path"]);
  if (has_finalizer) metadata["finalizers"] = Tree::array({"a.b/c"});
  const auto created = talk.send("POST", row["path"], object.text());
  INFO(created.body);
  REQUIRE(created.status == 201);
  return summary(talk.send("DELETE", row["path"] + "/" + name_at(row["path"]) + query));
}

TEST_CASE("a deletion is answered with the object or a Status, as by the API server") {
  for (const auto& row :
       testing::data_rows("test/unit/sandbox/deletion_replies.txt", {"path", "object", "deleted", "held"})) {
    CAPTURE(row.place(), row["path"]);
    if (!row["deleted"].empty()) {
      CHECK(reply_to_deletion(row, false, "?dryRun=All") == row["deleted"]);
      CHECK(reply_to_deletion(row, false, "") == row["deleted"]);
    }
    if (!row["held"].empty()) CHECK(reply_to_deletion(row, true, "") == row["held"]);
  }
}

TEST_CASE("the dependents of an Event are not searched for when it is deleted") {
  fixtures::HttpTalk talk;
  const std::string events = "/api/v1/namespaces/default/events";
  REQUIRE(talk.send("POST", events, R"({"metadata":{"name":"a"},"involvedObject":{"namespace":"default"}})").status ==
          201);
  CHECK(summary(talk.send("DELETE", events + "/a?propagationPolicy=Foreground")) ==
        "Status Success name=a kind=events uid=<uid>");
}

}  // namespace
}  // namespace keelson::sandbox
