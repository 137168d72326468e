#include "src/controller/list_keys.hpp"

#include <algorithm>

namespace keelson::controller {

namespace {

// The keys are from the OpenAPI of Kubernetes 1.36. A list with two rows (ports) uses the first row whose key its items
// have.
constexpr std::array kListKeys{
    ListKey{"containers", {"name", ""}},
    ListKey{"initContainers", {"name", ""}},
    ListKey{"ephemeralContainers", {"name", ""}},
    ListKey{"env", {"name", ""}},
    ListKey{"volumes", {"name", ""}},
    ListKey{"volumeMounts", {"mountPath", ""}},
    ListKey{"volumeDevices", {"devicePath", ""}},
    ListKey{"ports", {"containerPort", "protocol"}},
    ListKey{"ports", {"port", "protocol"}},
    ListKey{"imagePullSecrets", {"name", ""}},
    ListKey{"secrets", {"name", ""}},
    ListKey{"hostAliases", {"ip", ""}},
    ListKey{"topologySpreadConstraints", {"topologyKey", "whenUnsatisfiable"}},
    ListKey{"resourceClaims", {"name", ""}},
    ListKey{"claims", {"name", ""}},
    ListKey{"schedulingGates", {"name", ""}},
    ListKey{"conditions", {"type", ""}},
    ListKey{"ownerReferences", {"uid", ""}},
};

bool has_key(json::View wanted, std::string_view member) {
  auto items = wanted.items();
  return std::ranges::all_of(items, [&](json::View item) { return item.find(member).has_value(); });
}

// The server's default for a member of the key that most manifests omit, or empty.
std::string_view protocol_of(json::View port) {
  auto protocol = port.find("protocol").string().value_or("");
  return protocol.empty() ? "TCP" : protocol;
}

bool same_member(std::string_view member, json::View left, json::View right) {
  if (member != "protocol") return json::equal(left.find(member), right.find(member));
  return protocol_of(left) == protocol_of(right);
}

// Texts differ exactly if the values do: `1` and `1.0` are one number.
std::string member_text(std::string_view member, json::View item) {
  if (member == "protocol") return std::string(protocol_of(item));
  const auto value = item.find(member);
  if (const auto number = value.integer()) return std::to_string(*number);
  return value.is_absent() ? "" : value.text();
}

// Up to here a search is as fast as a table, and allocates nothing.
constexpr std::size_t kFewItems = 16;

}  // namespace

bool ListKey::same(json::View left, json::View right) const {
  return same_member(members[0], left, right) && (members[1].empty() || same_member(members[1], left, right));
}

std::string ListKey::key_text(json::View item) const {
  auto text = member_text(members[0], item);
  if (!members[1].empty()) text.append(1, '\n').append(member_text(members[1], item));
  return text;
}

ItemIndex::ItemIndex(json::View list, const ListKey* key) : list_(list), key_(key) {
  if (list.size() <= kFewItems) return;
  items_.reserve(list.size());
  for (const json::View item : list.items()) items_.try_emplace(key_text(item), item);
}

json::View ItemIndex::find(json::View item) const {
  if (!items_.empty()) {
    const auto found = items_.find(key_text(item));
    return found == items_.end() ? json::View() : found->second;
  }
  for (const json::View candidate : list_.items()) {
    if (key_ == nullptr ? json::equal(candidate, item) : key_->same(candidate, item)) return candidate;
  }
  return {};
}

std::string ItemIndex::key_text(json::View item) const { return key_ == nullptr ? item.text() : key_->key_text(item); }

const ListKey* list_key(std::string_view list, json::View wanted) {
  for (const auto& key : kListKeys) {
    if (key.list == list && has_key(wanted, key.members[0])) return &key;
  }
  return nullptr;
}

}  // namespace keelson::controller
