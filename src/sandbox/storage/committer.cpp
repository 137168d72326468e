#include "src/sandbox/storage/committer.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/json/limits.hpp"
#include "src/sandbox/admission/plugins.hpp"
#include "src/sandbox/admission/review.hpp"
#include "src/sandbox/admission/session.hpp"
#include "src/sandbox/authorization/access.hpp"
#include "src/sandbox/authorization/escalation.hpp"
#include "src/sandbox/controllers/definition_status.hpp"
#include "src/sandbox/custom/custom_defaults.hpp"
#include "src/sandbox/kinds/new_objects.hpp"
#include "src/sandbox/kinds/node_ports.hpp"
#include "src/sandbox/kinds/object_form.hpp"
#include "src/sandbox/storage/generations.hpp"
#include "src/sandbox/storage/stored_defaults.hpp"
#include "src/sandbox/storage/version_owners.hpp"
#include "src/sandbox/validation/validation.hpp"
#include "src/sandbox/validation/write_warnings.hpp"
#include "src/sandbox/verbs/writable_fields.hpp"

namespace keelson::sandbox {

namespace {

// The stored object has its defaults already.
bool has_spec_of(const Tree& stored, const Tree& next) {
  const Tree* had = stored.find("spec");
  const Tree* has = next.find("spec");
  return had != nullptr && has != nullptr && *had == *has;
}

Rejection in_terminating_namespace(const kube::Resource& resource, const kube::Key& key) {
  auto rejected = forbidden_object(
      resource, key.name, "unable to create new content in namespace " + key.ns + " because it is being terminated");
  const auto cause = Tree::object({{"reason", "NamespaceTerminating"},
                                   {"message", "namespace " + key.ns + " is being terminated"},
                                   {"field", "metadata.namespace"}});
  rejected.status["details"]["causes"] = Tree::array({cause});
  return rejected;
}

RejectionOr<void> check_namespace(const World& world, const Call& call) {
  static const auto kNamespaces = kube::namespaces();
  const auto* kind = world.kinds.find(kNamespaces);
  const auto* found = world.store.find(*kind, kube::Key("", call.key.ns));
  if (found == nullptr) return not_found(kNamespaces, call.key.ns);
  if (!found->object.deleting()) return {};
  return in_terminating_namespace(call.resource(), call.key);
}

// No objects are created while those of a deleted definition are deleted, so the deletion ends.
RejectionOr<void> check_definition(const World& world, const Call& call) {
  static const auto kDefinitions = kube::custom_resource_definitions();
  const kube::Key key("", call.resource().qualified_plural());
  const auto* definition = world.store.find(*world.kinds.find(kDefinitions), key);
  if (definition == nullptr || !definition->object.deleting()) return {};
  const Tree* condition = condition_in(definition->stored().tree.copy_at({"status"}), "Terminating");
  if (condition == nullptr || condition->text_at({"status"}) != "True") return {};
  return forbidden_object(call.resource(), call.has_generated_name ? "" : call.key.name,
                          "create not allowed while custom resource definition is terminating");
}

// managedFields repeat the levels of an object below four levels of their own.
constexpr std::size_t kMostLevels = limits::kJsonDepth - 16;

bool is_deeper_than(const Tree& value, std::size_t levels) {
  if (!value.is_object() && !value.is_array()) return false;
  if (levels == 0) return true;
  auto is_deep = [levels](const Tree& inner) { return is_deeper_than(inner, levels - 1); };
  const auto& items = value.items();
  const auto& members = value.members();
  return std::ranges::any_of(items, is_deep) ||
         std::ranges::any_of(members, [&](const auto& member) { return is_deep(member.second); });
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

// The Service without the fields that the server allocates, unless the client sent them: they have no owner.
Tree without_allocated(Tree service, const Tree& sent) {
  for (const char* name : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
    if (sent.at({"spec", name}) == nullptr && service.at({"spec", name}) != nullptr) service["spec"].erase(name);
  }
  return service;
}

// A client may change the ownership of fields, by the managedFields of its object, but not through a subresource.
Managers owners_before(const Call& call, const Store::Entry* live, const Tree& next) {
  auto stored = live != nullptr ? live->stored().managers : Managers();
  if (call.subresource != Subresource::kNone) return stored;
  return managers_before(next.at({"metadata", "managedFields"}), stored, call.kind->is_custom);
}

constexpr std::string_view kSpec = "f:spec";  // in managedFields

// The ownership without that of the specification.
Managers without_specification(Managers managers) {
  for (auto& manager : managers) {
    if (manager.fields.set().root().find(kSpec) == nullptr) continue;
    auto root = manager.fields.set().root();
    std::erase_if(root.below, [](const FieldNode& node) { return node.step == kSpec; });
    manager.fields = FieldSet(std::move(root));
  }
  std::erase_if(managers, [](const Manager& manager) { return manager.fields.set().empty(); });
  return managers;
}

// Mutating webhooks see a new object before the server completes it.
void hide_own_metadata(Attributes& attributes, bool has_generated_name) {
  auto& metadata = attributes.object["metadata"];
  for (const char* name : {"uid", "creationTimestamp", "generation"}) metadata.erase(name);
  if (!has_generated_name) return;
  metadata.erase("name");
  attributes.name.clear();
}

// A single write. Clients observe the order of its phases, which is that of kube-apiserver: by the fields that webhooks
// receive, by the error of a write that breaks several rules, and by the owners of fields.
class Commit {
 public:
  Commit(World& world, Plugins& plugins, const Call& call, const Store::Entry* live, Tree next,
         std::optional<Managers> managers)
      : world_(world),
        plugins_(plugins),
        call_(call),
        live_(live),
        before_(live != nullptr ? &live->stored().tree : nullptr),
        owners_(owners_before(call, live, next)),
        next_(std::move(next)),
        nulls_(managers ? Nulls::kKept : Nulls::kDropped),
        managers_(std::move(managers)) {}

  [[nodiscard]] RejectionOr<Answer> run() {
    KEELSON_TRY(check_request());
    KEELSON_TRY(complete());
    KEELSON_TRY(mutate());
    KEELSON_TRY(validate_object());
    finish();
    KEELSON_TRY(admit());
    const bool is_whole = call_.subresource == Subresource::kNone;
    auto warnings = is_whole ? write_warnings(*call_.kind, before_, next_) : std::vector<std::string>();
    auto answer = store();
    if (answer) answer->warnings = std::move(warnings);
    return answer;
  }

 private:
  [[nodiscard]] RejectionOr<void> check_request() const {
    if (is_new() && call_.kind->is_custom) KEELSON_TRY(check_definition(world_, call_));
    if (is_new() && call_.resource().namespaced) KEELSON_TRY(check_namespace(world_, call_));
    if (is_deeper_than(next_, kMostLevels)) return bad_request("the object is nested too deep");
    return {};
  }

  // Adds the fields that the server sets: metadata, defaults, addresses and ports.
  [[nodiscard]] RejectionOr<void> complete() {
    write_own_metadata();
    sent_ = next_;
    has_empty_parts_ = !is_new() && counts_empty_parts(call_, sent_);
    const bool is_service = call_.resource() == kube::services();
    if (is_service) give_address(before_, next_, world_.store.version());
    pass_through_type(*call_.kind, next_, before_);
    if (call_.resource() == kube::daemon_sets()) count_templates(before_, next_);
    KEELSON_TRY(add_custom_defaults());
    assign_owners(is_service ? without_allocated(next_, sent_) : next_);
    const bool is_request = call_.resource() == certificate_requests() && call_.subresource == Subresource::kNone;
    if (is_request) managers_ = without_specification(std::move(*managers_));
    if (is_service) KEELSON_TRY(give_node_ports(world_, call_, before_, next_));
    if (call_.subresource == Subresource::kStatus && call_.resource().plural == "persistentvolumes") {
      stamp_phase(world_, before_, next_);
    }
    const bool is_pod_update = !is_new() && call_.subresource == Subresource::kNone && call_.resource() == kube::pods();
    if (is_pod_update) complete_pod_update(world_, *before_, next_);
    if (!is_new()) return {};
    const auto why = complete_new_object(world_, call_.resource(), next_);
    if (!why.empty()) return forbidden_write(attributes_of(call_, live_, next_, *managers_), why);
    return {};
  }

  // Applies the changes of mutating policies and webhooks.
  [[nodiscard]] RejectionOr<void> mutate() {
    const bool has_policies = is_for_plugins(call_) && plugins_.policies.has_mutating();
    if (call_.admission == nullptr && !has_policies) return {};
    auto attributes = attributes_of(call_, live_, next_, *managers_);
    if (is_new()) hide_own_metadata(attributes, call_.has_generated_name);
    const auto asked = attributes.object;
    if (has_policies) KEELSON_TRY(plugins_.policies.mutate(*call_.kind, attributes, false));
    KEELSON_TRY(ask_mutating_webhooks(attributes, has_policies));
    if (attributes.object != asked) {
      next_ = with_writable_fields(call_, before_, std::move(attributes.object));
      write_own_metadata();
      pass_through_type(*call_.kind, next_, before_);
    }
    KEELSON_TRY(add_custom_defaults());
    if (is_deeper_than(next_, kMostLevels)) return bad_request("the object is nested too deep");
    return {};
  }

  // Policies are applied again to what webhooks have changed.
  [[nodiscard]] RejectionOr<void> ask_mutating_webhooks(Attributes& attributes, bool has_policies) const {
    if (call_.admission == nullptr) return {};
    const auto sent = attributes.object;
    KEELSON_TRY(call_.admission->mutate(*call_.kind, attributes, basis_of(call_, live_)));
    const bool has_changed = has_policies && attributes.object != sent;
    return has_changed ? plugins_.policies.mutate(*call_.kind, attributes, true) : RejectionOr<void>();
  }

  [[nodiscard]] RejectionOr<void> validate_object() const {
    if (world_.is_starting) return {};
    KEELSON_TRY(check_escalation(call_, before_, next_));
    const auto rules = world_.kinds.ignores_rules() ? RuleUse::kIgnored : RuleUse::kChecked;
    const auto& served = call_.view != nullptr ? *call_.view : *call_.kind;
    auto errors = validate(served, before_, next_, call_.subresource, rules);
    if (errors.empty()) return {};
    if (const auto decoded = with_empty_parts(next_, sent_); decoded != next_) {
      errors = validate(served, before_, decoded, call_.subresource, rules);
    }
    return invalid_object(call_.resource(), call_.key.name, errors);
  }

  // Adds what depends on the whole object: the status of a new object, the generation.
  void finish() {
    // The default of the status is added after the ownership, because the real server adds it when it reads an object:
    // only the writer owns the status.
    if (is_new() || next_.at({"status"}) == nullptr) add_status(*call_.kind, next_);
    if (is_definition()) begin_definition_status(next_);
    is_same_ = !is_new() && !has_empty_parts_ && next_ == *before_ && same_owners(*managers_, live_->stored().managers);
    if (!is_new() && !is_same_) count_generation();
  }

  // The plugins and webhooks that validate.
  [[nodiscard]] RejectionOr<void> admit() const {
    const auto attributes = [this] { return attributes_of(call_, live_, next_, *managers_); };
    const bool has_plugins = is_for_plugins(call_);
    if (has_plugins) KEELSON_TRY(plugins_.validate(call_, attributes));
    if (call_.admission != nullptr) {
      KEELSON_TRY(call_.admission->validate(*call_.kind, attributes(), basis_of(call_, live_)));
    }
    return has_plugins ? plugins_.charge(call_, attributes) : RejectionOr<void>();
  }

  [[nodiscard]] RejectionOr<Answer> store() {
    if (is_new() && world_.store.find(*call_.kind, call_.key) != nullptr) {
      return already_exists(call_.resource(), call_.key.name);
    }
    if (is_same_ && call_.kind->conversion) return rehearsed(200);
    if (is_same_) return Answer{200, std::string(live_->object.json())};
    if (!is_new() && is_finished(next_)) return remove();
    const int code = is_new() ? 201 : 200;
    KEELSON_TRY(convert_to_storage());
    return call_.is_dry_run() ? rehearsed(code) : put(code);
  }

  void write_own_metadata() {
    auto& metadata = next_["metadata"];
    for (const char* name : {"managedFields", "selfLink"}) metadata.erase(name);
    // The real server writes kind and apiVersion first.
    for (const char* name : {"kind", "apiVersion"}) next_.erase(name);
    next_.members().emplace_front("apiVersion", call_.resource().api_version());
    next_.members().emplace_front("kind", call_.resource().kind);
    metadata["name"] = call_.key.name;
    metadata.erase("namespace");
    if (call_.resource().namespaced) metadata["namespace"] = call_.key.ns;
    if (is_new()) {
      for (const char* name : {"resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
        metadata.erase(name);
      }
      metadata["uid"] = call_.admission != nullptr ? call_.admission->uid : world_.random.uuid();
      metadata["creationTimestamp"] = call_.admission != nullptr ? call_.admission->now : world_.time_text();
      if (call_.kind->has_generation) metadata["generation"] = 1;
      return;
    }
    for (const char* name : {"creationTimestamp", "generation", "resourceVersion"}) {
      metadata.erase(name);
      if (const Tree* value = before_->at({"metadata", name})) metadata[name] = *value;
    }
    // The validation rejects the other values of a client.
    for (const char* name : {"uid", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
      const Tree* value = before_->at({"metadata", name});
      const Tree* sent = std::as_const(metadata).find(name);
      const bool is_absent = sent == nullptr || sent->is_null() || (sent->is_string() && sent->scalar().empty());
      if (value != nullptr && (is_absent || name == std::string_view("deletionTimestamp"))) metadata[name] = *value;
    }
  }

  // The caller owns the fields that differ now, unless an apply has decided already. What the server or a webhook adds
  // later has no owner.
  void assign_owners(const Tree& next) {
    if (managers_) return;
    managers_ = std::move(owners_);
    // An object without managers gets none before its next apply.
    if (managers_->empty() && !is_new()) return;
    managers_ =
        owners_after_update(world_, call_, before_, next, std::move(*managers_), manager_of(world_, call_, false));
  }

  [[nodiscard]] RejectionOr<void> add_custom_defaults() {
    if (!call_.kind->values || apply_custom_defaults(next_, *call_.kind->values, nulls_)) return {};
    return rejection(413, "RequestEntityTooLarge", "the object is too large with the defaults of its schema");
  }

  void count_generation() {
    const bool counts = has_empty_parts_ || counts_change(call_, *before_, next_);
    if (counts) next_["metadata"]["generation"] = live_->object.generation() + 1;
  }

  // The object as it would be stored.
  [[nodiscard]] Answer rehearsed(int code) {
    if (!managers_->empty()) next_["metadata"]["managedFields"] = managed_fields(*managers_);
    return {code, next_.text()};
  }

  [[nodiscard]] RejectionOr<Answer> remove() {
    Answer last{200, next_.text()};  // the object as it was sent, with the stored version
    if (call_.is_dry_run()) return last;
    const auto erased = world_.store.erase(*call_.kind, call_.key);
    return erased ? RejectionOr<Answer>(std::move(last)) : not_stored(erased.error());
  }

  [[nodiscard]] RejectionOr<void> convert_to_storage() {
    const auto& kind = *call_.kind;
    if (!kind.conversion || next_.text_at({"apiVersion"}) == kind.conversion->storage_version) return {};
    if (!kind.conversion->has_webhook) {
      next_["apiVersion"] = kind.conversion->storage_version;
    } else if (call_.admission != nullptr) {
      KEELSON_LET(next_, call_.admission->converted(kind, next_.text(), kind.conversion->storage_version,
                                                    [this] { return next_; }));
    }
    return {};
  }

  [[nodiscard]] RejectionOr<Answer> put(int code) {
    auto definition = needs_serving() ? served_definition(world_, next_) : std::nullopt;
    const auto entry = world_.store.put(*call_.kind, call_.key, {std::move(next_), std::move(*managers_)});
    if (!entry) return not_stored(entry.error());
    if (definition) {
      world_.kinds.add_definition(*definition);
      add_defaults_to_stored(world_, *definition);
    }
    return Answer{code, std::string((*entry)->object.json())};
  }

  // Compiling the schemas of a definition takes time, so a new condition does not do it again.
  [[nodiscard]] bool needs_serving() const {
    if (!is_definition()) return false;
    if (is_new() || !has_spec_of(*before_, next_)) return true;
    const auto had = before_->copy_at({"status", "acceptedNames"});
    if (next_.copy_at({"status", "acceptedNames"}) == had) return false;
    return !had.text_at({"plural"}).empty() || !is_served();
  }

  // The definition that is written.
  [[nodiscard]] bool is_served() const {
    return std::ranges::any_of(next_.items_at({"spec", "versions"}), [this](const Tree& version) {
      kube::Resource resource(next_.text_at({"spec", "group"}), version.text_at({"name"}), "",
                              next_.text_at({"spec", "names", "plural"}), true);
      return world_.kinds.find(resource) != nullptr;
    });
  }

  [[nodiscard]] bool is_new() const { return live_ == nullptr; }
  [[nodiscard]] bool is_definition() const { return call_.resource() == kube::custom_resource_definitions(); }

  World& world_;
  Plugins& plugins_;
  const Call& call_;
  const Store::Entry* live_;  // null: a new object
  const Tree* before_;        // the object of live_
  Managers owners_;           // before the write
  Tree next_;
  Tree sent_;  // next_ before the server completed it
  Nulls nulls_;
  std::optional<Managers> managers_;  // after the write; nullopt until assign_owners()
  bool has_empty_parts_ = false;      // that count as a change
  bool is_same_ = false;
};

}  // namespace

bool is_finished(const Tree& object) {
  const Tree* finalizers = object.at({"metadata", "finalizers"});
  const bool has_finalizers = finalizers != nullptr && !finalizers->is_empty();
  const bool is_namespace = object.text_at({"kind"}) == "Namespace" && object.text_at({"apiVersion"}) == "v1";
  const bool has_content = is_namespace && !object.items_at({"spec", "finalizers"}).empty();
  return object.at({"metadata", "deletionTimestamp"}) != nullptr && !has_finalizers && !has_content &&
         object.integer_at({"metadata", "deletionGracePeriodSeconds"}) == 0;
}

Manager manager_of(const World& world, const Call& call, bool applies) {
  auto name = call.parameter("fieldManager");
  return {.name = name.empty() ? call.user.name : name,
          .applies = applies,
          .subresource = subresource_name(call.subresource),
          .api_version = (call.view != nullptr ? *call.view : *call.kind).resource.api_version(),
          .time = call.admission != nullptr ? call.admission->now : world.time_text(),
          .fields = {}};
}

Committer::Committer(World& world) : world_(world), plugins_(std::make_unique<Plugins>(world)) {}
Committer::~Committer() = default;

RejectionOr<Answer> Committer::commit(const Call& call, const Store::Entry* live, Tree next,
                                      std::optional<Managers> managers) {
  return Commit(world_, *plugins_, call, live, std::move(next), std::move(managers)).run();
}

}  // namespace keelson::sandbox
