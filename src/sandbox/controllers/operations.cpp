#include "src/sandbox/controllers/operations.hpp"

#include <algorithm>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "src/sandbox/controllers/event_recorder.hpp"

namespace keelson::sandbox {

const ServedKind& Operations::kind(const kube::Resource& resource) const {
  const auto* found = world.kinds.find(resource);
  KEELSON_ASSERT(found != nullptr);
  return *found;
}

std::vector<kube::Object> Operations::owned(const kube::Resource& resource, const kube::Object& by) const {
  std::vector<kube::Object> objects;
  for (auto& [owned_kind, object] : world.store.dependents(by)) {
    auto owner = object.controller_owner();
    if (owned_kind == &kind(resource) && owner && owner->uid == by.uid()) objects.push_back(std::move(object));
  }
  return objects;
}

std::optional<kube::Object> Operations::object(const kube::Resource& resource, const kube::Key& key) const {
  const auto* entry = world.store.find(kind(resource), key);
  return entry == nullptr ? std::nullopt : std::optional(entry->object);
}

const Tree* Operations::tree(const kube::Resource& resource, const kube::Key& key) const {
  const auto* entry = world.store.find(kind(resource), key);
  return entry == nullptr ? nullptr : &entry->stored().tree;
}

Call Operations::call(const kube::Resource& resource, const kube::Key& key, Subresource subresource) const {
  Call made;
  made.user = user_;
  // The field managers that the real components use.
  const bool is_controller = user_.name.starts_with("system:serviceaccount:kube-system:");
  made.query["fieldManager"] = is_controller ? "kube-controller-manager" : "kubelet";
  made.verb = kube::Verb::kUpdate;
  made.kind = &kind(resource);
  made.key = key;
  made.subresource = subresource;
  return made;
}

void Operations::create(const kube::Resource& resource, const std::string& ns, Tree object) {
  kube::Key key(ns, object.text_at({"metadata", "name"}));
  if (world.store.find(kind(resource), key) != nullptr) return;
  static_cast<void>(
      committer_.commit(call(resource, key, Subresource::kNone), nullptr, std::move(object), std::nullopt));
}

void Operations::write(const kube::Resource& resource, const kube::Key& key, Tree object, Subresource subresource) {
  const auto* entry = world.store.find(kind(resource), key);
  if (entry == nullptr) return;
  static_cast<void>(committer_.commit(call(resource, key, subresource), entry, std::move(object), std::nullopt));
}

void Operations::write_status(const kube::Resource& resource, const kube::Key& key, Tree status) {
  const Tree* before = tree(resource, key);
  if (before == nullptr) return;
  auto next = *before;
  next["status"] = std::move(status);
  write(resource, key, std::move(next), Subresource::kStatus);
}

void Operations::record(const kube::Resource& resource, const kube::Object& object, const std::string& reason,
                        const std::string& message, const std::string& type) {
  if (recorder_ == nullptr) return;
  auto component = user_.name.substr(user_.name.rfind(':') + 1);
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

Tree status_of(const Tree& object) {
  const Tree* status = object.find("status");
  return status != nullptr && status->is_object() ? *status : Tree::object();
}

Tree new_condition(const char* type, bool is_true, const std::string& reason, const std::string& message) {
  return Tree::object(
      {{"type", type}, {"status", is_true ? "True" : "False"}, {"reason", reason}, {"message", message}});
}

void set_condition(Tree& status, Tree condition, const std::string& now) {
  auto& conditions = status["conditions"];
  if (!conditions.is_array()) conditions = Tree::array();
  auto type = condition.text_at({"type"});
  auto found =
      std::ranges::find_if(conditions.items(), [&type](const Tree& other) { return other.text_at({"type"}) == type; });
  condition["lastTransitionTime"] = now;
  if (found == conditions.items().end()) {
    conditions.items().push_back(std::move(condition));
    return;
  }
  if (found->text_at({"status"}) == condition.text_at({"status"})) {
    condition["lastTransitionTime"] = found->text_at({"lastTransitionTime"});
  }
  *found = std::move(condition);
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
