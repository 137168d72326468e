#include "src/install/field_takeover.hpp"

#include <algorithm>
#include <array>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::install {

namespace {

// The field managers of `kubectl apply`, `create` and `replace`, which write a whole CRD. `kubectl edit` and `patch`
// change single fields on purpose: these stay. An entry of another program stays too, also with kubectl's annotation.
constexpr std::array<std::string_view, 3> kWholeWriters = {"kubectl-client-side-apply", "kubectl-create",
                                                           "kubectl-replace"};
// That of `apply --server-side`, and of very old versions: its apply may declare some fields only.
constexpr std::string_view kServerSideApply = "kubectl";

std::string_view member_of(json::View entry, std::string_view name) { return entry.find(name).string().value_or(""); }

// The entry of a program that has written a whole CRD.
bool is_whole(json::View entry) {
  const auto spec = entry.at({"fieldsV1", "f:spec"});
  return spec.find("f:names").has_value() && spec.find("f:group").has_value();
}

bool is_of_whole_writer(json::View entry) {
  const bool is_known = std::ranges::find(kWholeWriters, member_of(entry, "manager")) != kWholeWriters.end();
  return is_known && member_of(entry, "subresource").empty();
}

bool is_of_server_side_apply(json::View entry) {
  return member_of(entry, "manager") == kServerSideApply && member_of(entry, "subresource").empty();
}

// After `create` and `apply` or `replace` the entry of the second one has only the fields that it has changed.
bool has_whole_crd_of_kubectl(json::View entries) {
  for (const auto entry : entries.items()) {
    if (is_of_whole_writer(entry) && is_whole(entry)) return true;
  }
  return false;
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

// Removes the annotations of cert-manager from `fields`, from which cainjector knows the CA bundle that it owns:
// without an owner they stay in the CRD.
std::string without_ca_annotations(const std::string& fields) {
  const auto set = json::Document::parse(fields);
  if (!set) return fields;
  json::Writer writer;
  writer.begin_object().key("f:metadata").begin_object().key("f:annotations").begin_object();
  bool has_any = false;
  for (const auto& [name, value] : set->root().at({"f:metadata", "f:annotations"}).members()) {
    if (!name.starts_with("f:cert-manager.io/")) continue;
    has_any = true;
    writer.raw_field(name, "null");
  }
  writer.end_object().end_object().end_object();
  return has_any ? union_of(fields, std::move(writer).take()) : fields;
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
  const auto entries = live.at({"metadata", "managedFields"});
  const bool has_whole = has_whole_crd_of_kubectl(entries);
  for (const auto entry : entries.items()) {
    const bool is_taken = has_whole && is_of_whole_writer(entry);
    const bool is_taken_apply = is_of_server_side_apply(entry) && is_whole(entry);
    if (is_own(entry, manager)) {
      fields = union_of(fields, entry.find("fieldsV1").text());
    } else if (!is_taken && !is_taken_apply) {
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
  if (is_conversion_shared) fields = without_ca_annotations(fields);
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
