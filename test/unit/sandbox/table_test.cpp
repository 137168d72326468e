#include "src/sandbox/tables/table.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/schema/time.hpp"
#include "src/sandbox/http/rendering.hpp"
#include "src/sandbox/tables/human_duration.hpp"
#include "src/sandbox/tables/json_path.hpp"

namespace keelson::sandbox {
namespace {

const Kinds& kinds() {
  static const Kinds all;
  return all;
}

const ServedKind& kind_of(const char* group, const char* version, const char* plural) {
  const auto* kind = kinds().find({group, version, "", plural});
  REQUIRE(kind != nullptr);
  return *kind;
}

WallTime at(const char* text) {
  auto time = kube::parse_time(text);
  REQUIRE(time);
  return WallTime(*time);
}

// The cells of an object whose metadata is five minutes old.
std::string cells(const ServedKind& kind, const std::string& rest) {
  auto object = Tree::parse(R"({"kind":")" + kind.resource.kind +
                            R"(","metadata":{"name":"a","creationTimestamp":"2026-01-01T00:00:00Z"})" + rest + "}");
  REQUIRE(object);
  auto table = table_of(kind, *object, {.now = at("2026-01-01T00:05:00Z")});
  return table.find("rows")->items()[0].find("cells")->text();
}

TEST_CASE("durations are printed as by kubectl") {
  const std::pair<std::int64_t, const char*> rows[] = {{-5, "<invalid>"},
                                                       {-1, "0s"},
                                                       {0, "0s"},
                                                       {119, "119s"},
                                                       {120, "2m"},
                                                       {125, "2m5s"},
                                                       {600, "10m"},
                                                       {10799, "179m"},
                                                       {10800, "3h"},
                                                       {11100, "3h5m"},
                                                       {8 * 3600 + 60, "8h"},
                                                       {47 * 3600, "47h"},
                                                       {48 * 3600, "2d"},
                                                       {49 * 3600, "2d1h"},
                                                       {8 * 86400, "8d"},
                                                       {729 * 86400, "729d"},
                                                       {730 * 86400, "2y"},
                                                       {731 * 86400, "2y1d"},
                                                       {3000LL * 86400, "8y"}};

  for (const auto& [seconds, text] : rows) CHECK(human_duration(std::chrono::seconds(seconds)) == text);
}

// The cells that kube-apiserver 1.36.3 returned for the same objects.
TEST_CASE("rows of built-in kinds equal those of kube-apiserver") {
  const auto& pods = kind_of("", "v1", "pods");
  const auto& services = kind_of("", "v1", "services");
  const std::string created = "2026-01-01T00:00:00Z";

  CHECK(cells(pods, R"(,"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Pending"})") ==
        R"(["a","0/1","Pending","0","5m","<none>","<none>","<none>","<none>"])");
  CHECK(cells(pods, R"(,"spec":{"containers":[{"name":"c"}],"nodeName":"n"},"status":{"phase":"Running","podIPs":)"
                    R"([{"ip":"1.2.3.4"}],"containerStatuses":[{"name":"c","ready":true,"restartCount":2,"state":)"
                    R"({"running":{}},"lastState":{"terminated":{"finishedAt":"2026-01-01T00:01:00Z"}}}]})") ==
        R"-(["a","1/1","Running","2 (4m ago)","5m","1.2.3.4","n","<none>","<none>"])-");
  CHECK(cells(pods, R"(,"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Running","containerStatuses":)"
                    R"([{"name":"c","restartCount":0,"state":{"waiting":{"reason":"CrashLoopBackOff"}}}]})") ==
        R"(["a","0/1","CrashLoopBackOff","0","5m","<none>","<none>","<none>","<none>"])");
  CHECK(cells(pods, R"(,"spec":{"containers":[{"name":"c"}],"initContainers":[{"name":"i"},{"name":"j"}]},"status":)"
                    R"({"phase":"Pending","initContainerStatuses":[{"name":"i","state":{"terminated":{"exitCode":0}}},)"
                    R"({"name":"j","state":{"terminated":{"exitCode":3}}}]})") ==
        R"(["a","0/1","Init:ExitCode:3","0","5m","<none>","<none>","<none>","<none>"])");
  CHECK(cells(services, R"(,"spec":{"type":"LoadBalancer","clusterIPs":["10.0.0.1"],"selector":{"b":"2","a":"1"},)"
                        R"("ports":[{"port":80,"protocol":"TCP"},{"port":53,"nodePort":30053,"protocol":"UDP"}]})") ==
        R"(["a","LoadBalancer","10.0.0.1","<pending>","80/TCP,53:30053/UDP","5m","a=1,b=2"])");
  CHECK(cells(kind_of("apps", "v1", "deployments"),
              R"(,"spec":{"replicas":3,"selector":{"matchLabels":{"a":"b"}},"template":{"spec":{"containers":)"
              R"([{"name":"c","image":"i:1"},{"name":"d","image":"j"}]}}},"status":{"readyReplicas":2})") ==
        R"(["a","2/3",0,0,"5m","c,d","i:1,j","a=b"])");
  CHECK(cells(kind_of("batch", "v1", "jobs"),
              R"(,"spec":{"completions":1},"status":{"succeeded":1,"startTime":")" + created +
                  R"(","completionTime":"2026-01-01T00:00:07Z","conditions":[{"type":"Complete","status":"True"}]})") ==
        R"(["a","Complete","1/1","7s","5m","","","<none>"])");
  CHECK(cells(kind_of("batch", "v1", "cronjobs"), R"(,"spec":{"schedule":"* * * * *","suspend":false})") ==
        R"(["a","* * * * *","<none>","False",0,"<none>","5m","","","<none>"])");
  CHECK(cells(kind_of("networking.k8s.io", "v1", "ingresses"),
              R"(,"spec":{"rules":[{"host":"a.b"},{"host":"c.d"},{"host":"e.f"},{"host":"g.h"}],"tls":[{}]})") ==
        R"(["a","<none>","a.b,c.d,e.f + 1 more...","","80, 443","5m"])");
  CHECK(
      cells(
          kind_of("autoscaling", "v2", "horizontalpodautoscalers"),
          R"(,"spec":{"minReplicas":1,"maxReplicas":3,"scaleTargetRef":{"kind":"Deployment","name":"x"},"metrics":)"
          R"([{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":80}}}]})") ==
      R"(["a","Deployment/x","cpu: <unknown>/80%","1",3,0,"5m"])");
  CHECK(cells(kind_of("", "v1", "events"),
              R"(,"type":"Normal","reason":"Made","message":" it \n","involvedObject":{"kind":"Pod","name":"p"},)"
              R"("source":{"component":"me"},"firstTimestamp":null,"lastTimestamp":null,"eventTime":")" +
                  created + R"(")") == R"(["5m","Normal","Made","pod/p","","me","it","5m",1,"a"])");
  CHECK(
      cells(kind_of("rbac.authorization.k8s.io", "v1", "rolebindings"),
            R"(,"roleRef":{"kind":"Role","name":"g"},"subjects":[{"kind":"User","name":"u"},{"kind":"ServiceAccount",)"
            R"("name":"s","namespace":"n"}])") == R"(["a","Role/g","5m","u","","n/s"])");
  CHECK(cells(kind_of("rbac.authorization.k8s.io", "v1", "roles"), "") == R"(["a",")" + created + R"("])");
}

TEST_CASE("rows of custom kinds have their printer columns") {
  Kinds all;
  auto definition = Tree::parse(
      R"({"spec":{"group":"kf.dev","scope":"Namespaced","names":{"plural":"gadgets","kind":"Gadget"},"versions":[)"
      R"({"name":"v1","additionalPrinterColumns":[{"name":"Size","type":"integer","jsonPath":".spec.size"},)"
      R"({"name":"When","type":"date","jsonPath":".spec.when","priority":1},)"
      R"({"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type==\"Ready\")].status"},)"
      R"({"name":"Object","type":"string","jsonPath":".status.obj"},)"
      R"({"name":"Yes","type":"boolean","jsonPath":".spec.yes"}]},{"name":"v2"}]}})");
  REQUIRE(definition);
  all.add_definition(*definition);
  const auto* v1 = all.find({"kf.dev", "v1", "Gadget", "gadgets"});
  const auto* v2 = all.find({"kf.dev", "v2", "Gadget", "gadgets"});

  CHECK(cells(*v1, R"(,"spec":{"size":3,"when":"2025-12-31T00:00:00Z","yes":true},"status":{"obj":{"a":[1,"x"]},)"
                   R"("conditions":[{"type":"B","status":"False"},{"type":"Ready","status":"True"}]})") ==
        R"(["a",3,"24h","True","{\"a\":[1,\"x\"]}",true])");
  CHECK(cells(*v1, R"(,"spec":{"size":"3","when":"tomorrow"})") == R"(["a",null,"<invalid>",null,null,null])");
  CHECK(cells(*v2, "") == R"(["a","5m"])");
}

TEST_CASE("paths of printer columns are evaluated as by kubectl") {
  auto object = Tree::parse(R"({"a":{"b.c":1,"list":[{"n":"x","v":1},{"n":"y","v":2}]}})");
  REQUIRE(object);
  const std::pair<const char*, const char*> rows[] = {{".a.list[0].v", "1"},
                                                      {".a.list[-1].v", "2"},
                                                      {".a['b.c']", "1"},
                                                      {R"(.a.b\.c)", "1"},
                                                      {".a.list[?(@.n==\"y\")].v", "2"},
                                                      {".a.list[?(@.n!='x')].v", "2"},
                                                      {".a.list[*].n", "x"},
                                                      {"{.a.list[1].n}", "y"},
                                                      {".a.missing", ""},
                                                      {".a.list[9]", ""},
                                                      {".a.list[", ""}};

  for (const auto& [path, expected] : rows) {
    INFO(path);
    auto found = find_path(*object, path);
    CHECK((found.empty() ? "" : found[0]->scalar()) == expected);
  }
}

TEST_CASE("only the first event of a watched table has its columns") {
  Rendering rendering({Representation::Form::kTable, false}, kind_of("", "v1", "configmaps"), "None");
  const std::string object = R"({"kind":"ConfigMap","metadata":{"name":"a","resourceVersion":"7"},"data":{"x":"1"}})";
  const std::string event = R"({"type":"ADDED","object":)" + object + "}\n";

  auto lines = rendering.events(event + event, at("2026-01-01T00:05:00Z"));

  auto second = lines.substr(lines.find('\n') + 1);
  CHECK(lines.find(R"("columnDefinitions":[{"name":"Name")") != std::string::npos);
  CHECK(second ==
        R"({"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},)"
        R"("columnDefinitions":null,"rows":[{"cells":["a",1,"<unknown>"]}]}})"
        "\n");
}

TEST_CASE("clients that request metadata get only metadata, and a Status stays unchanged") {
  Rendering rendering({Representation::Form::kMetadata, false}, kind_of("", "v1", "configmaps"), "");
  const std::string status = R"({"kind":"Status","code":404})";

  auto one = rendering.answer(R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{}})", {});
  auto list = rendering.answer(
      R"({"kind":"ConfigMapList","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"}}]})", {});

  const std::string partial =
      R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a"}})";
  CHECK(one == partial);
  CHECK(list == R"({"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":)"
                R"({"resourceVersion":"7"},"items":[)" +
                    partial + "]}");
  CHECK(rendering.answer(status, {}) == status);
}

}  // namespace
}  // namespace keelson::sandbox
