#include "src/doctor/writers.hpp"

#include <algorithm>

#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "src/doctor/objects.hpp"
#include "src/doctor/sample.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// The first path of a leaf that both sets of fields (fieldsV1) have; empty if there is none.
std::string common_field(json::View ours, json::View theirs, const std::string& path) {
  for (const auto& [name, value] : ours.members()) {
    const auto other = theirs.find(name);
    // "." is the ownership of a container itself, which many managers share.
    if (other.is_absent() || name == ".") continue;
    auto below = path;
    if (name.starts_with("f:")) below += (path.empty() ? "" : ".") + std::string(name.substr(2));
    if (name.starts_with("k:") || name.starts_with("v:")) below += "[" + std::string(name.substr(2)) + "]";
    if (value.size() == 0 && other.size() == 0) return below;
    auto found = common_field(value, other, below);
    if (!found.empty()) return found;
  }
  return "";
}

bool is_child(json::View object, const std::vector<kube::Resource>& owners) {
  for (const auto reference : object.at({"metadata", "ownerReferences"}).items()) {
    const bool is_ours = std::ranges::any_of(owners, [&](const kube::Resource& owner) {
      return reference.find("kind").string() == owner.kind &&
             text_at(reference, {"apiVersion"}).starts_with(owner.group);
    });
    if (is_ours && reference.find("controller").boolean().value_or(false)) return true;
  }
  return false;
}

void check_child(const std::string& subject, json::View object, const kube::OperatorName& name, Findings& findings) {
  const auto entries = object.at({"metadata", "managedFields"});
  json::View ours;
  std::string other_operation;
  for (const auto entry : entries.items()) {
    if (entry.find("manager").string() != name.text() || entry.find("subresource").has_value()) continue;
    if (entry.find("operation").string() == "Apply") {
      ours = entry.find("fieldsV1");
    } else {
      other_operation = text_at(entry, {"operation"});
    }
  }
  if (ours.is_absent()) return;
  if (!other_operation.empty()) findings.add("field-manager-twice", subject, "", "twice");
  for (const auto entry : entries.items()) {
    if (entry.find("manager").string() == name.text()) continue;
    const auto field = common_field(ours, entry.find("fieldsV1"), "");
    if (field.empty()) continue;
    auto detail = field + " is also of " + text_at(entry, {"manager"});
    findings.add("fields-of-two-managers", subject, detail, detail);
    return;
  }
}

}  // namespace

awaitable<void> examine_writers(Reader& reader, const Installation& installation, Findings& findings) {
  const auto& examined = installation.examined;
  std::vector<kube::Resource> owners;
  for (const auto& definition : examined.controllers) owners.push_back(definition.resource());
  const auto children = kinds_of_children(examined.controllers);
  const auto& namespaces = installation.flags.watch_namespaces;
  auto lists = sampled_lists(children, kube::Content::kMetadata, namespaces);
  co_await reader.read(lists);
  SampleCount count(namespaces.size());
  for (const auto& [request, reply] : lists) {
    // A missing kind has a finding of its own.
    if (!reply) findings.add_unread(Area::kWriters, reply.error());
    if (!reply) continue;
    count.add(reply->root());
    check_writers(request.resource, reply->root(), owners, examined.name, findings);
  }
  auto summary = base::counted(children.size(), "kind") + " of children";
  if (count.is_partial()) summary += ", of which " + count.text();
  findings.summarize(Area::kWriters, std::move(summary));
}

std::vector<kube::Resource> kinds_of_children(const std::vector<controller::Definition>& controllers) {
  std::vector<kube::Resource> children;
  for (const auto& definition : controllers) {
    for (const auto& source : definition.parts().sources) {
      const bool is_known = std::ranges::find(children, source.resource) != children.end();
      if (source.is_owned && !is_known) children.push_back(source.resource);
    }
  }
  return children;
}

void check_writers(const kube::Resource& resource, json::View list, const std::vector<kube::Resource>& owners,
                   const kube::OperatorName& name, Findings& findings) {
  for (const auto object : list.find("items").items()) {
    if (is_child(object, owners)) check_child(object_subject(resource, object), object, name, findings);
  }
}

}  // namespace keelson::doctor
