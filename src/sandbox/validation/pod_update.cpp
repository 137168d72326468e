#include "src/sandbox/validation/pod_update.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"

namespace keelson::sandbox {

namespace {

FieldError forbidden_field(std::string field, const std::string& why) {
  return {FieldReason::kForbidden, std::move(field), {}, why};
}

// The specification with the former values of all fields that an update may change.
Tree without_mutable(Tree spec, const Tree& former) {
  for (const char* name :
       {"activeDeadlineSeconds", "terminationGracePeriodSeconds", "tolerations", "schedulingGates", "nodeName"}) {
    spec.erase(name);
    if (const Tree* value = former.find(name)) spec[name] = *value;
  }
  for (const char* list : {"containers", "initContainers"}) {
    Tree* containers = spec.find(list);
    const Tree* had = former.find(list);
    if (containers == nullptr || had == nullptr || containers->items().size() != had->items().size()) continue;
    for (std::size_t i = 0; i < had->items().size(); ++i) {
      if (const Tree* image = had->items()[i].find("image")) containers->items()[i]["image"] = *image;
      if (const Tree* resources = had->items()[i].find("resources")) containers->items()[i]["resources"] = *resources;
    }
  }
  return spec;
}

void check_main_update(const Tree& before, const Tree& after, std::vector<FieldError>& errors) {
  const Tree* had = before.find("spec");
  const Tree* has = after.find("spec");
  if (had == nullptr || has == nullptr || *had == *has || without_mutable(*has, *had) == *had) return;
  errors.push_back(forbidden_field(
      "spec",
      "pod updates may not change fields other than "
      "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
      "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was "
      "previously negative)"));
}

// Ephemeral containers can only be added. The real server appends the difference to the second message.
void check_ephemeral_containers(const Tree& before, const Tree& after, std::vector<FieldError>& errors) {
  const auto& containers = after.items_at({"spec", "ephemeralContainers"});
  for (const auto& had : before.items_at({"spec", "ephemeralContainers"})) {
    const auto name = had.text_at({"name"});
    auto has = std::ranges::find_if(containers,
                                    [&name](const Tree& container) { return container.text_at({"name"}) == name; });
    if (has != containers.end() && *has == had) continue;
    const auto* what = has == containers.end() ? "removed" : "changed";
    errors.push_back(
        forbidden_field("spec.ephemeralContainers",
                        "existing ephemeral containers " + base::quote_go(name) + " may not be " + what + "\n"));
  }
}

void check_resize(const Tree& before, const Tree& after, std::vector<FieldError>& errors) {
  for (const char* list : {"containers", "initContainers"}) {
    const auto& had = before.items_at({"spec", list});
    const auto& has = after.items_at({"spec", list});
    const auto field = std::string("spec.") + list;
    if (had.size() != has.size()) {
      errors.push_back(forbidden_field(field, std::string(list) + " may not be added or removed on resize"));
      continue;
    }
    for (std::size_t i = 0; i < had.size(); ++i) {
      if (had[i].text_at({"name"}) == has[i].text_at({"name"})) continue;
      errors.push_back(forbidden_field(field + "[" + std::to_string(i) + "].name",
                                       std::string(list) + " may not be renamed or reordered on resize"));
    }
  }
}

}  // namespace

void check_pod_update(const Tree& before, const Tree& after, Subresource subresource, std::vector<FieldError>& errors) {
  if (subresource == Subresource::kNone) check_main_update(before, after, errors);
  if (subresource == Subresource::kEphemeralContainers) check_ephemeral_containers(before, after, errors);
  if (subresource == Subresource::kResize) check_resize(before, after, errors);
}

}  // namespace keelson::sandbox
