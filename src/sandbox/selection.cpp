#include "src/sandbox/selection.hpp"

#include <algorithm>
#include <set>

#include "keelson/base/go_text.hpp"
#include "keelson/json/value.hpp"
#include "src/sandbox/version_view.hpp"

namespace keelson::sandbox {

namespace {

bool is_selectable(const kube::Resource& resource, const std::string& field) {
  if (field == "metadata.name") return true;
  if (field == "metadata.namespace") return resource.namespaced;
  static const std::set<std::string> kOfPods{"spec.nodeName",           "spec.restartPolicy", "spec.schedulerName",
                                             "spec.serviceAccountName", "status.phase",       "status.podIP"};
  static const std::set<std::string> kOfEvents{"involvedObject.kind",
                                               "involvedObject.namespace",
                                               "involvedObject.name",
                                               "involvedObject.uid",
                                               "involvedObject.apiVersion",
                                               "involvedObject.resourceVersion",
                                               "involvedObject.fieldPath",
                                               "reason",
                                               "reportingComponent",
                                               "source",
                                               "type"};
  if (resource == kube::pods()) return kOfPods.contains(field);
  if (resource == kube::core_events()) return kOfEvents.contains(field);
  return resource == kube::jobs() && field == "status.successful";
}

// Kinds with selectable fields of their own have their own words.
Refusal not_selectable(const ServedKind& kind, const std::string& field) {
  bool has_own = kind.is_custom || kind.resource == kube::pods() || kind.resource == kube::core_events() ||
                 kind.resource == kube::jobs();
  if (has_own) return bad_request("field label not supported: " + field);
  return bad_request(base::quote_go(field) +
                     " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    auto end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

}  // namespace

Or<Selection> Selection::of(const Call& call) {
  Selection selection;
  selection.ns_ = call.resource().namespaced ? call.key.ns : "";
  auto labels = kube::Selector::parse(call.parameter("labelSelector"));
  if (!labels) return bad_request(labels.error().text);
  selection.labels_ = std::move(*labels);
  auto fields = call.parameter("fieldSelector");
  for (const auto& term : fields.empty() ? std::vector<std::string>() : split(fields, ',')) {
    auto at = term.find_first_of("!=");
    if (at == std::string::npos) {
      return bad_request("invalid selector: " + base::quote_go(fields) + "; can't understand " + base::quote_go(term));
    }
    Field field;
    auto name = term.substr(0, at);
    field.is_equal = term[at] != '!';
    auto value_at = term.find_first_not_of("!=", at);
    field.value = value_at == std::string::npos ? "" : term.substr(value_at);
    if (call.view != nullptr) {
      auto stored = version_view(call.view->resource)->stored_field(name);
      if (stored.empty()) return bad_request("field label not supported: " + name);
      name = stored;
    }
    field.path = split(name == "source" ? "source.component" : name, '.');
    if (!is_selectable(call.resource(), name)) return not_selectable(*call.kind, name);
    selection.fields_.push_back(std::move(field));
  }
  return selection;
}

bool Selection::matches(const kube::Object& object) const {
  if (!ns_.empty() && object.ns() != ns_) return false;
  if (!labels_.matches(object)) return false;
  if (fields_.empty()) return true;
  auto document = json::Document::parse(object.json());
  return document && std::all_of(fields_.begin(), fields_.end(), [&document](const Field& field) {
           auto view = document->root();
           for (const auto& name : field.path) view = view.find(name);
           return (view.string().value_or("") == field.value) == field.is_equal;
         });
}

}  // namespace keelson::sandbox
