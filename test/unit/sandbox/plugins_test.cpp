// Admission by the server itself: each file is a conversation that was recorded from kube-apiserver 1.36.3.
#include "src/sandbox/admission/plugins.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

std::string with_line_ends(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    if (c == '\\') {
      shown += "\\\\";
    } else if (c == '\n') {
      shown += "\\n";
    } else {
      shown += c;
    }
  }
  return shown;
}

// The code, and the reason and message of a rejection.
std::string answer_of(const net::Response& response) {
  auto answer = std::to_string(response.status);
  const auto status = Tree::parse(response.body);
  if (response.status < 400 || !status) return answer;
  for (const char* field : {"reason", "message"}) {
    const auto text = status->text_at({field});
    if (!text.empty()) answer += " " + with_line_ends(text);
  }
  return answer;
}

std::string warnings_of(const net::Response& response) {
  std::string all;
  for (const auto& [name, value] : response.headers) {
    if (name == "Warning") all += (all.empty() ? "" : " | ") + value;
  }
  return all;
}

Tree sorted(const Tree& value) {
  if (value.is_array()) {
    auto list = Tree::array();
    for (const auto& item : value.items()) list.items().push_back(sorted(item));
    return list;
  }
  if (!value.is_object()) return value;
  std::vector<std::pair<std::string, Tree>> members(value.members().begin(), value.members().end());
  std::ranges::sort(members, {}, [](const auto& member) { return member.first; });
  auto object = Tree::object();
  for (const auto& [name, member] : members) object[name] = sorted(member);
  return object;
}

// The value at a path such as "spec.containers.0.env", with sorted members.
std::string shown_at(const Tree& body, const std::string& path) {
  const Tree* value = &body;
  for (std::size_t begin = 0; value != nullptr && begin <= path.size();) {
    const auto end = std::min(path.find('.', begin), path.size());
    const auto part = path.substr(begin, end - begin);
    if (value->is_array()) {
      const auto place = std::stoul(part);
      value = place < value->items().size() ? &value->items()[place] : nullptr;
    } else {
      value = value->find(part);
    }
    begin = end + 1;
  }
  return value == nullptr ? "null" : sorted(*value).text();
}

net::Response sent_to(fixtures::HttpTalk& talk, const std::string& request, const std::string& body) {
  const auto space = request.find(' ');
  const auto verb = request.substr(0, space);
  const auto* type = verb == "PATCH"   ? "application/merge-patch+json"
                     : verb == "APPLY" ? "application/apply-patch+yaml"
                                       : "application/json";
  return talk.send(verb == "APPLY" ? "PATCH" : verb, request.substr(space + 1), body, {{"Content-Type", type}});
}

void compare_answers(const std::string& file) {
  auto options = fixtures::whole_cluster();
  options.has_controllers = true;
  fixtures::HttpTalk talk(options);
  for (const auto& row :
       testing::data_rows("test/unit/sandbox/" + file, {"request", "body", "shows", "value", "warning", "answer"})) {
    const auto response = sent_to(talk, row["request"], row["body"]);
    CAPTURE(row.place(), row["request"], row["body"], response.body);
    CHECK(answer_of(response) == row["answer"]);
    CHECK(warnings_of(response) == row["warning"]);
    // The controllers create the objects of a new namespace.
    if (row["request"] == "POST /api/v1/namespaces") talk.pass(std::chrono::seconds(1));
    if (row["shows"].empty()) continue;
    const auto body = Tree::parse(response.body);
    REQUIRE(body);
    CHECK(shown_at(*body, row["shows"]) == row["value"]);
  }
}

TEST_CASE("admission policies and match conditions answer as on the API server") {
  compare_answers("admission_policies.txt");
}

TEST_CASE("a pod of a ReplicaSet that a quota forbids is reported in an Event") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  REQUIRE(talk.send("POST", "/api/v1/namespaces/default/resourcequotas",
                    R"({"metadata":{"name":"q"},"spec":{"hard":{"pods":"1"}}})")
              .status == 201);
  REQUIRE(talk.send("POST", "/apis/apps/v1/namespaces/default/replicasets",
                    R"({"metadata":{"name":"r"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":)"
                    R"({"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})")
              .status == 201);

  talk.pass(std::chrono::seconds(2));

  CHECK(talk.json("/api/v1/namespaces/default/pods").items_at({"items"}).size() == 1);
  const auto events = talk.json("/api/v1/namespaces/default/events");
  const auto& items = events.items_at({"items"});
  const auto failed =
      std::ranges::find_if(items, [](const Tree& one) { return one.text_at({"reason"}) == "FailedCreate"; });
  REQUIRE(failed != items.end());
  CHECK(failed->text_at({"type"}) == "Warning");
  CHECK(failed->text_at({"involvedObject", "kind"}) == "ReplicaSet");
  CHECK(failed->text_at({"message"}).starts_with("Error creating: pods \"r-"));
  CHECK(failed->text_at({"message"}).ends_with("exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1"));
}

TEST_CASE("quotas, limits, Pod Security and the other plugins answer as on the API server") {
  compare_answers("admission_plugins.txt");
}

TEST_CASE("a mutation whose value is too large, or not of the kind, is an error and changes nothing") {
  std::string doubled = "[1]";
  for (int i = 0; i < 40; ++i) doubled += ".map(x, [x, x])";
  for (const std::string& value : {doubled + ".map(x, dyn(x))", std::string("[1, 2]"), std::string("{1: 'a'}")}) {
    CAPTURE(value);
    fixtures::HttpTalk talk(fixtures::whole_cluster());
    const auto policy = Tree::object(
        {{"metadata", Tree::object({{"name", "p"}})},
         {"spec",
          Tree::object(
              {{"failurePolicy", "Fail"},
               {"reinvocationPolicy", "Never"},
               {"matchConstraints",
                *Tree::parse(R"({"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE"],)"
                             R"("resources":["configmaps"]}]})")},
               {"mutations",
                Tree::array({Tree::object(
                    {{"patchType", "JSONPatch"},
                     {"jsonPatch", Tree::object({{"expression", "[JSONPatch{op: 'add', path: '/data', value: " + value +
                                                                    "}]"}})}})})}})}});
    const std::string folder = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolic";
    REQUIRE(answer_of(talk.send("POST", folder + "ies", policy.text())) == "201");
    REQUIRE(talk.send("POST", folder + "ybindings", R"({"metadata":{"name":"b"},"spec":{"policyName":"p"}})").status ==
            201);
    CHECK(talk.send("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"a"}})").status >= 400);
  }
}

TEST_CASE("a quota with thousands of scopes and amounts is answered") {
  auto scopes = Tree::array();
  auto hard = Tree::object();
  for (int i = 0; i < 50'000; ++i) scopes.items().emplace_back("BestEffort");
  for (int i = 0; i < 20'000; ++i) hard.members().emplace_back("requests.hugepages-" + std::to_string(i), "1");
  const auto quota = Tree::object(
      {{"metadata", Tree::object({{"name", "q"}})}, {"spec", Tree::object({{"scopes", scopes}, {"hard", hard}})}});
  fixtures::HttpTalk talk;
  CHECK(talk.send("POST", "/api/v1/namespaces/default/resourcequotas", quota.text()).status == 422);
}

TEST_CASE("an amount beyond 64 bits exceeds a quota") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  const auto pod = [&](const std::string& name, const std::string& memory) {
    return talk.send("POST", "/api/v1/namespaces/default/pods",
                     R"({"metadata":{"name":")" + name +
                         R"("},"spec":{"containers":[{"name":"c","image":"i","resources":{"requests":{"memory":")" +
                         memory + R"("}}}]}})");
  };
  REQUIRE(talk.send("POST", "/api/v1/namespaces/default/resourcequotas",
                    R"({"metadata":{"name":"q"},"spec":{"hard":{"requests.memory":"1Gi"}}})")
              .status == 201);
  CHECK(pod("small", "1Mi").status == 201);
  CHECK(pod("large", "8Ei").status == 403);
}

TEST_CASE("a Job whose pods are rejected has no active pod") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  REQUIRE(talk.send("POST", "/api/v1/namespaces/default/resourcequotas",
                    R"({"metadata":{"name":"q"},"spec":{"hard":{"pods":"0"}}})")
              .status == 201);
  REQUIRE(talk.send("POST", "/apis/batch/v1/namespaces/default/jobs",
                    R"({"metadata":{"name":"j"},"spec":{"parallelism":3,"completions":3,"template":{"spec":)"
                    R"({"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})")
              .status == 201);

  talk.pass(std::chrono::seconds(2));

  CHECK(talk.json("/apis/batch/v1/namespaces/default/jobs/j").integer_at({"status", "active"}) == 0);
  const auto events = talk.json("/api/v1/namespaces/default/events");
  const auto failures = std::ranges::count_if(
      events.items_at({"items"}), [](const Tree& one) { return one.text_at({"reason"}) == "FailedCreate"; });
  CHECK(failures <= 2);  // one more when the status is written
}

TEST_CASE("an ephemeral container that Pod Security forbids is rejected") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  const std::string pods = "/api/v1/namespaces/default/pods";
  REQUIRE(
      talk.send("POST", pods, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})").status ==
      201);
  REQUIRE(talk.send("PATCH", "/api/v1/namespaces/default",
                    R"({"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"baseline"}}})",
                    {{"Content-Type", "application/merge-patch+json"}})
              .status == 200);
  const auto add = [&](const std::string& more) {
    return talk.send("PATCH", pods + "/p/ephemeralcontainers",
                     R"({"spec":{"ephemeralContainers":[{"name":"d","image":"i")" + more + "}]}}",
                     {{"Content-Type", "application/strategic-merge-patch+json"}});
  };

  const auto privileged = add(R"(,"securityContext":{"privileged":true})");

  CHECK(privileged.status == 403);
  CHECK(
      privileged.body.find(R"(violates PodSecurity \"baseline:latest\": privileged (container \"d\" must not set )") !=
      std::string::npos);
  CHECK(add("").status == 200);
}

TEST_CASE("a policy with thousands of variables is rejected before they are compiled") {
  fixtures::HttpTalk talk;
  std::string variables;
  for (int i = 0; i < 20'000; ++i) {
    variables +=
        (i == 0 ? "" : ",") + std::string(R"({"name":"a)") + std::to_string(i) + R"(","expression":"variables.a"})";
  }

  const auto created = talk.send(
      "POST", "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
      R"({"metadata":{"name":"p"},"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],)"
      R"("operations":["*"],"resources":["configmaps"]}]},"validations":[{"expression":"true"}],"variables":[)" +
          variables + "]}}");

  CHECK(created.status == 422);
  CHECK(created.body.find("spec.variables: Invalid value: \\\"20000\\\": must have at most 500 items") !=
        std::string::npos);
}

TEST_CASE("a LimitRange of thousands of names is not multiplied by the containers of a pod") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  auto most = Tree::object();
  auto containers = Tree::array();
  for (int i = 0; i < 2'000; ++i) {
    const auto number = std::to_string(i);
    most.members().emplace_back("a.b/c" + number, "1");
    containers.items().push_back(Tree::object({{"name", "c" + number}, {"image", "i"}}));
  }
  const auto limit = Tree::object({{"type", "Container"}, {"max", most}});
  const auto range = Tree::object(
      {{"metadata", Tree::object({{"name", "r"}})}, {"spec", Tree::object({{"limits", Tree::array({limit})}})}});
  REQUIRE(talk.send("POST", "/api/v1/namespaces/default/limitranges", range.text()).status == 201);
  const auto pod =
      Tree::object({{"metadata", Tree::object({{"name", "p"}})}, {"spec", Tree::object({{"containers", containers}})}});

  const auto created = talk.send("POST", "/api/v1/namespaces/default/pods", pod.text());

  CHECK(created.status == 403);
  CHECK(created.body.find("the LimitRanges of the namespace have more than 100000 amounts") != std::string::npos);
}

TEST_CASE("an update that may not change a large pod is rejected with a short error") {
  fixtures::HttpTalk talk;
  const auto pod = [](const std::string& prefix) {
    auto volumes = Tree::array();
    for (int i = 0; i < 5'000; ++i) volumes.items().push_back(Tree::object({{"name", prefix + std::to_string(i)}}));
    const auto container = Tree::object({{"name", "c"}, {"image", "i"}});
    return Tree::object({{"metadata", Tree::object({{"name", "p"}})},
                         {"spec", Tree::object({{"containers", Tree::array({container})}, {"volumes", volumes}})}})
        .text();
  };
  REQUIRE(talk.send("POST", "/api/v1/namespaces/default/pods", pod("v")).status == 201);

  const auto updated = talk.send("PUT", "/api/v1/namespaces/default/pods/p", pod("w"));

  CHECK(updated.status == 422);
  CHECK(updated.body.find("pod updates may not change fields other than") != std::string::npos);
  CHECK(updated.body.size() < 10'000);
}

TEST_CASE("mutations that make an object too large together are an error") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  auto mutations = Tree::array();
  for (int i = 0; i < 12; ++i) {
    std::string text = "'0123456789abcdef'";
    for (int doubled = 0; doubled < 17; ++doubled) text = "[" + text + "].map(x, x + x)[0]";
    const auto key = "k" + std::to_string(i);
    mutations.items().push_back(Tree::object(
        {{"patchType", "ApplyConfiguration"},
         {"applyConfiguration", Tree::object({{"expression", "Object{data: {'" + key + "': " + text + "}}"}})}}));
  }
  const auto policy = Tree::object(
      {{"metadata", Tree::object({{"name", "p"}})},
       {"spec", Tree::object({{"failurePolicy", "Fail"},
                              {"reinvocationPolicy", "Never"},
                              {"matchConstraints", *Tree::parse(R"({"resourceRules":[{"apiGroups":[""],)"
                                                                R"("apiVersions":["v1"],"operations":["CREATE"],)"
                                                                R"("resources":["configmaps"]}]})")},
                              {"mutations", mutations}})}});
  const std::string folder = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolic";
  REQUIRE(answer_of(talk.send("POST", folder + "ies", policy.text())) == "201");
  REQUIRE(talk.send("POST", folder + "ybindings", R"({"metadata":{"name":"b"},"spec":{"policyName":"p"}})").status ==
          201);

  const auto created = talk.send("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"a"}})");

  CHECK(answer_of(created).find("the object is too large after the mutation") != std::string::npos);
}

TEST_CASE("a Deployment whose ReplicaSet is rejected says so, and goes on when the cause is gone") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  const std::string quotas = "/api/v1/namespaces/default/resourcequotas";
  const std::string web = "/apis/apps/v1/namespaces/default/deployments/web";
  REQUIRE(
      talk.send("POST", quotas, R"({"metadata":{"name":"q"},"spec":{"hard":{"count/replicasets.apps":"0"}}})").status ==
      201);
  REQUIRE(talk.send("POST", "/apis/apps/v1/namespaces/default/deployments",
                    R"({"metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":)"
                    R"({"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})")
              .status == 201);
  talk.pass(std::chrono::seconds(2));
  const auto progressing = [&] {
    const auto deployment = talk.json(web);
    const auto& conditions = deployment.items_at({"status", "conditions"});
    const auto found =
        std::ranges::find_if(conditions, [](const Tree& one) { return one.text_at({"type"}) == "Progressing"; });
    REQUIRE(found != conditions.end());
    return found->text_at({"status"}) + " " + found->text_at({"reason"});
  };

  CHECK(progressing() == "False ReplicaSetCreateError");
  CHECK(talk.json("/api/v1/namespaces/default/events").text().find("Scaled up") == std::string::npos);
  REQUIRE(talk.send("DELETE", quotas + "/q").status == 200);
  talk.pass(std::chrono::seconds(10));

  CHECK(progressing() == "True NewReplicaSetAvailable");
}

// kubectl sorts the members of what it prints: `kubectl get pod -o json | kubectl replace -f -`.
TEST_CASE("a pod can be replaced by itself with its members in another order") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  const std::string pods = "/api/v1/namespaces/default/pods";
  REQUIRE(
      talk.send("POST", pods, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})").status ==
      201);
  const auto pod = sorted(talk.json(pods + "/p"));
  REQUIRE_FALSE(pod.items_at({"spec", "tolerations"}).empty());

  const auto replaced = talk.send("PUT", pods + "/p", pod.text());

  CHECK(answer_of(replaced) == "200");
}

}  // namespace
}  // namespace keelson::sandbox
