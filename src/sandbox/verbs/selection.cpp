#include "src/sandbox/verbs/selection.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/selector.hpp"
#include "src/sandbox/kinds/version_view.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

// The selectable fields of a kind, and the value that a selector compares if an object lacks the field.
using FieldNames = std::map<std::string, std::string>;

// From words such as "spec.nodeName" and "spec.hostNetwork=false".
FieldNames field_names(std::string_view words) {
  FieldNames names;
  for (const auto word : parts_of(words, ' ')) {
    const auto equals = std::min(word.find('='), word.size());
    names.emplace(word.substr(0, equals), word.substr(std::min(equals + 1, word.size())));
  }
  return names;
}

// The fields that Kubernetes 1.36 registers for a built-in kind in addition to metadata.name and metadata.namespace,
// except for the aliases of a pod's fields. Null if there are none.
const FieldNames* selectable_fields_of(const kube::Resource& resource) {
  static const std::map<std::string, FieldNames> kFields{
      {"pods",
       field_names("spec.hostNetwork=false spec.nodeName spec.restartPolicy spec.schedulerName spec.serviceAccountName "
                   "status.nominatedNodeName status.phase status.podIP")},
      {"events", field_names("involvedObject.kind involvedObject.namespace involvedObject.name involvedObject.uid "
                             "involvedObject.apiVersion involvedObject.resourceVersion involvedObject.fieldPath reason "
                             "reportingComponent source type")},
      {"namespaces", field_names("status.phase")},
      {"nodes", field_names("spec.unschedulable=false")},
      {"replicationcontrollers", field_names("status.replicas=0")},
      {"secrets", field_names("type")},
      {"services", field_names("spec.clusterIP spec.type")},
      {"jobs.batch", field_names("status.successful=0")},
      {"resourceslices.resource.k8s.io", field_names("spec.driver spec.nodeName")},
      {"certificatesigningrequests.certificates.k8s.io", field_names("spec.signerName")}};
  auto found = kFields.find(resource.qualified_plural());
  return found != kFields.end() ? &found->second : nullptr;
}

// The value that a selector compares if an object lacks the field; nullopt: the field is not selectable.
std::optional<std::string> selectable(const ServedKind& kind, const std::string& field) {
  if (field == "metadata.name") return "";
  if (field == "metadata.namespace" && kind.resource.namespaced) return "";
  if (kind.selectable_fields.contains(field)) return "";
  const auto* own = selectable_fields_of(kind.resource);
  auto found = own != nullptr ? own->find(field) : FieldNames::const_iterator();
  return own != nullptr && found != own->end() ? std::optional(found->second) : std::nullopt;
}

// The message differs for kinds that have selectable fields of their own.
Rejection not_selectable(const ServedKind& kind, const std::string& field) {
  const bool has_own = kind.is_custom || selectable_fields_of(kind.resource) != nullptr;
  if (has_own) return bad_request("field label not supported: " + field);
  return bad_request(base::quote_go(field) +
                     " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
}

// In apimachinery's words; '=' is 61. A comma that is not escaped begins a term.
Rejection not_escaped(std::string_view value) {
  for (std::size_t at = 0; at < value.size() && value[at] != '='; ++at) {
    if (value[at] != '\\') continue;
    const auto sequence = value.substr(at, 2);
    if (sequence != "\\\\" && sequence != "\\," && sequence != "\\=") {
      return bad_request("invalid field selector: invalid escape sequence: " + std::string(sequence));
    }
    ++at;
  }
  return bad_request("invalid field selector: unescaped character in value: 61");
}

// The text that a selector compares: a string, "true", "3".
std::string compared_text(json::View value, const std::string& missing) {
  if (!value.has_value()) return missing;
  auto text = value.string();
  return text ? std::string(*text) : value.text();
}

}  // namespace

RejectionOr<Selection> Selection::of(const Call& call) {
  Selection selection;
  selection.ns_ = call.resource().namespaced ? call.key.ns : "";
  auto labels = kube::Selector::parse(call.parameter("labelSelector"));
  if (!labels) return bad_request(labels.error().text);
  selection.labels_ = std::move(*labels);
  auto fields = call.parameter("fieldSelector");
  for (std::string_view rest = fields; !rest.empty();) {
    const std::string term(kube::detail::take_field_term(rest));
    if (term.empty()) continue;
    const auto split_term = kube::detail::split_field_term(term);
    if (!split_term) {
      return bad_request("invalid selector: " + base::quote_go(fields) + "; can't understand " + base::quote_go(term));
    }
    if (!kube::detail::is_escaped_value(split_term->value)) return not_escaped(split_term->value);
    Field field;
    std::string name(split_term->path);
    field.is_equal = split_term->op == kube::FieldSelector::Requirement::Operator::kEquals;
    field.value = kube::detail::unescaped_value(split_term->value);
    if (call.view != nullptr) {
      auto stored = version_view(call.view->resource)->stored_field(name);
      if (stored.empty()) return bad_request("field label not supported: " + name);
      name = stored;
    }
    auto missing = selectable(*call.kind, name);
    if (!missing) return not_selectable(*call.kind, name);
    field.missing = *missing;
    for (auto part : parts_of(name, '.')) field.path.emplace_back(part);
    if (call.resource() == kube::core_events() && name == "source") {
      field.path = {"source", "component"};
      field.other_path = {"reportingComponent"};
    }
    if (call.resource() == kube::jobs() && name == "status.successful") field.path = {"status", "succeeded"};
    selection.fields_.push_back(std::move(field));
  }
  return selection;
}

bool Selection::matches(const kube::Object& object) const {
  if (!ns_.empty() && object.ns() != ns_) return false;
  if (!labels_.matches(object)) return false;
  if (!reads_objects()) {
    return std::ranges::all_of(fields_, [&object](const Field& field) {
      return matches(field, std::string(field.path[1] == "name" ? object.name() : object.ns()));
    });
  }
  auto document = json::Document::parse(object.json());
  if (!document) return false;
  auto value_at = [&document](const std::vector<std::string>& path) {
    auto view = document->root();
    for (const auto& name : path) view = view.find(name);
    return view;
  };
  return std::ranges::all_of(fields_, [&value_at](const Field& field) {
    auto text = compared_text(value_at(field.path), field.missing);
    if (text.empty() && !field.other_path.empty()) text = compared_text(value_at(field.other_path), field.missing);
    return matches(field, text);
  });
}

bool Selection::reads_objects() const { return !std::ranges::all_of(fields_, is_in_metadata); }

// metadata.name and metadata.namespace are read without parsing the object.
bool Selection::is_in_metadata(const Field& field) {
  return field.path.size() == 2 && field.path[0] == "metadata" &&
         (field.path[1] == "name" || field.path[1] == "namespace");
}

bool Selection::matches(const Field& field, const std::string& value) {
  return (value == field.value) == field.is_equal;
}

}  // namespace keelson::sandbox
