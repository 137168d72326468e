// Kinds that the API server would reject prevent a program from starting.
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>
#include <vector>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/schema/crd.hpp"

namespace keelson::kube {
namespace {

Kind widget() {
  Kind kind;
  kind.resource = {"shop.example.com", "v1", "Widget", "widgets"};
  kind.singular = "widget";
  kind.spec_schema =
      R"({"type":"object","properties":{"color":{"type":"string"},"size":{"type":"integer"},)"
      R"("ports":{"type":"array","items":{"type":"integer"}},"tags":{"type":"object","additionalProperties":)"
      R"({"type":"string"}}}})";
  kind.status_schema = R"({"type":"object","properties":{"replicas":{"type":"integer"}}})";
  return kind;
}

// The error of check_kind for a changed widget; empty if there is none.
std::string mistake(const std::function<void(Kind&)>& change) {
  auto kind = widget();
  change(kind);
  try {
    check_kind(kind);
  } catch (const base::Misuse& misuse) {
    return misuse.what();
  }
  return {};
}

TEST_CASE("a kind with all features is accepted") {
  CHECK(mistake([](Kind& kind) {
          kind.short_names = {"wd", "wdg"};
          kind.categories = {"all", "shop"};
          kind.columns = {{"Size", "integer", ".spec.size", "How many.", "int32", 1}};
          kind.selectable_fields = {".spec.color", ".spec.size", ".status.replicas", ".spec.tags.team"};
          kind.labels = {{"example.com/team", "shop"}, {"empty", ""}};
          kind.annotations = {{"example.com/notes", "any text / at all"}};
          kind.is_deprecated = true;
          kind.deprecation_warning = "use Gadget";
          kind.has_scale = true;
          kind.scale = {".spec.size", ".status.replicas", ".status.selector"};
          kind.rules = {{.rule = "self.spec.size > 0", .field_path = ".spec.size"},
                        {.rule = "oldSelf.hasValue()", .field_path = ".spec['size']", .optional_old_self = true}};
        }) == "");
}

TEST_CASE("names that the API server rejects are reported with their fix") {
  CHECK(mistake([](Kind& kind) { kind.singular = ""; }) ==
        "kind Widget: `singular` is not set: \"widget\", for example");
  CHECK(mistake([](Kind& kind) { kind.resource.kind = "widget"; }) ==
        "kind widget: the kind \"widget\" must be one word in CamelCase, such as \"Website\"");
  CHECK(mistake([](Kind& kind) { kind.resource.group = "shop"; }) ==
        "kind Widget: the group \"shop\" must be a DNS name with a dot, such as \"web.example.com\"");
  CHECK(mistake([](Kind& kind) { kind.resource.version = "V1"; }) ==
        "kind Widget: the version \"V1\" must be in lower case: write \"v1\"");
  CHECK(mistake([](Kind& kind) { kind.short_names = {"WD"}; }) ==
        "kind Widget: the short name \"WD\" must be in lower case: write \"wd\"");
  CHECK(
      mistake([](Kind& kind) { kind.short_names = {"w_d"}; }) ==
      "kind Widget: the short name \"w_d\" must be lower-case letters, digits and dashes, at most 63, a letter first");
  CHECK(mistake([](Kind& kind) {
          kind.short_names = {"wd", "wd"};
        }) == "kind Widget: the short name \"wd\" is listed twice: remove one");
  CHECK(mistake([](Kind& kind) { kind.categories = {"All"}; }) ==
        "kind Widget: the category \"All\" must be in lower case: write \"all\"");
  CHECK(mistake([](Kind& kind) {
          kind.labels = {{"a b", "c"}};
        }) == "kind Widget: the label \"a b\" of the CRD must be a name such as \"team\" or \"example.com/team\"");
  CHECK(mistake([](Kind& kind) {
          kind.labels = {{"team", "a b"}};
        }).starts_with("kind Widget: the value \"a b\" of the label \"team\" must be at most 63 letters"));
}

TEST_CASE("a column needs a path, and a type and format of the API server") {
  const auto with = [](const PrinterColumn& column) {
    return mistake([&column](Kind& kind) { kind.columns = {column}; });
  };

  CHECK(with({"Size", "int", ".spec.size"}) ==
        "kind Widget: the column \"Size\" has the type \"int\": it must be one of boolean, date, integer, number, "
        "string");
  CHECK(
      with({"Size", "integer", "spec.size"}) ==
      "kind Widget: the column \"Size\" has the path \"spec.size\": it must begin with a dot, such as \".status.url\"");
  CHECK(with({"Size", "integer", ".spec.size", "", "int16"}) ==
        "kind Widget: the column \"Size\" has the format \"int16\": it must be one of byte, date, date-time, double, "
        "float, int32, int64, password");
  CHECK(with({"", "integer", ".spec.size"}) == "kind Widget: a column has no name: \".spec.size\"");
  CHECK(with({"Size", "integer", ".spec.size", "", "", -1}) ==
        "kind Widget: the column \"Size\" has a negative priority: 0 is always shown, 1 with --output wide");
}

TEST_CASE("only strings, booleans and integers of the spec and the status can be selected") {
  const auto with = [](std::vector<std::string> paths) {
    return mistake([&paths](Kind& kind) { kind.selectable_fields = paths; });
  };

  CHECK(with({".spec.tags"}) ==
        "kind Widget: the selectable field \".spec.tags\" has the type object: only strings, booleans and integers can "
        "be "
        "selected");
  CHECK(with({".spec.colot"}) ==
        "kind Widget: the selectable field \".spec.colot\": there is no field \"colot\" (did you mean color?)");
  CHECK(with({".spec.ports[0]"}) ==
        "kind Widget: the selectable field \".spec.ports[0]\" must be a path of field names, such as \".spec.color\", "
        "without array notation");
  CHECK(with({"spec.color"}).starts_with("kind Widget: the selectable field \"spec.color\" must be a path"));
  CHECK(with({".metadata.name"}).find("can always be selected") != std::string::npos);
  CHECK(with({".data.color"}).find("must be a field of the spec or the status") != std::string::npos);
  CHECK(with({".spec.color", ".spec.color"}) ==
        "kind Widget: the selectable field \".spec.color\" is listed twice: remove one");
  std::vector<std::string> nine;
  for (int i = 0; i < 9; ++i) nine.push_back(".spec.tags.t" + std::to_string(i));
  CHECK(with(nine) == "kind Widget: it has 9 selectable fields: the API server accepts at most 8");
}

TEST_CASE("a deprecation warning must be one line, of a deprecated version") {
  CHECK(mistake([](Kind& kind) { kind.deprecation_warning = "old"; }) ==
        "kind Widget: it has a deprecation_warning but is not deprecated: set `is_deprecated`");
  const auto with = [](const std::string& warning) {
    return mistake([&warning](Kind& kind) {
      kind.is_deprecated = true;
      kind.deprecation_warning = warning;
    });
  };
  CHECK(with("a\nb") == "kind Widget: the deprecation_warning must be one line");
  CHECK(with(std::string(257, 'a')) == "kind Widget: the deprecation_warning has 257 bytes: at most 256");
}

TEST_CASE("paths of the scale subresource must be below spec and status") {
  const auto with = [](ScalePaths paths) {
    return mistake([&paths](Kind& kind) {
      kind.has_scale = true;
      kind.scale = paths;
    });
  };

  CHECK(with({"spec.size", ".status.replicas", ""}) ==
        "kind Widget: scale.spec_replicas is \"spec.size\": it must be a path under .spec, without array notation");
  CHECK(
      with({".spec.size", ".spec.size", ""}) ==
      "kind Widget: scale.status_replicas is \".spec.size\": it must be a path under .status, without array notation");
  CHECK(with({".spec.size", ".status.replicas", ".metadata.labels"}) ==
        "kind Widget: scale.selector is \".metadata.labels\": it must be a path under .spec or .status, without array "
        "notation");
}

TEST_CASE("a rule needs a text, a message of one line, and an existing field") {
  const auto with = [](const CelRule& rule) { return mistake([&rule](Kind& kind) { kind.rules = {rule}; }); };

  CHECK(with({.rule = " ", .message = "m"}) == "kind Widget: a rule is empty (its message is \"m\")");
  CHECK(with({.rule = "true", .message = "a\nb"}) == "kind Widget: the rule \"true\": its message must be one line");
  CHECK(with({.rule = "a\n&& b"}) == R"(kind Widget: the rule "a\n&& b" has several lines: it needs a message)");
  CHECK(with({.rule = "true", .field_path = "spec.size"}) ==
        "kind Widget: the rule \"true\": its field_path \"spec.size\" must begin with a dot: write \".spec.size\"");
  CHECK(with({.rule = "true", .field_path = ".spec.siz"}) ==
        "kind Widget: the rule \"true\": its field_path \".spec.siz\": there is no field \"siz\" (did you mean size?)");
  CHECK(with({.rule = "true", .field_path = ".spec.ports[0]"})
            .find("must consist of names, \".color\" or \"['color']\", without indexes") != std::string::npos);
  CHECK(with({.rule = "true", .field_path = ".spec['siz']"}).find("there is no field \"siz\"") != std::string::npos);
  CHECK(with({.rule = "true", .field_path = ".metadata.labels"}).find("in the metadata only .metadata.name") !=
        std::string::npos);
  CHECK(with({.rule = "true", .optional_old_self = true}) ==
        "kind Widget: the rule \"true\" has optional_old_self but does not read oldSelf: remove it");
  CHECK(with({.rule = "true", .reason = RuleReason::kTooMany}) ==
        "kind Widget: the rule \"true\": its reason must be kInvalid, kForbidden, kRequired or kDuplicate");
}

TEST_CASE("selectable fields must differ between versions exactly if their schemas do") {
  const auto with = [](const std::string& description, std::vector<std::string> fields) {
    return mistake([&](Kind& kind) {
      kind.selectable_fields = {".spec.color", ".spec.size"};
      kind.other_versions = {widget()};
      kind.other_versions[0].resource.version = "v1beta1";
      kind.other_versions[0].description = description;
      kind.other_versions[0].selectable_fields = fields;
    });
  };

  CHECK(with("", {".spec.color", ".spec.size"}) == "");
  CHECK(with("other", {".spec.size", ".spec.color"}) == "");
  CHECK(with("other", {}) == "");
  CHECK(with("other", {".spec.color", ".spec.size"}) ==
        "kind Widget: its versions have different schemas but the same selectable fields: the API server rejects that, "
        "so "
        "list "
        "the fields of one version in another order, or leave them out there");
  CHECK(
      with("", {}) ==
      "kind Widget: its versions have the same schema but different selectable fields: the API server rejects that, so "
      "list "
      "the same fields in all of them");
}

TEST_CASE("versions must have the same kind, and one of them is stored") {
  const auto other = [](const std::string& version) {
    auto kind = widget();
    kind.resource.version = version;
    return kind;
  };

  CHECK(mistake([&](Kind& kind) { kind.other_versions = {other("v1beta1")}; }) == "");
  CHECK(mistake([&](Kind& kind) { kind.other_versions = {other("v1")}; }) ==
        "kind Widget: its version \"v1\" is listed twice");
  CHECK(mistake([&](Kind& kind) {
          kind.other_versions = {other("v2")};
          kind.other_versions[0].resource.kind = "Gadget";
        }) ==
        "kind Widget: its version \"v2\" has the kind Gadget.shop.example.com: all versions have one group and one "
        "kind");
  CHECK(mistake([&](Kind& kind) {
          kind.other_versions = {other("v1beta1")};
          kind.other_versions[0].selectable_fields = {".spec.ports"};
        }) ==
        "kind Widget, version v1beta1: the selectable field \".spec.ports\" has the type array: only strings, booleans "
        "and "
        "integers can be selected");
  CHECK(mistake([](Kind& kind) { kind.storage_version = "v2"; }) ==
        "kind Widget: the storage_version \"v2\" is not one of its versions: v1");
  CHECK(mistake([](Kind& kind) { kind.is_served = false; }) ==
        "kind Widget: the version \"v1\" is the one that the controller uses: it must be served");
  CHECK(mistake([&](Kind& kind) {
          kind.other_versions = {other("v2")};
          kind.other_versions[0].other_versions = {other("v3")};
        }).find("has other_versions of its own") != std::string::npos);
}

}  // namespace
}  // namespace keelson::kube
