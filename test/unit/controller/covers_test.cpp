// The comparison of the actual with the desired state, as a table.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "src/controller/child.hpp"

namespace {

using namespace keelson;

struct Row {
  const char* what;
  const char* actual;
  const char* wanted;
  bool holds;
};

bool covers_text(const std::string& actual, const std::string& wanted) {
  auto left = json::Document::parse(actual);
  auto right = json::Document::parse(wanted);
  REQUIRE(left);
  REQUIRE(right);
  return controller::covers(left->root(), right->root());
}

void check(const std::vector<Row>& rows) {
  for (const auto& row : rows) {
    INFO(row.what << ": " << row.actual << " / " << row.wanted);
    CHECK(covers_text(row.actual, row.wanted) == row.holds);
  }
}

}  // namespace

TEST_CASE("an object covers the desired members and scalars") {
  check({
      {"equal", R"({"a":1})", R"({"a":1})", true},
      {"more than desired", R"({"a":1,"b":2})", R"({"a":1})", true},
      {"missing", R"({"b":2})", R"({"a":1})", false},
      {"other number", R"({"a":2})", R"({"a":1})", false},
      {"number by value", R"({"a":1.0})", R"({"a":1})", true},
      {"other type", R"({"a":"1"})", R"({"a":1})", false},
      {"other text", R"({"a":"x"})", R"({"a":"y"})", false},
      {"deep", R"({"s":{"t":{"u":true,"v":1}}})", R"({"s":{"t":{"u":true}}})", true},
      {"deep and other", R"({"s":{"t":{"u":true}}})", R"({"s":{"t":{"u":false}}})", false},
      {"object desired, text exists", R"({"s":"t"})", R"({"s":{"t":1}})", false},
      {"list desired, object exists", R"({"s":{}})", R"({"s":["t"]})", false},
      {"null desired, value exists", R"({"s":1})", R"({"s":null})", false},
  });
}

TEST_CASE("an empty field that Go omits may be absent") {
  check({
      {"false", "{}", R"({"paused":false})", true},
      {"zero", "{}", R"({"minReadySeconds":0})", true},
      {"no text", "{}", R"({"value":""})", true},
      {"empty object", "{}", R"({"resources":{}})", true},
      {"empty list", "{}", R"({"volumes":[]})", true},
      {"null", "{}", R"({"x":null})", true},
      {"true", "{}", R"({"paused":true})", false},
      {"object with a member", "{}", R"({"resources":{"limits":{"cpu":"1"}}})", false},
      {"zero is not one", R"({"replicas":1})", R"({"replicas":0})", false},
  });
}

TEST_CASE("the entries of a list of objects are matched by their key") {
  check({
      {"order does not matter", R"({"env":[{"name":"B","value":"2"},{"name":"A","value":"1"}]})",
       R"({"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]})", true},
      {"extras of others", R"({"containers":[{"name":"web","image":"i"},{"name":"sidecar"}]})",
       R"({"containers":[{"name":"web","image":"i"}]})", true},
      {"missing entry", R"({"env":[{"name":"B","value":"2"}]})", R"({"env":[{"name":"A","value":"1"}]})", false},
      {"other value", R"({"env":[{"name":"A","value":"2"}]})", R"({"env":[{"name":"A","value":"1"}]})", false},
      {"server's defaults inside", R"({"volumes":[{"name":"v","secret":{"secretName":"s","defaultMode":420}}]})",
       R"({"volumes":[{"name":"v","secret":{"secretName":"s"}}]})", true},
      {"none desired", R"({"env":[{"name":"B"}]})", R"({"env":[]})", true},
      {"container port by default protocol", R"({"ports":[{"containerPort":80,"protocol":"TCP"}]})",
       R"({"ports":[{"containerPort":80}]})", true},
      {"the same port of another protocol", R"({"ports":[{"containerPort":53,"protocol":"UDP"}]})",
       R"({"ports":[{"containerPort":53}]})", false},
      {"two protocols",
       R"({"ports":[{"port":53,"protocol":"UDP","name":"u"},{"port":53,"protocol":"TCP","name":"t"}]})",
       R"({"ports":[{"port":53,"protocol":"TCP","name":"t"}]})", true},
      {"container port of an empty protocol", R"({"ports":[{"containerPort":80,"protocol":"TCP"}]})",
       R"({"ports":[{"containerPort":80,"protocol":""}]})", true},
      {"an empty protocol is not another one", R"({"ports":[{"port":53,"protocol":"UDP"}]})",
       R"({"ports":[{"port":53,"protocol":""}]})", false},
      {"mounts by path", R"({"volumeMounts":[{"name":"a","mountPath":"/x"},{"name":"b","mountPath":"/y"}]})",
       R"({"volumeMounts":[{"name":"b","mountPath":"/y"}]})", true},
      {"mount of another volume", R"({"volumeMounts":[{"name":"a","mountPath":"/x"}]})",
       R"({"volumeMounts":[{"name":"b","mountPath":"/x"}]})", false},
      {"owners by uid", R"({"ownerReferences":[{"uid":"1","name":"a"},{"uid":"2","name":"b"}]})",
       R"({"ownerReferences":[{"uid":"2","name":"b"}]})", true},
  });
}

TEST_CASE("lists without a key are compared entry by entry") {
  check({
      {"equal", R"({"command":["a","b"]})", R"({"command":["a","b"]})", true},
      {"more", R"({"command":["a","b","c"]})", R"({"command":["a","b"]})", false},
      {"other order", R"({"command":["b","a"]})", R"({"command":["a","b"]})", false},
      {"emptied", R"({"command":["a"]})", R"({"command":[]})", false},
      {"objects without a key, defaults inside", R"({"tolerations":[{"key":"a","operator":"Equal"}]})",
       R"({"tolerations":[{"key":"a"}]})", true},
      {"one toleration more", R"({"tolerations":[{"key":"a"},{"key":"b"}]})", R"({"tolerations":[{"key":"a"}]})",
       false},
      {"finalizers are a set", R"({"finalizers":["x","y"]})", R"({"finalizers":["y"]})", true},
      {"a finalizer is missing", R"({"finalizers":["x"]})", R"({"finalizers":["y"]})", false},
  });
}

TEST_CASE("quantities are compared by value, and only where there are quantities") {
  check({
      {"milli", R"({"limits":{"cpu":"1"}})", R"({"limits":{"cpu":"1000m"}})", true},
      {"half", R"({"requests":{"cpu":"500m"}})", R"({"requests":{"cpu":"0.5"}})", true},
      {"binary", R"({"limits":{"memory":"1Gi"}})", R"({"limits":{"memory":"1024Mi"}})", true},
      {"decimal is not binary", R"({"limits":{"memory":"1G"}})", R"({"limits":{"memory":"1Gi"}})", false},
      {"number", R"({"limits":{"cpu":"2"}})", R"({"limits":{"cpu":2}})", true},
      {"exponent", R"({"limits":{"memory":"128e6"}})", R"({"limits":{"memory":"128M"}})", true},
      {"other", R"({"limits":{"cpu":"1"}})", R"({"limits":{"cpu":"1001m"}})", false},
      {"sizeLimit", R"({"emptyDir":{"sizeLimit":"1Ki"}})", R"({"emptyDir":{"sizeLimit":"1024"}})", true},
      {"an env value is not a quantity", R"({"env":[{"name":"A","value":"1"}]})",
       R"({"env":[{"name":"A","value":"1000m"}]})", false},
      {"not a quantity", R"({"limits":{"cpu":"x"}})", R"({"limits":{"cpu":"y"}})", false},
  });
}

TEST_CASE("an absent pointer field differs from false and zero, because the server's default applies") {
  check({
      {"escalation", R"({"securityContext":{}})", R"({"securityContext":{"allowPrivilegeEscalation":false}})", false},
      {"read-only root", "{}", R"({"readOnlyRootFilesystem":false})", false},
      {"not as root", "{}", R"({"runAsNonRoot":false})", false},
      {"root", "{}", R"({"runAsUser":0})", false},
      {"token", "{}", R"({"automountServiceAccountToken":false})", false},
      {"service links", "{}", R"({"enableServiceLinks":false})", false},
      {"replicas", "{}", R"({"replicas":0})", false},
      {"present and false", R"({"runAsNonRoot":false})", R"({"runAsNonRoot":false})", true},
      {"plain field", "{}", R"({"hostNetwork":false,"volumeMounts":[]})", true},
      {"plain field of a mount", R"({"volumeMounts":[{"mountPath":"/x"}]})",
       R"({"volumeMounts":[{"mountPath":"/x","readOnly":false}]})", true},
  });
}

TEST_CASE("an empty desired field is covered by the server's default") {
  check({
      {"text", R"({"schedulerName":"default-scheduler"})", R"({"schedulerName":""})", true},
      {"other text", R"({"schedulerName":"mine"})", R"({"schedulerName":""})", false},
      {"number", R"({"periodSeconds":10})", R"({"periodSeconds":0})", true},
      {"other number", R"({"periodSeconds":20})", R"({"periodSeconds":0})", false},
      {"desired number", R"({"periodSeconds":10})", R"({"periodSeconds":5})", false},
      {"default instead of an empty text", R"({"httpGet":{"path":"/"}})", R"({"httpGet":{"path":""}})", true},
      {"elsewhere", R"({"hostPath":{"path":"/"}})", R"({"hostPath":{"path":""}})", false},
      {"a pointer's zero is desired", R"({"terminationGracePeriodSeconds":30})",
       R"({"terminationGracePeriodSeconds":0})", false},
  });
}

TEST_CASE("an entry of a map of texts must exist even if its text is empty") {
  check({
      {"label", R"({"labels":{"b":"1"}})", R"({"labels":{"a":""}})", false},
      {"annotation", R"({"annotations":{}})", R"({"annotations":{"a":""}})", false},
      {"data", R"({"data":{"b":"1"}})", R"({"data":{"a":""}})", false},
      {"present and empty", R"({"labels":{"a":"","b":"1"}})", R"({"labels":{"a":""}})", true},
      {"no map at all", "{}", R"({"labels":{}})", true},
      {"labels of others", R"({"labels":{"a":"1","theirs":"2"}})", R"({"labels":{"a":"1"}})", true},
  });
}

TEST_CASE("an atomic map or list has no entries of other owners") {
  check({
      {"service selector", R"({"spec":{"selector":{"app":"a"}}})", R"({"spec":{"selector":{"app":"a"}}})", true},
      {"narrowed service selector", R"({"spec":{"selector":{"app":"a","x":"y"}}})",
       R"({"spec":{"selector":{"app":"a"}}})", false},
      {"other value", R"({"spec":{"selector":{"app":"b"}}})", R"({"spec":{"selector":{"app":"a"}}})", false},
      {"key is missing", R"({"spec":{"selector":{}}})", R"({"spec":{"selector":{"app":""}}})", false},
      {"node selector", R"({"nodeSelector":{"disk":"ssd","zone":"a"}})", R"({"nodeSelector":{"disk":"ssd"}})", false},
      {"emptied node selector", R"({"nodeSelector":{"disk":"ssd"}})", R"({"nodeSelector":{}})", false},
      {"no node selector", "{}", R"({"nodeSelector":{}})", true},
      {"node selector by an empty label", R"({"nodeSelector":{}})", R"({"nodeSelector":{"node-role/worker":""}})",
       false},
      {"matchLabels", R"({"x":{"matchLabels":{"a":"1","b":"2"}}})", R"({"x":{"matchLabels":{"a":"1"}}})", false},
      {"matchExpressions next to matchLabels",
       R"({"labelSelector":{"matchLabels":{"a":"1"},"matchExpressions":[{"key":"b","operator":"Exists"}]}})",
       R"({"labelSelector":{"matchLabels":{"a":"1"}}})", false},
      {"the same under another name",
       R"({"x":{"matchLabels":{"a":"1"},"matchExpressions":[{"key":"b","operator":"Exists"}]}})",
       R"({"x":{"matchLabels":{"a":"1"}}})", false},
      {"another expression's value", R"({"spec":{"selector":{"matchExpressions":[{"key":"b","values":["1","2"]}]}}})",
       R"({"spec":{"selector":{"matchExpressions":[{"key":"b","values":["1"]}]}}})", false},
      {"empty expressions", R"({"podSelector":{"matchLabels":{"a":"1"}}})",
       R"({"podSelector":{"matchLabels":{"a":"1"},"matchExpressions":[]}})", true},
      {"all pods desired", R"({"podSelector":{"matchLabels":{"a":"1"}}})", R"({"podSelector":{}})", false},
      {"defaults next to it", R"({"spec":{"selector":{"app":"a"},"type":"ClusterIP"}})",
       R"({"spec":{"selector":{"app":"a"}}})", true},
  });
}
