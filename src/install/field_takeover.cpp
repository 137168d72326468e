#include "src/install/field_takeover.hpp"

#include <algorithm>
#include <array>

#include "keelson/base/assert.hpp"
#include "keelson/json/patch.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::install {

namespace {

// The field managers of `kubectl apply`, `create` and `replace`, which write a whole CRD. `kubectl edit` and `patch`
// change single fields on purpose: these stay. `kubectl` is also that of `apply --server-side`.
constexpr std::array<std::string_view, 4> kWholeWriters = {"kubectl-client-side-apply", "kubectl", "kubectl-create",
                                                           "kubectl-replace"};
constexpr const char* kLastAppliedField = "f:kubectl.kubernetes.io/last-applied-configuration";

std::string_view member_of(json::View entry, std::string_view name) { return entry.find(name).string().value_or(""); }

bool is_of_kubectl(json::View entry) {
  if (!member_of(entry, "subresource").empty()) return false;
  if (entry.at({"fieldsV1", "f:metadata", "f:annotations", kLastAppliedField}).has_value()) return true;
  const auto name = member_of(entry, "manager");
  return std::find(kWholeWriters.begin(), kWholeWriters.end(), name) != kWholeWriters.end();
}

bool is_own(json::View entry, std::string_view manager) {
  return member_of(entry, "operation") == "Apply" && member_of(entry, "manager") == manager &&
         member_of(entry, "subresource").empty();
}

json::View conversion_of(json::View entry) { return entry.at({"fieldsV1", "f:spec", "f:conversion"}); }

// The fields of both: a set of fields is a tree of objects.
std::string union_of(std::string_view fields, std::string_view more) {
  auto merged = json::merge_patch(fields, more);
  return merged ? std::move(*merged) : std::string(more);
}

std::string own_entry(std::string_view manager, std::string_view api_version, std::string_view fields) {
  json::Writer writer;
  writer.begin_object().field("manager", manager).field("operation", "Apply").field("apiVersion", api_version);
  writer.field("fieldsType", "FieldsV1").raw_field("fieldsV1", fields).end_object();
  return std::move(writer).take();
}

std::string patch_of(json::View live, const std::string& entries) {
  json::Writer writer;
  writer.begin_array();
  writer.begin_object().field("op", "replace").field("path", "/metadata/managedFields");
  writer.raw_field("value", "[" + entries + "]").end_object();
  writer.begin_object().field("op", "replace").field("path", "/metadata/resourceVersion");
  writer.field("value", live.at({"metadata", "resourceVersion"}).string().value_or("")).end_object();
  writer.end_array();
  return std::move(writer).take();
}

void add_entry(std::string& entries, std::string_view entry) {
  if (!entries.empty()) entries += ",";
  entries += entry;
}

}  // namespace

std::optional<FieldTakeover> take_over_fields(json::View live, std::string_view manager) {
  constexpr std::string_view kVersion = "apiextensions.k8s.io/v1";
  FieldTakeover takeover;
  std::string fields = "{}";
  std::string others;
  bool is_conversion_shared = false;
  for (const auto entry : live.at({"metadata", "managedFields"}).items()) {
    if (is_own(entry, manager)) {
      fields = union_of(fields, entry.find("fieldsV1").text());
    } else if (!is_of_kubectl(entry)) {
      add_entry(others, entry.text());
      is_conversion_shared = is_conversion_shared || conversion_of(entry).has_value();
    } else {
      takeover.managers.emplace_back(member_of(entry, "manager"));
      // Sets of another version name other fields. Without an owner, these fields stay.
      if (member_of(entry, "apiVersion") != kVersion) continue;
      takeover.includes_conversion = takeover.includes_conversion || conversion_of(entry).has_value();
      fields = union_of(fields, entry.find("fieldsV1").text());
    }
  }
  if (takeover.managers.empty()) return std::nullopt;
  if (is_conversion_shared && takeover.includes_conversion) {
    // Removing a part of it would leave an invalid rest: for example, cert-manager owns the CA bundle.
    fields = union_of(fields, R"({"f:spec":{"f:conversion":null}})");
    takeover.includes_conversion = false;
  }
  add_entry(others, own_entry(manager, kVersion, fields));
  takeover.patch = patch_of(live, others);
  return takeover;
}

}  // namespace keelson::install
