// Writes as recorded from kube-apiserver: of several managers to one object, and with unknown or duplicate fields.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

struct OwnedKind {
  const char* word;
  const char* path;
  const char* api_version;
  const char* kind;
  const char* part;  // of an object that is compared; empty: nothing
};

constexpr OwnedKind kOwnedKinds[] = {
    {"cr", "/apis/apply.example.com/v1/namespaces/apply-t/applys", "apply.example.com/v1", "Apply", "spec"},
    {"cm", "/api/v1/namespaces/apply-t/configmaps", "v1", "ConfigMap", "data"},
    {"svc", "/api/v1/namespaces/apply-t/services", "v1", "Service", "ports"},
    {"deploy", "/apis/apps/v1/namespaces/apply-t/deployments", "apps/v1", "Deployment", "containers"},
    {"pod", "/api/v1/namespaces/apply-t/pods", "v1", "Pod", ""},
    {"netpol", "/apis/networking.k8s.io/v1/namespaces/apply-t/networkpolicies", "networking.k8s.io/v1", "NetworkPolicy",
     "podSelector"},
    {"vwc", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", "admissionregistration.k8s.io/v1",
     "ValidatingWebhookConfiguration", "names"},
};

const OwnedKind& owned_kind(const std::string& word) {
  const auto* found = std::ranges::find(kOwnedKinds, word, &OwnedKind::word);
  REQUIRE(found != std::end(kOwnedKinds));
  return *found;
}

Tree parsed(const std::string& text) {
  auto tree = Tree::parse(text);
  REQUIRE(tree);
  return *tree;
}

std::string filled(std::string text, const std::string& name) {
  const std::string hole = "<name>";
  for (auto at = text.find(hole); at != std::string::npos; at = text.find(hole, at))
    text.replace(at, hole.size(), name);
  return text;
}

// The words of a row's request: "apply cr/status a".
struct OwnerRequest {
  std::string verb, kind, subresource, manager;
};

// The third word is the manager or, in strict_fields.txt, the type of the body.
OwnerRequest request_in(const std::string& text) {
  std::istringstream words(text);
  OwnerRequest request;
  words >> request.verb >> request.kind >> request.manager;
  const auto slash = request.kind.find('/');
  if (slash != std::string::npos) {
    request.subresource = request.kind.substr(slash);
    request.kind.resize(slash);
  }
  return request;
}

class OwnerTalk : public fixtures::HttpTalk {
 public:
  OwnerTalk() { send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"apply-t"}})", kJson); }

  void define(const std::string& definition) {
    const auto made = send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition, kJson);
    REQUIRE(made.status == 201);
    pass(std::chrono::seconds(1));
  }

  // A dry run of a request of strict_fields.txt.
  net::Response rehearse(const OwnerRequest& request, const std::string& body, const std::string& validation) {
    const bool is_new = request.verb == "create";
    const auto path = owned_kind(request.kind).path + std::string(is_new ? "" : "/here");
    const auto query = "?dryRun=All&fieldManager=f&fieldValidation=" + validation;
    return send(is_new ? "POST" : "PATCH", path + query + (request.verb == "apply" ? "&force=true" : ""), body,
                type(request.manager));
  }

  net::Response ask(const OwnerRequest& request, const std::string& name, const std::string& body) {
    const auto& kind = owned_kind(request.kind);
    const auto item = kind.path + ("/" + name) + request.subresource;
    const auto query = "?fieldManager=" + request.manager;
    if (request.verb == "apply" || request.verb == "force") {
      return send("PATCH", item + query + (request.verb == "force" ? "&force=true" : ""), whole(kind, name, body),
                  type("application/apply-patch+yaml"));
    }
    if (request.verb == "create") return send("POST", kind.path + query, whole(kind, name, body), kJson);
    if (request.verb == "update") return send("PUT", item + query, newest(item, whole(kind, name, body)), kJson);
    const auto form = request.verb == "strategic" ? std::string("strategic-merge") : request.verb;
    return send("PATCH", item + query, body, type("application/" + form + "-patch+json"));
  }

 private:
  static net::Headers type(const std::string& name) { return {{"Content-Type", name}}; }

  static std::string whole(const OwnedKind& kind, const std::string& name, const std::string& body) {
    auto object = parsed(body);
    object["apiVersion"] = kind.api_version;
    object["kind"] = kind.kind;
    object["metadata"]["name"] = name;
    return object.text();
  }

  std::string newest(const std::string& item, const std::string& body) {
    auto object = parsed(body);
    object["metadata"]["resourceVersion"] = json(item).text_at({"metadata", "resourceVersion"});
    return object.text();
  }

  const net::Headers kJson = type("application/json");
};

std::string answer_text(const net::Response& response) {
  auto answer = std::to_string(response.status);
  if (response.status < 400) return answer;
  const auto status = parsed(response.body);
  return answer + " " + status.text_at({"reason"}) + " " + status.text_at({"message"});
}

// The owners, a line each: "a Update v1/status {…}". FieldsV1 are compared without the order of their members.
std::vector<std::pair<std::string, Tree>> owners_in(const Tree& object) {
  std::vector<std::pair<std::string, Tree>> owners;
  for (const auto& entry : object.items_at({"metadata", "managedFields"})) {
    auto line = entry.text_at({"manager"}) + " " + entry.text_at({"operation"}) + " " + entry.text_at({"apiVersion"});
    if (const auto part = entry.text_at({"subresource"}); !part.empty()) line += "/" + part;
    if (entry.find("time") == nullptr) line += " (no time)";
    owners.emplace_back(line, entry.copy_at({"fieldsV1"}));
  }
  std::ranges::sort(owners, {}, &std::pair<std::string, Tree>::first);
  return owners;
}

std::vector<std::pair<std::string, Tree>> owners_of_row(const std::string& lines) {
  std::vector<std::pair<std::string, Tree>> owners;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const auto at = line.find(" {");
    owners.emplace_back(line.substr(0, at), parsed(line.substr(at + 1)));
  }
  std::ranges::sort(owners, {}, &std::pair<std::string, Tree>::first);
  return owners;
}

std::string owners_text(const std::vector<std::pair<std::string, Tree>>& owners) {
  std::string text;
  for (const auto& [line, fields] : owners) text += line + " " + fields.text() + "\n";
  return text;
}

// The part of an object that a row's result has.
Tree result_in(const Tree& object, const std::string& part) {
  if (part == "spec") return object.copy_at({"spec"});
  if (part == "data") return object.copy_at({"data"});
  if (part == "ports") return Tree::object({{"ports", *object.at({"spec", "ports"})}});
  if (part == "podSelector") return object.copy_at({"spec", "podSelector"});
  auto list = Tree::array();
  for (const auto& webhook : object.items_at({"webhooks"})) list.items().push_back(Tree(webhook.text_at({"name"})));
  if (part == "names") return Tree::object({{"names", list}});
  for (const auto& container : object.items_at({"spec", "template", "spec", "containers"})) {
    auto shown = Tree::object();
    for (const char* name : {"name", "image", "env", "ports"}) {
      if (const Tree* value = container.find(name)) shown[name] = *value;
    }
    list.items().push_back(shown);
  }
  return Tree::object({{"containers", list}});
}

TEST_CASE("the owners of fields after writes of several managers are those of the API server") {
  OwnerTalk talk;
  int objects = 0;
  std::string about;
  for (const auto& row : testing::data_rows("test/unit/sandbox/field_owners.txt",
                                            {"definition", "about", "request", "body", "answer", "owners", "result"})) {
    if (!row["definition"].empty()) {
      talk.define(row["definition"]);
      continue;
    }
    if (!row["about"].empty()) {
      about = row["about"];
      ++objects;
    }
    const auto name = "o" + std::to_string(objects);
    const auto request = request_in(row["request"]);
    const auto response = talk.ask(request, name, filled(row["body"], name));
    CAPTURE(about, row.place(), row["request"], row["body"], response.body);
    CHECK(answer_text(response) == filled(row["answer"], name));
    if (response.status >= 400) continue;
    const auto object = parsed(response.body);
    CHECK(owners_text(owners_in(object)) == owners_text(owners_of_row(row["owners"])));
    if (!row["result"].empty()) CHECK(result_in(object, owned_kind(request.kind).part) == parsed(row["result"]));
  }
}

std::string warnings_in(const net::Response& response) {
  const std::string prefix = "299 - ";
  std::string lines;
  for (const auto& [name, value] : response.headers) {
    if (name != "Warning") continue;
    REQUIRE(value.starts_with(prefix));
    lines += (lines.empty() ? "" : "\n") + parsed(value.substr(prefix.size())).scalar();
  }
  return lines;
}

// The rejection of a patch quotes the patched object, which has a uid and a version.
std::string without_patch(const std::string& answer) {
  const auto at = answer.find("strict decoding error");
  return answer.starts_with("422 ") && at != std::string::npos ? "422 Invalid " + answer.substr(at) : answer;
}

TEST_CASE("unknown and duplicate fields are reported in the order of the API server") {
  OwnerTalk talk;
  for (const auto& row : testing::data_rows("test/unit/sandbox/strict_fields.txt",
                                            {"definition", "request", "body", "answer", "warnings"})) {
    if (!row["definition"].empty()) {
      talk.define(row["definition"]);
      for (const char* kind : {"cm", "cr"}) REQUIRE(talk.ask({"create", kind, "", "z"}, "here", "{}").status == 201);
      continue;
    }
    const auto request = request_in(row["request"]);
    CAPTURE(row.place(), row["request"]);
    CHECK(without_patch(answer_text(talk.rehearse(request, row["body"], "Strict"))) == row["answer"]);
    CHECK(warnings_in(talk.rehearse(request, row["body"], "Warn")) == row["warnings"]);
    CHECK(warnings_in(talk.rehearse(request, row["body"], "Ignore")).empty());
  }
}

}  // namespace
}  // namespace keelson::sandbox
