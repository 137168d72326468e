// Objects have the form of their types: each row was recorded from kube-apiserver.
#include "src/sandbox/kinds/object_form.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr const char* kDeployments = "/apis/apps/v1/namespaces/default/deployments";

Tree parsed(const std::string& text) {
  auto tree = Tree::parse(text);
  REQUIRE(tree);
  return *tree;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  for (auto at = text.find(part); !part.empty() && at != std::string::npos; at = text.find(part, at + by.size())) {
    text.replace(at, part.size(), by);
  }
  return text;
}

void erase_addresses(Tree& service) {
  auto& spec = service["spec"];
  for (auto& port : spec.items_of("ports")) port.erase("nodePort");
  if (spec.text_at({"clusterIP"}) == "None") return;
  for (const char* name : {"clusterIP", "clusterIPs"}) spec.erase(name);
}

// Without what the rows lack.
Tree comparable(Tree object) {
  const auto uid = object.text_at({"metadata", "uid"});
  for (const char* name : {"uid", "creationTimestamp", "managedFields"}) object["metadata"].erase(name);
  const auto kind = object.text_at({"kind"});
  if (kind == "Service") erase_addresses(object);
  if (kind == "CustomResourceDefinition") object.erase("status");
  if (kind.starts_with("PersistentVolume") || kind == "VolumeAttributesClass") object["metadata"].erase("finalizers");
  if (kind == "CertificateSigningRequest") {
    for (const char* name : {"username", "groups"}) object["spec"].erase(name);
  }
  if (kind == "PersistentVolume") object["status"].erase("lastPhaseTransitionTime");
  if (kind == "APIService") {
    for (auto& condition : object["status"].items_of("conditions")) condition.erase("lastTransitionTime");
  }
  return parsed(replaced(object.text(), uid, "<uid>"));
}

TEST_CASE("a new object of each built-in kind is stored as its Go type encodes it") {
  fixtures::HttpTalk talk(fixtures::whole_cluster());
  talk.pass(std::chrono::seconds(1));
  for (const auto& row : testing::data_rows("test/unit/sandbox/object_form.txt", {"path", "sent", "stored"})) {
    CAPTURE(row.place(), row["sent"]);
    const auto response = talk.send("POST", row["path"] + "?dryRun=All", row["sent"]);
    CHECK(response.status == 201);
    const auto stored = comparable(parsed(response.body));
    const auto expected = parsed(row["stored"]);
    CAPTURE(stored.text(), expected.text());
    CHECK((stored == expected));
  }
}

std::string deployment_with(const std::string& resources, const std::string& more) {
  return R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d","annotations":{}},"spec":{"selector":)"
         R"({"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":)"
         R"([{"name":"c","image":"i","resources":{"limits":{)" +
         resources + "}}" + more + "}]}}}}";
}

TEST_CASE("a write that changes only the form of an object changes nothing") {
  fixtures::HttpTalk talk;
  const auto other = deployment_with(R"("cpu":"1000m","memory":"1024Mi")", R"(,"env":[],"stdin":false)");
  REQUIRE(talk.send("POST", kDeployments, deployment_with(R"("cpu":"1","memory":"1Gi")", "")).status == 201);
  const auto path = std::string(kDeployments) + "/d";
  const auto before = talk.json(path);

  CHECK(talk.send("PUT", path, other).status == 200);
  for (const char* type : {"application/merge-patch+json", "application/strategic-merge-patch+json"}) {
    CHECK(talk.send("PATCH", path, other, {{"Content-Type", type}}).status == 200);
  }
  CHECK((talk.json(path) == before));

  const net::Headers apply{{"Content-Type", "application/apply-patch+yaml"}};
  // An apply compares what it sends with what is stored.
  CHECK(talk.send("PATCH", path + "?fieldManager=f", other, apply).status == 409);
  CHECK(talk.send("PATCH", path + "?fieldManager=f&force=true", other, apply).status == 200);
  CHECK(talk.json(path).integer_at({"metadata", "generation"}) == 1);
  CHECK((talk.json(path).copy_at({"spec"}) == before.copy_at({"spec"})));
}

TEST_CASE("annotations of a Deployment and labels of an EndpointSlice count as a change of the specification") {
  fixtures::HttpTalk talk;
  const std::string slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
  REQUIRE(talk.send("POST", kDeployments, deployment_with("", "")).status == 201);
  REQUIRE(talk.send("POST", slices, R"({"metadata":{"name":"e"},"addressType":"IPv4","endpoints":[]})").status == 201);
  const auto generation_with = [&talk](const std::string& path, const std::string& metadata) {
    const auto patched = talk.send("PATCH", path, R"({"metadata":{")" + metadata + R"(":{"a":"b"}}})",
                                   {{"Content-Type", "application/merge-patch+json"}});
    return parsed(patched.body).integer_at({"metadata", "generation"});
  };

  CHECK(generation_with(std::string(kDeployments) + "/d", "labels") == 1);
  CHECK(generation_with(std::string(kDeployments) + "/d", "annotations") == 2);
  CHECK(generation_with(slices + "/e", "annotations") == 1);
  CHECK(generation_with(slices + "/e", "labels") == 2);
}

TEST_CASE("the generation of a PriorityClass never changes, and a CSIDriver has one after its first change") {
  fixtures::HttpTalk talk;
  const std::string classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
  const std::string drivers = "/apis/storage.k8s.io/v1/csidrivers";
  const net::Headers merge{{"Content-Type", "application/merge-patch+json"}};
  const auto generation_in = [](const net::Response& response) {
    return parsed(response.body).integer_at({"metadata", "generation"});
  };

  CHECK(generation_in(talk.send("POST", classes, R"({"metadata":{"name":"p"},"value":1})")) == 1);
  CHECK(generation_in(talk.send("PATCH", classes + "/p", R"({"description":"d"})", merge)) == 1);
  CHECK(generation_in(talk.send("POST", drivers, R"({"metadata":{"name":"d"},"spec":{}})")) == 0);
  CHECK(generation_in(talk.send("PATCH", drivers + "/d", R"({"spec":{"requiresRepublish":true}})", merge)) == 1);
}

TEST_CASE(
    "a NetworkPolicy counts a sent map without content as a change, and a Lease has the generation that is sent") {
  fixtures::HttpTalk talk;
  const std::string policies = "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies";
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const auto update = [&](const std::string& spec) {
    const auto written = talk.send("PUT", policies + "/p", R"({"metadata":{"name":"p"},"spec":)" + spec + "}");
    return parsed(written.body).integer_at({"metadata", "generation"});
  };
  REQUIRE(talk.send("POST", policies, R"({"metadata":{"name":"p"},"spec":{"podSelector":{}}})").status == 201);

  CHECK(update(R"({"podSelector":{}})") == 1);
  CHECK(update(R"({"podSelector":{"matchLabels":{}}})") == 2);
  CHECK(update(R"({"podSelector":{},"egress":[]})") == 3);
  CHECK(update(R"({"podSelector":{},"ingress":[{}]})") == 4);
  CHECK(update(R"({"podSelector":{},"ingress":[{}]})") == 4);
  const auto lease = talk.send("POST", leases, R"({"metadata":{"name":"l","generation":7},"spec":{}})");
  CHECK(parsed(lease.body).integer_at({"metadata", "generation"}) == 7);
}

TEST_CASE("an update keeps the empty values that the type of an object always has") {
  fixtures::HttpTalk talk;
  const std::string path = "/api/v1/namespaces/default/events";
  const auto body = R"({"metadata":{"name":"e"},"involvedObject":{"namespace":"default"}})";
  const auto made = parsed(talk.send("POST", path, body).body);

  CHECK(talk.send("PUT", path + "/e", body).status == 200);

  CHECK((talk.json(path + "/e") == made));
  CHECK(made.find("reportingComponent")->text() == R"("")");
  CHECK(made.find("eventTime")->is_null());
}

TEST_CASE("the metadata of a custom object passes through its type, and the rest stays as it is") {
  fixtures::HttpTalk talk;
  const auto crd = R"({"metadata":{"name":"boats.sea.example.com"},"spec":{"group":"sea.example.com",)"
                   R"("scope":"Namespaced","names":{"plural":"boats","kind":"Boat"},"versions":[{"name":"v1",)"
                   R"("served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",)"
                   R"("x-kubernetes-preserve-unknown-fields":true}}}]}})";
  REQUIRE(talk.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd).status == 201);

  const auto made = parsed(talk.send("POST", "/apis/sea.example.com/v1/namespaces/default/boats",
                                     R"({"apiVersion":"sea.example.com/v1","kind":"Boat","metadata":{"name":"b",)"
                                     R"("labels":{},"finalizers":[],"generateName":""},"spec":{"a":[],"b":""}})")
                               .body);

  CHECK(made.copy_at({"spec"}).text() == R"({"a":[],"b":""})");
  for (const char* name : {"labels", "finalizers", "generateName"}) CHECK(made.at({"metadata", name}) == nullptr);
}

TEST_CASE("the template of a DaemonSet is numbered when it changes") {
  fixtures::HttpTalk talk;
  const std::string path = "/apis/apps/v1/namespaces/default/daemonsets";
  const auto body = deployment_with("", "");
  const auto number = [&talk, &path] {
    return talk.json(path + "/d").text_at({"metadata", "annotations", "deprecated.daemonset.template.generation"});
  };
  REQUIRE(talk.send("POST", path, replaced(body, "Deployment", "DaemonSet")).status == 201);
  CHECK(number() == "1");

  const auto patch = [&talk, &path](const std::string& change) {
    return talk.send("PATCH", path + "/d", change, {{"Content-Type", "application/merge-patch+json"}}).status;
  };
  CHECK(patch(R"({"spec":{"minReadySeconds":5}})") == 200);
  CHECK(number() == "1");
  CHECK(patch(R"({"spec":{"template":{"metadata":{"labels":{"c":"d"}}}}})") == 200);
  CHECK(number() == "2");
}

}  // namespace
}  // namespace keelson::sandbox
