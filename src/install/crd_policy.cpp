#include "src/install/crd_policy.hpp"

#include <algorithm>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/member_index.hpp"

namespace keelson::install {

namespace {

std::string text_at(json::View object, std::initializer_list<std::string_view> path) {
  return std::string(object.at(path).string().value_or(""));
}

// The entry of spec.versions with this name; absent if the CRD does not have it.
json::View version_of(json::View crd, std::string_view name) {
  return json::item_with(crd.at({"spec", "versions"}), "name", name);
}

// The names in spec.versions for which the member `only` is true, or all for an empty `only`.
std::vector<std::string> version_names(json::View crd, std::string_view only) {
  std::vector<std::string> names;
  for (const auto version : crd.at({"spec", "versions"}).items()) {
    if (only.empty() || version.find(only).boolean().value_or(false)) names.push_back(text_at(version, {"name"}));
  }
  return names;
}

bool owns_spec(json::View entry) {
  return text_at(entry, {"subresource"}).empty() && !entry.at({"fieldsV1", "f:spec"}).is_absent();
}

bool is_apply(json::View entry) { return entry.find("operation").string() == "Apply"; }

// The condition with this type; absent if the CRD does not have it.
json::View condition_of(json::View crd, std::string_view type) {
  return json::item_with(crd.at({"status", "conditions"}), "type", type);
}

std::vector<std::string> names_at(json::View names, std::initializer_list<std::string_view> members) {
  std::vector<std::string> all;
  for (const auto member : members) {
    const auto value = names.find(member);
    if (value.is_string()) all.emplace_back(value.string().value_or(""));
    for (const auto item : value.items()) all.emplace_back(item.string().value_or(""));
  }
  return all;
}

std::string common_name(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  for (const auto& name : left) {
    if (std::ranges::find(right, name) != right.end()) return name;
  }
  return "";
}

// The controller that accepts names works after the write, so conditions may describe the former names.
bool accepts_names(json::View live) {
  const auto spec = live.at({"spec", "names"});
  const auto accepted = live.at({"status", "acceptedNames"});
  for (const auto* member : {"plural", "singular", "kind", "listKind", "shortNames", "categories"}) {
    const auto desired = spec.find(member);
    if (desired.has_value() && !json::equal(desired, accepted.find(member))) return false;
  }
  return true;
}

void check_stored_versions(json::View live, json::View desired, CrdUpdate& update) {
  const auto name = text_at(live, {"metadata", "name"});
  for (const auto item : live.at({"status", "storedVersions"}).items()) {
    const std::string stored(item.string().value_or(""));
    if (!version_of(desired, stored).is_absent()) continue;
    const auto has = base::join(version_names(desired, ""), ", ");
    update.refusals.push_back(
        name + ": objects may be stored in version " + stored + ", which this program lacks (it has " + has +
        "). Install a version of the program that has " + stored +
        ", rewrite every object, for example with `kubectl get " + name +
        " -A -o json | kubectl replace -f -`, and remove " + stored + " from the CRD: `kubectl patch crd " + name +
        " --subresource=status --type=merge -p '{\"status\":{\"storedVersions\":[\"" +
        base::join(version_names(desired, "storage"), "") + "\"]}}'`");
  }
}

void add_notes(json::View live, json::View desired, CrdUpdate& update) {
  const auto name = text_at(live, {"metadata", "name"});
  const auto served = version_names(desired, "served");
  for (const auto& version : version_names(live, "served")) {
    if (std::ranges::find(served, version) != served.end()) continue;
    update.notes.push_back(name + ": version " + version + " is no longer served; its clients get 404 Not Found");
  }
  const auto webhook = live.at({"spec", "conversion", "webhook", "clientConfig", "service"});
  if (text_at(live, {"spec", "conversion", "strategy"}) != "Webhook" ||
      desired.at({"spec", "conversion"}).has_value()) {
    return;
  }
  if (update.takeover && update.takeover->includes_conversion) {
    update.notes.push_back(name + ": the conversion webhook " + text_at(webhook, {"namespace"}) + "/" +
                           text_at(webhook, {"name"}) + " of its former operator is removed");
    return;
  }
  update.notes.push_back(name + ": the CRD still calls the conversion webhook " + text_at(webhook, {"namespace"}) +
                         "/" + text_at(webhook, {"name"}) + " of its former operator. Remove it: `kubectl patch crd " +
                         name +
                         " --type=merge -p '{\"spec\":{\"conversion\":{\"strategy\":\"None\",\"webhook\":null}}}'`");
}

}  // namespace

CrdUpdate check_update(json::View live, json::View desired, std::string_view manager) {
  CrdUpdate update;
  const auto name = text_at(live, {"metadata", "name"});
  if (live.at({"metadata", "deletionTimestamp"}).has_value()) {
    update.refusals.push_back(name + ": the CRD is being deleted, with all objects of the kind. Wait until it is gone");
    return update;
  }
  const auto scope = text_at(live, {"spec", "scope"});
  const auto desired_scope = text_at(desired, {"spec", "scope"});
  if (scope != desired_scope) {
    update.refusals.push_back(
        name + ": the live CRD has the scope " + scope + ", and this program the scope " + desired_scope +
        ". A scope cannot be changed: give the kind another name, or back up the objects and delete the CRD");
  }
  update.takeover = take_over_fields(live, manager);
  check_stored_versions(live, desired, update);
  add_notes(live, desired, update);
  auto owner = owner_of(live, manager);
  if (!owner.has_applied) update.former_managers = std::move(owner.managers);
  if (!update.takeover) return update;
  for (const auto& former : update.takeover->managers) {
    auto& all = update.former_managers;
    if (std::ranges::find(all, former) == all.end()) all.push_back(former);
  }
  return update;
}

CrdOwner owner_of(json::View live, std::string_view manager) {
  CrdOwner owner;
  bool is_applied_by_other = false;
  for (const auto entry : live.at({"metadata", "managedFields"}).items()) {
    if (!owns_spec(entry)) continue;
    auto name = text_at(entry, {"manager"});
    if (is_apply(entry) && name == manager) {
      owner.has_applied = true;
      continue;
    }
    is_applied_by_other = is_applied_by_other || (is_apply(entry) && !name.starts_with("kubectl"));
    auto& names = owner.managers;
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (is_applied_by_other) {
    owner.kind = CrdOwner::Kind::kOther;
  } else if (owner.has_applied) {
    owner.kind = CrdOwner::Kind::kOurs;
  }
  return owner;
}

CrdProgress progress_of(json::View live) {
  CrdProgress progress;
  const auto accepted = condition_of(live, "NamesAccepted");
  const auto established = condition_of(live, "Established");
  if (accepted.find("status").string() == "False") {
    progress.conflict = text_at(accepted, {"message"});
    return progress;
  }
  progress.is_served = established.find("status").string() == "True" && accepts_names(live);
  if (established.is_absent()) return progress;
  progress.state =
      "its condition Established is " + text_at(established, {"status"}) + ": " + text_at(established, {"message"});
  return progress;
}

std::string taken_name(json::View crd, json::View other) {
  if (text_at(crd, {"metadata", "name"}) == text_at(other, {"metadata", "name"})) return "";
  if (text_at(crd, {"spec", "group"}) != text_at(other, {"spec", "group"})) return "";
  const auto own = crd.at({"spec", "names"});
  const auto taken = other.at({"status", "acceptedNames"});
  const auto resource = common_name(names_at(own, {"plural", "singular", "shortNames"}),
                                    names_at(taken, {"plural", "singular", "shortNames"}));
  if (!resource.empty()) return resource;
  return common_name(names_at(own, {"kind", "listKind"}), names_at(taken, {"kind", "listKind"}));
}

}  // namespace keelson::install
