#include "src/sandbox/committer.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/json/limits.hpp"
#include "src/sandbox/admission/session.hpp"
#include "src/sandbox/authorization/escalation.hpp"
#include "src/sandbox/controllers/established.hpp"
#include "src/sandbox/custom/custom_defaults.hpp"
#include "src/sandbox/defaults.hpp"
#include "src/sandbox/new_objects.hpp"
#include "src/sandbox/node_ports.hpp"
#include "src/sandbox/validation.hpp"
#include "src/sandbox/writable_fields.hpp"

namespace keelson::sandbox {

namespace {

// metadata.generation counts changes of everything except metadata and status.
bool differs_in_spec(const Tree& before, const Tree& after) {
  auto has_other = [](const Tree& one, const Tree& two) {
    return std::any_of(one.members().begin(), one.members().end(), [&two](const auto& member) {
      if (member.first == "metadata" || member.first == "status") return false;
      const Tree* same = two.find(member.first);
      return same == nullptr || !(*same == member.second);
    });
  };
  return has_other(before, after) || has_other(after, before);
}

// The stored object has its defaults already.
bool has_spec_of(const Tree& stored, const Tree& next) {
  const Tree* had = stored.find("spec");
  const Tree* has = next.find("spec");
  return had != nullptr && has != nullptr && *had == *has;
}

RejectionOr<void> check_namespace(const World& world, const Call& call) {
  static const kube::Resource kNamespaces("", "v1", "Namespace", "namespaces", false);
  const auto* kind = world.kinds.find(kNamespaces);
  if (world.store.find(*kind, kube::Key("", call.key.ns)) != nullptr) return {};
  return not_found(kNamespaces, call.key.ns);
}

// managedFields repeat the levels of an object below four levels of their own.
constexpr std::size_t kMostLevels = limits::kJsonDepth - 16;

bool is_deeper_than(const Tree& value, std::size_t levels) {
  if (!value.is_object() && !value.is_array()) return false;
  if (levels == 0) return true;
  auto is_deep = [levels](const Tree& inner) { return is_deeper_than(inner, levels - 1); };
  const auto& items = value.items();
  const auto& members = value.members();
  return std::any_of(items.begin(), items.end(), is_deep) ||
         std::any_of(members.begin(), members.end(), [&](const auto& member) { return is_deep(member.second); });
}

// An address of 10.96.0.0/12, kubeadm's range for Services. The addresses of the last million versions are distinct.
std::string service_address(std::uint64_t version) {
  return "10." + std::to_string(96 + ((version >> 16U) & 0xfU)) + "." + std::to_string((version >> 8U) & 0xffU) + "." +
         std::to_string(version & 0xffU);
}

// An update without the address retains it.
void give_address(const Tree* before, Tree& service, std::uint64_t version) {
  Tree* spec = service.find("spec");
  if (spec == nullptr || spec->text_at({"type"}) == "ExternalName") return;
  const auto kept = before != nullptr ? before->text_at({"spec", "clusterIP"}) : std::string();
  if (spec->text_at({"clusterIP"}).empty()) (*spec)["clusterIP"] = kept.empty() ? service_address(version) : kept;
}

// A client may change the ownership of fields, by the managedFields of its object. Others send them as they were read,
// or send none.
Managers owners_before(const Store::Entry* live, const Tree& next) {
  if (live == nullptr) return {};
  const auto& stored = live->stored().managers;
  const Tree* fields = next.at({"metadata", "managedFields"});
  auto given = fields != nullptr ? managers_of(*fields) : Managers();
  return given.empty() || same_owners(given, managers_of(managed_fields(stored))) ? stored : given;
}

// Mutating webhooks see a new object before the server completes it.
void hide_own_metadata(Attributes& attributes, bool has_generated_name) {
  auto& metadata = attributes.object["metadata"];
  for (const char* name : {"uid", "creationTimestamp", "generation"}) metadata.erase(name);
  if (!has_generated_name) return;
  metadata.erase("name");
  attributes.name.clear();
}

Rejection too_large_defaults() {
  return rejection(413, "RequestEntityTooLarge", "the object is too large with the defaults of its schema");
}

// The object as it would be stored.
Answer rehearsed(int code, Tree object, const Managers& managers) {
  if (!managers.empty()) object["metadata"]["managedFields"] = managed_fields(managers);
  return {code, object.text()};
}

}  // namespace

bool is_finished(const Tree& object) {
  const Tree* finalizers = object.at({"metadata", "finalizers"});
  bool has_finalizers = finalizers != nullptr && !finalizers->is_empty();
  return object.at({"metadata", "deletionTimestamp"}) != nullptr && !has_finalizers &&
         object.integer_at({"metadata", "deletionGracePeriodSeconds"}) == 0;
}

RejectionOr<Answer> Committer::commit(const Call& call, const Store::Entry* live, Tree next,
                                      std::optional<Managers> managers) {
  if (live == nullptr && call.resource().namespaced) KEELSON_TRY(check_namespace(world_, call));
  if (is_deeper_than(next, kMostLevels)) return bad_request("the object is nested too deep");
  const auto owners = owners_before(live, next);
  write_own_metadata(call, live, next);
  const Tree* before = live != nullptr ? &live->stored().tree : nullptr;
  if (call.resource() == kube::services()) give_address(before, next, world_.store.version());
  if (before == nullptr || !has_spec_of(*before, next)) set_defaults(*call.kind, next);
  if (call.resource() == kube::services()) give_node_ports(world_, call, before, next);
  if (before == nullptr) {
    // Fields that the server adds have no owner.
    if (!managers) managers = owners_after(call, live, next, owners);
    complete_new_object(world_, call.resource(), next);
  }
  if (call.kind->values && !apply_custom_defaults(next, *call.kind->values)) return too_large_defaults();
  if (call.admission != nullptr) {
    if (!managers) managers = owners_after(call, live, next, owners);
    KEELSON_TRY(mutate(call, live, next, *managers));
    if (call.kind->values && !apply_custom_defaults(next, *call.kind->values)) return too_large_defaults();
    if (is_deeper_than(next, kMostLevels)) return bad_request("the object is nested too deep");
  }
  KEELSON_TRY(check_escalation(call, before, next));
  auto rules = world_.kinds.ignores_rules() ? RuleUse::kIgnored : RuleUse::kChecked;
  auto errors = validate(*call.kind, before, next, call.subresource, rules);
  if (!errors.empty()) return invalid_object(call.resource(), call.key.name, errors);
  if (!managers) managers = owners_after(call, live, next, owners);
  // The default of the status is added after the ownership, because the real server adds it when it reads an object:
  // only the writer owns the status.
  if (!call.kind->status_default.is_null()) next.set_default("status", call.kind->status_default);
  if (call.resource() == kube::custom_resource_definitions()) establish(next, world_.time_text());
  bool is_same = live != nullptr && next == *before && same_owners(*managers, live->stored().managers);
  bool counts = call.kind->has_generation && call.subresource != Subresource::kBinding;
  if (!is_same && live != nullptr && counts && differs_in_spec(*before, next)) {
    next["metadata"]["generation"] = live->object.generation() + 1;
  }
  KEELSON_TRY(ask_validating_webhooks(call, live, next, *managers));
  if (live == nullptr && world_.store.find(*call.kind, call.key) != nullptr) {
    return already_exists(call.resource(), call.key.name);
  }
  if (is_same && call.kind->conversion) return rehearsed(200, std::move(next), *managers);
  if (is_same) return Answer{200, std::string(live->object.json())};
  if (live != nullptr && is_finished(next)) {
    Answer last{200, next.text()};  // the object as it was sent, with the stored version
    if (call.is_dry_run()) return last;
    auto erased = world_.store.erase(*call.kind, call.key);
    return erased ? RejectionOr<Answer>(std::move(last)) : not_stored(erased.error());
  }
  int code = live == nullptr ? 201 : 200;
  if (call.is_dry_run()) return rehearsed(code, std::move(next), *managers);
  KEELSON_TRY(convert_to_storage(call, next));
  auto definition = call.resource() == kube::custom_resource_definitions() ? next : Tree();
  auto entry = world_.store.put(*call.kind, call.key, {std::move(next), std::move(*managers)});
  if (!entry) return not_stored(entry.error());
  if (!definition.is_null()) world_.kinds.add_definition(definition);
  return Answer{code, std::string((*entry)->object.json())};
}

RejectionOr<void> Committer::convert_to_storage(const Call& call, Tree& next) const {
  const auto& kind = *call.kind;
  if (!kind.conversion || next.text_at({"apiVersion"}) == kind.conversion->storage_version) return {};
  if (!kind.conversion->has_webhook) {
    next["apiVersion"] = kind.conversion->storage_version;
  } else if (call.admission != nullptr) {
    KEELSON_LET(
        next, call.admission->converted(kind, next.text(), kind.conversion->storage_version, [&next] { return next; }));
  }
  return {};
}

Managers Committer::owners_after(const Call& call, const Store::Entry* live, const Tree& next, Managers owners) const {
  const auto before = live != nullptr ? live->stored().tree : Tree::object();
  return after_update(before, next, std::move(owners), manager_of(call, false), call.kind->rules);
}

RejectionOr<void> Committer::mutate(const Call& call, const Store::Entry* live, Tree& next,
                                    const Managers& managers) const {
  auto attributes = attributes_of(call, live, next, managers);
  if (live == nullptr) hide_own_metadata(attributes, call.has_generated_name);
  const auto asked = attributes.object;
  KEELSON_TRY(call.admission->mutate(*call.kind, attributes, basis_of(call, live)));
  if (attributes.object == asked) return {};
  next = with_writable_fields(call, live != nullptr ? &live->stored().tree : nullptr, std::move(attributes.object));
  write_own_metadata(call, live, next);
  set_defaults(*call.kind, next);
  return {};
}

RejectionOr<void> Committer::ask_validating_webhooks(const Call& call, const Store::Entry* live, const Tree& next,
                                                     const Managers& managers) const {
  if (call.admission == nullptr) return {};
  auto attributes = attributes_of(call, live, next, managers);
  return call.admission->validate(*call.kind, attributes, basis_of(call, live));
}

Manager Committer::manager_of(const Call& call, bool applies) const {
  auto name = call.parameter("fieldManager");
  return {.name = name.empty() ? call.user.name : name,
          .applies = applies,
          .subresource = subresource_name(call.subresource),
          .api_version = call.resource().api_version(),
          .time = call.admission != nullptr ? call.admission->now : world_.time_text(),
          .fields = {}};
}

void Committer::write_own_metadata(const Call& call, const Store::Entry* live, Tree& next) const {
  auto& metadata = next["metadata"];
  for (const char* name : {"managedFields", "selfLink"}) metadata.erase(name);
  // The real server writes kind and apiVersion first.
  for (const char* name : {"kind", "apiVersion"}) next.erase(name);
  next.members().emplace_front("apiVersion", call.resource().api_version());
  next.members().emplace_front("kind", call.resource().kind);
  metadata["name"] = call.key.name;
  if (call.resource().namespaced) metadata["namespace"] = call.key.ns;
  if (live == nullptr) {
    for (const char* name : {"resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"}) {
      metadata.erase(name);
    }
    metadata["uid"] = call.admission != nullptr ? call.admission->uid : world_.random.uuid();
    metadata["creationTimestamp"] = call.admission != nullptr ? call.admission->now : world_.time_text();
    if (call.kind->has_generation) metadata["generation"] = 1;
    return;
  }
  for (const char* name : {"uid", "creationTimestamp", "generation", "deletionTimestamp", "deletionGracePeriodSeconds",
                           "resourceVersion"}) {
    metadata.erase(name);
    if (const Tree* value = live->stored().tree.at({"metadata", name})) metadata[name] = *value;
  }
}

}  // namespace keelson::sandbox
