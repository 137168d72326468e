// Field selectors of lists and watches.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

struct Selecting : fixtures::HttpTalk {
  void create(const std::string& path, const std::string& body) {
    auto made = send("POST", path, body, {{"Content-Type", "application/json"}});
    INFO(made.body);
    REQUIRE(made.status == 201);
  }
  // The names in a list, or the error of its rejection.
  std::string names(const std::string& target) {
    auto list = json(target);
    if (list.find("items") == nullptr) return list.text_at({"message"});
    std::string text;
    for (const auto& item : list.find("items")->items()) text += item.text_at({"metadata", "name"}) + " ";
    return text;
  }
};

TEST_CASE("objects are selected by the fields of their kind, whose zero values are absent in objects") {
  Selecting talk;
  talk.create("/api/v1/nodes", R"({"metadata":{"name":"open"}})");
  talk.create("/api/v1/nodes", R"({"metadata":{"name":"closed"},"spec":{"unschedulable":true}})");
  CHECK(talk.names("/api/v1/nodes?fieldSelector=spec.unschedulable%3Dfalse") == "open ");
  CHECK(talk.names("/api/v1/nodes?fieldSelector=spec.unschedulable%3Dtrue") == "closed ");
  CHECK(talk.names("/api/v1/nodes?fieldSelector=metadata.name%21%3Dopen") == "closed ");
  CHECK(talk.names("/api/v1/nodes?fieldSelector=metadata.name%3Dopen,spec.unschedulable%3Dtrue").empty());
  CHECK(talk.names("/api/v1/nodes?fieldSelector=spec.podCIDR%3Dx") == "field label not supported: spec.podCIDR");

  talk.create("/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"plain"}})");
  talk.create("/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"own"},"type":"example.com/own"})");
  CHECK(talk.names("/api/v1/secrets?fieldSelector=type%3Dexample.com/own") == "own ");
  CHECK(talk.names("/api/v1/secrets?fieldSelector=metadata.namespace%3Ddefault") == "own plain ");
  CHECK(talk.names("/api/v1/secrets?fieldSelector=metadata.namespace%3Dother").empty());
  CHECK(talk.names("/api/v1/namespaces?fieldSelector=status.phase%3DActive").find("default ") != std::string::npos);
}

TEST_CASE("values of field selectors are unescaped") {
  Selecting talk;
  talk.create("/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"odd"},"type":"a,b=c"})");

  CHECK(talk.names(R"(/api/v1/secrets?fieldSelector=type%3Da%5C,b%5C%3Dc)") == "odd ");
  CHECK(talk.names("/api/v1/secrets?fieldSelector=,metadata.name%3Dodd,") == "odd ");
  CHECK(talk.names(R"(/api/v1/secrets?fieldSelector=type%3Da%5Cb)") ==
        R"(invalid field selector: invalid escape sequence: \b)");
  CHECK(talk.names("/api/v1/secrets?fieldSelector=type%3Da%3Db") ==
        "invalid field selector: unescaped character in value: 61");
}

TEST_CASE("some selectable fields have another path than in the object") {
  Selecting talk;
  const std::string pod = R"("template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}})";
  for (const char* name : {"done", "begun"}) {
    talk.create("/apis/batch/v1/namespaces/default/jobs",
                R"({"metadata":{"name":")" + std::string(name) + R"("},"spec":{)" + pod + "}}");
  }
  auto written = talk.send("PATCH", "/apis/batch/v1/namespaces/default/jobs/done/status",
                           R"({"status":{"succeeded":1}})", {{"Content-Type", "application/merge-patch+json"}});
  REQUIRE(written.status == 200);
  CHECK(talk.names("/apis/batch/v1/jobs?fieldSelector=status.successful%3D1") == "done ");
  CHECK(talk.names("/apis/batch/v1/jobs?fieldSelector=status.successful%3D0") == "begun ");

  const std::string about = R"("involvedObject":{"kind":"Pod","name":"p","namespace":"default"})";
  talk.create("/api/v1/namespaces/default/events",
              R"({"metadata":{"name":"old"},"source":{"component":"kubelet"},)" + about + "}");
  talk.create("/api/v1/namespaces/default/events",
              R"({"metadata":{"name":"new"},"reportingComponent":"kubelet","reportingInstance":"i",)" + about + "}");
  CHECK(talk.names("/api/v1/events?fieldSelector=source%3Dkubelet") == "new old ");
}

TEST_CASE("custom objects are selected by the selectableFields of their definition") {
  Selecting talk;
  talk.create(
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      R"({"metadata":{"name":"lamps.home.example.com"},"spec":{"group":"home.example.com","scope":"Namespaced",)"
      R"("names":{"plural":"lamps","singular":"lamp","kind":"Lamp","listKind":"LampList"},"versions":[)"
      R"({"name":"v1","served":true,"storage":true,"selectableFields":[{"jsonPath":".spec.color"},)"
      R"({"jsonPath":".spec.watts"},{"jsonPath":".spec.on"},{"jsonPath":".source"}],)"
      R"("schema":{"openAPIV3Schema":{"type":"object","properties":{"source":{"type":"string"},"spec":{"type":"object","properties":{"color":{"type":"string"},)"
      R"("watts":{"type":"integer"},"on":{"type":"boolean"}}}}}}}]}})");
  const std::string path = "/apis/home.example.com/v1/namespaces/default/lamps";
  talk.create(path, R"({"apiVersion":"home.example.com/v1","kind":"Lamp","metadata":{"name":"a"},)"
                    R"("source":"sun","spec":{"color":"red","watts":5,"on":true}})");
  talk.create(path, R"({"apiVersion":"home.example.com/v1","kind":"Lamp","metadata":{"name":"b"},"spec":{}})");
  CHECK(talk.names(path + "?fieldSelector=spec.color%3Dred") == "a ");
  CHECK(talk.names(path + "?fieldSelector=spec.color%21%3Dred") == "b ");
  CHECK(talk.names(path + "?fieldSelector=spec.watts%3D5") == "a ");
  CHECK(talk.names(path + "?fieldSelector=spec.on%3Dtrue,spec.color%3Dred") == "a ");
  CHECK(talk.names(path + "?fieldSelector=source%3Dsun") == "a ");
  CHECK(talk.names(path + "?fieldSelector=spec.size%3D5") == "field label not supported: spec.size");
}

}  // namespace
}  // namespace keelson::sandbox
