// The fields of other owners that are taken over after a rejected apply.
#include "src/controller/blocking_fields.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/json/writer.hpp"

namespace {

using namespace keelson;

constexpr const char* kPort80 = R"("k:{\"port\":80,\"protocol\":\"TCP\"}")";
constexpr const char* kPort81 = R"("k:{\"port\":81,\"protocol\":\"TCP\"}")";

std::string cause(const std::string& field, const std::string& reason, const std::string& value = "web") {
  const bool is_duplicate = reason == "FieldValueDuplicate";
  return R"({"reason":")" + reason + R"(","message":")" +
         (is_duplicate ? R"(Duplicate value: \")" + value + R"(\")" : std::string("…")) + R"(","field":")" + field +
         R"("})";
}

Error rejections(const std::string& causes) {
  Error error(Error::Kind::kStatus, "");
  error.code = 422;
  error.status_body = R"({"kind":"Status","reason":"Invalid","details":{"causes":[)" + causes + "]}}";
  return error;
}

Error rejection(const std::string& field, const std::string& reason = "FieldValueDuplicate") {
  return rejections(cause(field, reason));
}

std::string entry(const std::string& manager, const std::string& operation, const std::string& fields) {
  return R"({"manager":")" + manager + R"(","operation":")" + operation + R"(","fieldsV1":)" + fields + "}";
}

std::string object(const std::string& managed_fields, const std::string& spec) {
  return R"({"metadata":{"resourceVersion":"7","managedFields":[)" + managed_fields + R"(]},"spec":)" + spec + "}";
}

// The managedFields that the patch sets; empty: there is no patch.
std::string taken_over(const std::string& live, const std::string& desired_spec, const Error& error) {
  const auto stored = json::Document::parse(live);
  const auto desired = json::Document::parse(R"({"apiVersion":"v1","spec":)" + desired_spec + "}");
  const auto patch = controller::take_over_patch(stored->root(), desired->root(), error, "me");
  if (!patch) return "";
  const auto document = json::Document::parse(*patch);
  CHECK(document->root().item(0).text() == R"({"op":"replace","path":"/metadata/resourceVersion","value":"7"})");
  CHECK(document->root().item(1).find("path").string() == "/metadata/managedFields");
  return document->root().item(1).find("value").text();
}

std::string ports(const std::string& fields) { return R"({"f:spec":{"f:ports":)" + fields + "}}"; }

const std::string kSpec80 = R"({"ports":[{"name":"web","port":80}]})";
const std::string kSpec81 = R"({"ports":[{"name":"web","port":81,"protocol":"TCP"}]})";

}  // namespace

TEST_CASE("the entries of a list with a duplicate that the desired state does not have change their owner") {
  const auto live = object(entry("me", "Apply", R"({"f:spec":{"f:type":{}}})") + "," +
                               entry("kubectl-edit", "Update", ports(std::string("{") + kPort81 + R"(:{".":{}}})")),
                           kSpec81);

  CHECK(taken_over(live, kSpec80, rejection("spec.ports[1].name")) ==
        "[" + entry("me", "Apply", R"({"f:spec":{"f:ports":{)" + std::string(kPort81) + R"(:{}},"f:type":{}}})") + "]");
}

TEST_CASE("another owner keeps its other fields, and ours are kept") {
  const auto live =
      object(entry("me", "Apply", ports(std::string("{") + kPort80 + ":{}}")) + "," +
                 entry("kubectl-edit", "Update",
                       R"({"f:spec":{"f:ports":{".":{},)" + std::string(kPort81) + R"(:{"f:port":{}}},"f:type":{}}})"),
             R"({"ports":[{"name":"web","port":80,"protocol":"TCP"},{"name":"web","port":81,"protocol":"TCP"}]})");

  CHECK(taken_over(live, kSpec80, rejection("spec.ports[1].name")) ==
        "[" + entry("me", "Apply", ports(std::string("{") + kPort80 + ":{}," + kPort81 + ":{}}")) + "," +
            entry("kubectl-edit", "Update", R"({"f:spec":{"f:ports":{".":{}},"f:type":{}}})") + "]");
}

TEST_CASE("entries that we own alone already are not taken over again") {
  const auto live = object(entry("me", "Apply", ports(std::string("{") + kPort81 + ":{}}")), kSpec81);

  CHECK(taken_over(live, kSpec80, rejection("spec.ports[1].name")).empty());
}

TEST_CASE("our own Update entry and that of a subresource are other owners") {
  const auto status = R"({"manager":"me","operation":"Apply","subresource":"status","fieldsV1":{"f:status":{}}})";
  const auto live = object(entry("me", "Apply", R"({"f:spec":{}})") + "," + status + "," +
                               entry("me", "Update", ports(std::string("{") + kPort81 + ":{}}")),
                           kSpec81);

  CHECK(taken_over(live, kSpec80, rejection("spec.ports[1].name")) ==
        "[" + entry("me", "Apply", ports(std::string("{") + kPort81 + ":{}}")) + "," + status + "]");
}

TEST_CASE("only the list that the error names loses entries") {
  const std::string live_spec = R"({"template":{"spec":{"containers":[
      {"name":"a","ports":[{"containerPort":81,"protocol":"TCP","name":"web"}]},{"name":"sidecar"}]}}})";
  const std::string desired = R"({"template":{"spec":{"containers":[
      {"name":"a","ports":[{"containerPort":80,"name":"web"}]}]}}})";
  const auto live = object(entry("me", "Apply", R"({"f:spec":{"f:x":{}}})"), live_spec);

  CHECK(taken_over(live, desired, rejection("spec.template.spec.containers[0].ports[1].name")) ==
        "[" +
            entry("me", "Apply",
                  R"({"f:spec":{"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:ports":)"
                  R"({"k:{\"containerPort\":81,\"protocol\":\"TCP\"}":{}}}}}},"f:x":{}}})") +
            "]");
}

TEST_CASE("a rejection of a desired field takes nothing over") {
  const std::string live_spec = R"({"template":{"spec":{"containers":[{"name":"a","image":"x"},{"name":"sidecar"}]}}})";
  const std::string desired = R"({"template":{"spec":{"containers":[{"name":"a","image":"  "}]}}})";
  const auto live = object(entry("me", "Apply", R"({"f:spec":{"f:x":{}}})"), live_spec);

  for (const std::string reason : {"FieldValueInvalid", "FieldValueRequired", "FieldValueForbidden"}) {
    CHECK(taken_over(live, desired, rejection("spec.template.spec.containers[0].image", reason)).empty());
  }
  CHECK(taken_over(live, desired, rejection("spec.template.spec.containers[0].env[1].name")).empty());
  CHECK(taken_over(live, desired, rejection("spec.selector", "FieldValueInvalid")).empty());
  CHECK(taken_over(live, desired, rejection("", "FieldValueDuplicate")).empty());
  CHECK(taken_over(live, desired, rejection("spec.template.metadata.labels[app]", "FieldValueInvalid")).empty());
  CHECK(taken_over(live, desired, rejection("spec.template.spec.containers[99999999999999999999999].x")).empty());
  Error without_body(Error::Kind::kStatus, "");
  CHECK(taken_over(live, desired, without_body).empty());
}

TEST_CASE("the index of an entry in an error does not select an entry of the stored list") {
  const auto live =
      object(entry("me", "Apply", R"({"f:spec":{"f:x":{}}})"),
             R"({"containers":[{"name":"c","env":[{"name":"A","value":"1"},{"name":"USER","value":"2"}]}]})");
  const std::string env = R"([{"name":"NEW","value":"1"},{"name":"A","value":"1","valueFrom":{"fieldRef":{}}}])";
  const auto desired = R"({"containers":[{"name":"c","env":)" + env + "}]}";

  for (const std::string reason :
       {"FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueTooMany", "FieldValueDuplicate"}) {
    for (const std::string field : {".valueFrom", ".value", ".name", ""}) {
      INFO(reason << field);
      CHECK(taken_over(live, desired, rejection("spec.containers[0].env[1]" + field, reason)).empty());
    }
  }
}

TEST_CASE("a forbidden member of an entry is taken over if the apply changes only this entry") {
  const auto live =
      object(entry("me", "Apply", R"({"f:spec":{"f:x":{}}})"),
             R"({"env":[{"name":"USER","valueFrom":{}},{"name":"A","valueFrom":{}},{"name":"B","value":"1"}]})");

  CHECK(taken_over(live, R"({"env":[{"name":"A","value":"1"},{"name":"B","value":"1"}]})",
                   rejection("spec.env[0].valueFrom", "FieldValueInvalid")) ==
        "[" + entry("me", "Apply", R"({"f:spec":{"f:env":{"k:{\"name\":\"A\"}":{"f:valueFrom":{}}},"f:x":{}}})") + "]");
  CHECK(taken_over(live, R"({"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]})",
                   rejection("spec.env[0].valueFrom", "FieldValueInvalid"))
            .empty());
}

TEST_CASE("an entry that loses a field of the last apply is changed as well") {
  const auto live = [](const std::string& fields_of_a) {
    return object(entry("me", "Apply",
                        R"({"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":)" + fields_of_a +
                            R"(,"k:{\"name\":\"b\"}":{"f:image":{}}}}})"),
                  R"({"containers":[{"name":"a","image":"1","stdin":true,"ports":[{"containerPort":1,"name":"x"}]},
                                    {"name":"b","image":"1","tty":true}]})");
  };
  const auto take = [&](const std::string& fields_of_a) {
    return taken_over(
        live(fields_of_a),
        R"({"containers":[{"name":"a","image":"1","ports":[{"containerPort":1}]},{"name":"b","image":"2"}]})",
        rejection("spec.containers[0].tty", "FieldValueInvalid"));
  };
  const auto port = [](const std::string& fields) {
    return R"({"f:image":{},"f:ports":{".":{},"k:{\"containerPort\":1,\"protocol\":\"TCP\"}":)" + fields + "}}";
  };

  CHECK_FALSE(take(R"({"f:image":{}})").empty());
  CHECK_FALSE(take(port(R"({"f:containerPort":{}})")).empty());
  CHECK(take(R"({"f:image":{},"f:stdin":{}})").empty());
  CHECK(take(port(R"({"f:containerPort":{},"f:name":{}})")).empty());
  CHECK(take(R"({"f:image":{},"f:ports":{"k:{\"containerPort\":2,\"protocol\":\"TCP\"}":{}}})").empty());
}

TEST_CASE("a duplicate within the desired state takes nothing over") {
  const auto live = object(entry("me", "Apply", R"({"f:spec":{"f:type":{}}})"),
                           R"({"ports":[{"name":"web","port":81,"protocol":"TCP"},{"name":"user","port":9}]})");

  CHECK(taken_over(live, R"({"ports":[{"name":"web","port":80},{"name":"web","port":82}]})",
                   rejection("spec.ports[1].name"))
            .empty());
}

TEST_CASE("only the entries with the duplicated value are taken over") {
  const auto live = object(entry("me", "Apply", R"({"f:spec":{"f:type":{}}})"),
                           R"({"ports":[{"name":"web","port":81,"protocol":"TCP"},{"name":"user","port":9}]})");

  CHECK(taken_over(live, kSpec80, rejection("spec.ports[1].name")) ==
        "[" + entry("me", "Apply", R"({"f:spec":{"f:ports":{)" + std::string(kPort81) + R"(:{}},"f:type":{}}})") + "]");
  CHECK(taken_over(live, kSpec80, rejections(cause("spec.ports[1].name", "FieldValueDuplicate", "user"))).empty());
}

TEST_CASE("nothing is taken over if another error remains") {
  const auto live = object(entry("me", "Apply", R"({"f:spec":{"f:type":{}}})"), kSpec81);
  const auto duplicate = cause("spec.ports[1].name", "FieldValueDuplicate");

  CHECK_FALSE(taken_over(live, kSpec80, rejections(duplicate + "," + duplicate)).empty());
  CHECK(taken_over(live, kSpec80, rejections(duplicate + "," + cause("spec.type", "FieldValueInvalid"))).empty());
}

TEST_CASE("the only entry of a list that lacks a required member is taken over, and no other") {
  const auto live = object(entry("me", "Apply", R"({"f:spec":{"f:type":{}}})"),
                           R"({"ports":[{"port":81,"protocol":"TCP"},{"name":"user","port":9}]})");

  CHECK(taken_over(live, R"({"ports":[{"port":80}]})", rejection("spec.ports[0].name", "FieldValueRequired")).empty());
}

TEST_CASE("fields are taken over although managedFields has no own entry") {
  const auto other = entry("kubectl-edit", "Update", ports(std::string("{") + kPort81 + R"(:{".":{}}})"));

  for (const auto& before : {std::string(), other}) {
    CHECK(taken_over(object(before, kSpec81), kSpec80, rejection("spec.ports[1].name")) ==
          R"([{"manager":"me","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":)" +
              ports(std::string("{") + kPort81 + ":{}}") + "}]");
  }
}

TEST_CASE("an error within the only entry, of another owner, takes it over") {
  const auto live =
      object(entry("me", "Apply", R"({"f:spec":{"f:type":{}}})"), R"({"ports":[{"port":81,"protocol":"TCP"}]})");

  const auto taken =
      taken_over(live, R"({"ports":[{"port":80}]})", rejection("spec.ports[0].name", "FieldValueRequired"));

  CHECK(taken.find("81") != std::string::npos);
}

TEST_CASE("a forbidden member of another owner is taken over") {
  const auto live = object(entry("me", "Apply", R"({"f:spec":{"f:strategy":{"f:type":{}}}})") + "," +
                               entry("kubectl-edit", "Update", R"({"f:spec":{"f:strategy":{"f:rollingUpdate":{}}}})"),
                           R"({"strategy":{"type":"RollingUpdate","rollingUpdate":{"maxSurge":1}}})");

  CHECK(taken_over(live, R"({"strategy":{"type":"Recreate"}})",
                   rejection("spec.strategy.rollingUpdate", "FieldValueForbidden")) ==
        "[" + entry("me", "Apply", R"({"f:spec":{"f:strategy":{"f:rollingUpdate":{},"f:type":{}}}})") + "]");
  CHECK(taken_over(live, R"({"strategy":{"type":"Recreate","rollingUpdate":{}}})",
                   rejection("spec.strategy.rollingUpdate", "FieldValueForbidden"))
            .empty());
}

TEST_CASE("an error below a member of another owner takes nothing over") {
  const auto live = object(entry("me", "Apply", R"({"f:spec":{"f:type":{}}})"), R"({"clusterIPs":["10.96.0.1"]})");

  CHECK(taken_over(live, R"({"clusterIP":"None"})", rejection("spec.clusterIPs[0]", "FieldValueInvalid")).empty());
}

TEST_CASE("an entry of a list without keys is not looked up in the list around it") {
  const auto live =
      object(entry("me", "Apply", R"({"f:spec":{"f:type":{}}})"),
             R"({"ports":[{"port":80,"protocol":"TCP","tags":[{"port":9}]},{"port":81,"protocol":"TCP"}]})");

  CHECK(taken_over(live, R"({"ports":[{"port":80}]})", rejection("spec.ports[0].tags[0].x", "FieldValueInvalid"))
            .empty());
}

TEST_CASE("a list with ten times the entries takes at most fifteen times the text") {
  const auto sizes = [](int count) {
    std::string items;
    for (int i = 1; i <= count; ++i) {
      items += (items.empty() ? "" : ",") + (R"({"name":"web","port":)" + std::to_string(i + 1000)) + "}";
    }
    const auto live = object(entry("me", "Apply", R"({"f:spec":{"f:type":{}}})"), R"({"ports":[)" + items + "]}");
    return taken_over(live, kSpec80, rejection("spec.ports[1].name")).size();
  };

  CHECK(sizes(2000) < 15 * sizes(200));
}
