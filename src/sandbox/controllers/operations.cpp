#include "src/sandbox/controllers/operations.hpp"

#include <algorithm>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "src/sandbox/controllers/event_recorder.hpp"
#include "src/sandbox/controllers/orphans.hpp"

namespace keelson::sandbox {

const ServedKind& Operations::kind(const kube::Resource& resource) const {
  const auto* found = world.kinds.find(resource);
  KEELSON_ASSERT(found != nullptr);
  return *found;
}

std::vector<StoredObject> Operations::owned(const kube::Resource& resource, const kube::Object& by) const {
  const auto& owned_kind = kind(resource);
  std::vector<StoredObject> objects;
  for (auto& [other, object] : world.store.dependents(by)) {
    const auto owner = object.controller_owner();
    const bool is_owned = other == &owned_kind && owner && owner->uid == by.uid();
    if (is_owned) objects.push_back({object, world.store.find(owned_kind, object.key())->stored().tree});
  }
  return objects;
}

std::vector<StoredObject> Operations::without_controller(const kube::Resource& resource, std::string_view ns) const {
  std::vector<StoredObject> objects;
  if (orphans_ == nullptr) return objects;
  const auto& of = kind(resource);
  for (const auto& key : orphans_->in(of, ns)) {
    if (auto found = stored(of, key)) objects.push_back(std::move(*found));
  }
  return objects;
}

std::optional<StoredObject> Operations::stored(const ServedKind& kind, const kube::Key& key) const {
  const auto* entry = world.store.find(kind, key);
  return entry == nullptr ? std::nullopt : std::optional(StoredObject{entry->object, entry->stored().tree});
}

std::optional<kube::Object> Operations::object(const kube::Resource& resource, const kube::Key& key) const {
  const auto* entry = world.store.find(kind(resource), key);
  return entry == nullptr ? std::nullopt : std::optional(entry->object);
}

const Tree* Operations::tree(const kube::Resource& resource, const kube::Key& key) const {
  const auto* entry = world.store.find(kind(resource), key);
  return entry == nullptr ? nullptr : &entry->stored().tree;
}

namespace {

// The field manager that the real component uses.
const char* component_of(const std::string& user) {
  if (user == "system:apiserver") return "kube-apiserver";
  return user.starts_with("system:serviceaccount:kube-system:") ? "kube-controller-manager" : "kubelet";
}

}  // namespace

Call Operations::call(const kube::Resource& resource, const kube::Key& key, Subresource subresource) const {
  auto made = own_call(user_, kind(resource), key);
  made.query.emplace("fieldManager", component_of(user_));
  made.subresource = subresource;
  return made;
}

std::optional<Rejection> Operations::create(const kube::Resource& resource, const std::string& ns, Tree object) {
  kube::Key key(ns, object.text_at({"metadata", "name"}));
  if (world.store.find(kind(resource), key) != nullptr) return already_exists(resource, key.name);
  auto created = committer_.commit(call(resource, key, Subresource::kNone), nullptr, std::move(object), std::nullopt);
  return created ? std::nullopt : std::optional(std::move(created.error()));
}

std::optional<Rejection> Operations::write(const kube::Resource& resource, const kube::Key& key, Tree object,
                                           Subresource subresource) {
  const auto* entry = world.store.find(kind(resource), key);
  if (entry == nullptr) return std::nullopt;
  auto written = committer_.commit(call(resource, key, subresource), entry, std::move(object), std::nullopt);
  return written ? std::nullopt : std::optional(std::move(written.error()));
}

std::optional<Rejection> Operations::write_status(const kube::Resource& resource, const kube::Key& key, Tree status) {
  const Tree* before = tree(resource, key);
  if (before == nullptr) return std::nullopt;
  auto next = *before;
  next["status"] = std::move(status);
  return write(resource, key, std::move(next), Subresource::kStatus);
}

void Operations::record(const kube::Resource& resource, const kube::Object& object, const std::string& reason,
                        const std::string& message, const std::string& type) {
  if (recorder_ == nullptr) return;
  auto component = user_.substr(user_.rfind(':') + 1);
  if (component == "daemon-set-controller") component = "daemonset-controller";
  recorder_->record(*this, {component, resource, object, type, reason, message});
}

void Operations::bind(const kube::Key& pod, const std::string& node) {
  const auto* entry = world.store.find(kind(kube::pods()), pod);
  if (entry == nullptr) return;
  auto next = entry->stored().tree;
  next["spec"]["nodeName"] = node;
  auto managers = entry->stored().managers;
  static_cast<void>(
      committer_.commit(call(kube::pods(), pod, Subresource::kBinding), entry, std::move(next), std::move(managers)));
}

void Operations::remove(const kube::Resource& resource, const kube::Key& key) {
  deletes_.remove_quietly(kind(resource), key, "Background");
}

void Operations::finish_removal(const kube::Resource& resource, const kube::Key& key) {
  deletes_.finish_removal(kind(resource), key);
}

Tree controlled_by(const kube::Resource& resource, const kube::Object& owner) {
  return Tree::array({Tree::object({{"apiVersion", resource.api_version()},
                                    {"kind", resource.kind},
                                    {"name", owner.name()},
                                    {"uid", owner.uid()},
                                    {"controller", true},
                                    {"blockOwnerDeletion", true}})});
}

Tree reference_to(const kube::Resource& resource, const kube::Object& object) {
  auto reference = Tree::object({{"kind", resource.kind}});
  if (!object.ns().empty()) reference["namespace"] = object.ns();
  reference["name"] = object.name();
  reference["uid"] = object.uid();
  reference["apiVersion"] = resource.api_version();
  reference["resourceVersion"] = std::to_string(object.resource_version());
  return reference;
}

Tree status_of(const Tree& object) {
  const Tree* status = object.find("status");
  return status != nullptr && status->is_object() ? *status : Tree::object();
}

Tree new_condition(const char* type, bool is_true, const std::string& reason, const std::string& message) {
  return Tree::object(
      {{"type", type}, {"status", is_true ? "True" : "False"}, {"reason", reason}, {"message", message}});
}

void set_condition(Tree& status, Tree condition, const std::string& now) {
  auto& conditions = list_in(status, "conditions");
  const auto type = condition.text_at({"type"});
  const auto found =
      std::ranges::find_if(conditions, [&type](const Tree& other) { return other.text_at({"type"}) == type; });
  condition["lastTransitionTime"] = now;
  if (found == conditions.end()) return conditions.push_back(std::move(condition));
  if (found->text_at({"status"}) == condition.text_at({"status"})) {
    condition["lastTransitionTime"] = found->text_at({"lastTransitionTime"});
  }
  *found = std::move(condition);
}

void remove_condition(Tree& status, std::string_view type) {
  auto conditions = Tree::array(status.items_at({"conditions"}));
  std::erase_if(conditions.items(), [type](const Tree& one) { return one.text_at({"type"}) == type; });
  set_or_erase(status, "conditions", std::move(conditions));
}

void set_count(Tree& status, const char* name, std::int64_t count) {
  status.erase(name);
  if (count != 0) status[name] = count;
}

std::int64_t share_of(const Tree* value, std::int64_t whole, bool rounds_up) {
  if (value == nullptr) return 0;
  std::string_view text = value->scalar();
  const bool is_percentage = text.ends_with('%');
  if (is_percentage) text.remove_suffix(1);
  const auto number = base::parse_number<std::int32_t>(text).value_or(0);
  if (!is_percentage) return number;
  return (std::max<std::int64_t>(0, number) * whole + (rounds_up ? 99 : 0)) / 100;
}

}  // namespace keelson::sandbox
