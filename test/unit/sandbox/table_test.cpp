#include "src/sandbox/tables/table.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "keelson/schema/time.hpp"
#include "src/sandbox/http/rendering.hpp"
#include "src/sandbox/tables/human_duration.hpp"
#include "src/sandbox/tables/json_path.hpp"
#include "test/support/data_rows.hpp"

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

TEST_CASE("rows of built-in kinds equal those of kube-apiserver") {
  for (const auto& row : testing::data_rows("test/unit/sandbox/table_cells.txt", {"kind", "object", "cells"})) {
    INFO(row.place());
    std::istringstream words(row["kind"]);
    std::string api_version;
    std::string plural;
    words >> api_version >> plural;
    const auto slash = api_version.find('/');
    const auto group = slash == std::string::npos ? "" : api_version.substr(0, slash);
    const auto& kind = kind_of(group.c_str(), api_version.substr(slash + 1).c_str(), plural.c_str());
    CHECK(cells(kind, row["object"].empty() ? "" : "," + row["object"]) == row["cells"]);
  }
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

TEST_CASE("the objects in the rows of a list have a kind") {
  const auto list = Tree::parse(R"({"kind":"ConfigMapList","metadata":{},"items":[{"metadata":{"name":"a"}}]})");
  REQUIRE(list);
  const auto table = table_of(kind_of("", "v1", "configmaps"), *list, {.now = {}, .include_object = "Object"});
  CHECK(table.items_at({"rows"})[0].find("object")->text() ==
        R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}})");
}

TEST_CASE("only the first event of a watched table has its columns") {
  Rendering rendering({Representation::Form::kTable}, kind_of("", "v1", "configmaps"), "None");
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
  Rendering rendering({Representation::Form::kMetadata}, kind_of("", "v1", "configmaps"), "");
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
