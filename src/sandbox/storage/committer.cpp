#include "src/sandbox/storage/committer.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/json/limits.hpp"
#include "src/sandbox/admission/session.hpp"
#include "src/sandbox/authorization/escalation.hpp"
#include "src/sandbox/controllers/established.hpp"
#include "src/sandbox/custom/custom_defaults.hpp"
#include "src/sandbox/kinds/defaults.hpp"
#include "src/sandbox/kinds/new_objects.hpp"
#include "src/sandbox/kinds/node_ports.hpp"
#include "src/sandbox/validation/validation.hpp"
#include "src/sandbox/verbs/writable_fields.hpp"

namespace keelson::sandbox {

namespace {

// metadata.generation counts changes of everything except metadata and status.
bool differs_in_spec(const Tree& before, const Tree& after) {
  auto has_other = [](const Tree& one, const Tree& two) {
    return std::ranges::any_of(one.members(), [&two](const auto& member) {
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

// A single write. Clients observe the order of its phases, which is that of kube-apiserver: by the fields that webhooks
// receive, by the error of a write that breaks several rules, and by the owners of fields.
class Commit {
 public:
  Commit(World& world, const Call& call, const Store::Entry* live, Tree next, std::optional<Managers> managers)
      : world_(world),
        call_(call),
        live_(live),
        before_(live != nullptr ? &live->stored().tree : nullptr),
        owners_(owners_before(live, next)),
        next_(std::move(next)),
        managers_(std::move(managers)) {}

  [[nodiscard]] RejectionOr<Answer> run() {
    KEELSON_TRY(check_request());
    KEELSON_TRY(complete());
    KEELSON_TRY(mutate());
    KEELSON_TRY(validate_object());
    finish();
    KEELSON_TRY(ask_validating_webhooks());
    return store();
  }

 private:
  [[nodiscard]] RejectionOr<void> check_request() const {
    if (is_new() && call_.resource().namespaced) KEELSON_TRY(check_namespace(world_, call_));
    if (is_deeper_than(next_, kMostLevels)) return bad_request("the object is nested too deep");
    return {};
  }

  // Adds the fields that the server sets: metadata, defaults, addresses and ports.
  [[nodiscard]] RejectionOr<void> complete() {
    write_own_metadata();
    const bool is_service = call_.resource() == kube::services();
    if (is_service) give_address(before_, next_, world_.store.version());
    if (is_new() || !has_spec_of(*before_, next_)) set_defaults(*call_.kind, next_);
    if (is_service) give_node_ports(world_, call_, before_, next_);
    if (is_new()) {
      assign_owners();  // before the server adds fields, which have no owner
      complete_new_object(world_, call_.resource(), next_);
    }
    return add_custom_defaults();
  }

  // Applies the changes of mutating webhooks.
  [[nodiscard]] RejectionOr<void> mutate() {
    if (call_.admission == nullptr) return {};
    assign_owners();
    auto attributes = attributes_of(call_, live_, next_, *managers_);
    if (is_new()) hide_own_metadata(attributes, call_.has_generated_name);
    const auto asked = attributes.object;
    KEELSON_TRY(call_.admission->mutate(*call_.kind, attributes, basis_of(call_, live_)));
    if (attributes.object != asked) {
      next_ = with_writable_fields(call_, before_, std::move(attributes.object));
      write_own_metadata();
      set_defaults(*call_.kind, next_);
    }
    KEELSON_TRY(add_custom_defaults());
    if (is_deeper_than(next_, kMostLevels)) return bad_request("the object is nested too deep");
    return {};
  }

  [[nodiscard]] RejectionOr<void> validate_object() const {
    KEELSON_TRY(check_escalation(call_, before_, next_));
    const auto rules = world_.kinds.ignores_rules() ? RuleUse::kIgnored : RuleUse::kChecked;
    const auto errors = validate(*call_.kind, before_, next_, call_.subresource, rules);
    if (errors.empty()) return {};
    return invalid_object(call_.resource(), call_.key.name, errors);
  }

  // Adds what depends on the whole object: owners, the status of a new object, the generation.
  void finish() {
    assign_owners();
    // The default of the status is added after the ownership, because the real server adds it when it reads an object:
    // only the writer owns the status.
    if (!call_.kind->status_default.is_null()) next_.set_default("status", call_.kind->status_default);
    if (is_definition()) establish(next_, world_.time_text());
    is_same_ = !is_new() && next_ == *before_ && same_owners(*managers_, live_->stored().managers);
    if (!is_new() && !is_same_) count_generation();
  }

  [[nodiscard]] RejectionOr<void> ask_validating_webhooks() const {
    if (call_.admission == nullptr) return {};
    const auto attributes = attributes_of(call_, live_, next_, *managers_);
    return call_.admission->validate(*call_.kind, attributes, basis_of(call_, live_));
  }

  [[nodiscard]] RejectionOr<Answer> store() {
    if (is_new() && world_.store.find(*call_.kind, call_.key) != nullptr) {
      return already_exists(call_.resource(), call_.key.name);
    }
    if (is_same_ && call_.kind->conversion) return rehearsed(200);
    if (is_same_) return Answer{200, std::string(live_->object.json())};
    if (!is_new() && is_finished(next_)) return remove();
    const int code = is_new() ? 201 : 200;
    if (call_.is_dry_run()) return rehearsed(code);
    KEELSON_TRY(convert_to_storage());
    return put(code);
  }

  void write_own_metadata() {
    auto& metadata = next_["metadata"];
    for (const char* name : {"managedFields", "selfLink"}) metadata.erase(name);
    // The real server writes kind and apiVersion first.
    for (const char* name : {"kind", "apiVersion"}) next_.erase(name);
    next_.members().emplace_front("apiVersion", call_.resource().api_version());
    next_.members().emplace_front("kind", call_.resource().kind);
    metadata["name"] = call_.key.name;
    if (call_.resource().namespaced) metadata["namespace"] = call_.key.ns;
    if (is_new()) {
      for (const char* name : {"resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"}) {
        metadata.erase(name);
      }
      metadata["uid"] = call_.admission != nullptr ? call_.admission->uid : world_.random.uuid();
      metadata["creationTimestamp"] = call_.admission != nullptr ? call_.admission->now : world_.time_text();
      if (call_.kind->has_generation) metadata["generation"] = 1;
      return;
    }
    for (const char* name : {"uid", "creationTimestamp", "generation", "deletionTimestamp",
                             "deletionGracePeriodSeconds", "resourceVersion"}) {
      metadata.erase(name);
      if (const Tree* value = before_->at({"metadata", name})) metadata[name] = *value;
    }
  }

  // The caller owns the fields that differ now, unless an apply has decided already.
  void assign_owners() {
    if (managers_) return;
    const auto before = before_ != nullptr ? *before_ : Tree::object();
    managers_ = after_update(before, next_, std::move(owners_), manager_of(world_, call_, false), call_.kind->rules);
  }

  [[nodiscard]] RejectionOr<void> add_custom_defaults() {
    if (!call_.kind->values || apply_custom_defaults(next_, *call_.kind->values)) return {};
    return rejection(413, "RequestEntityTooLarge", "the object is too large with the defaults of its schema");
  }

  // A binding does not count, although it changes the specification.
  void count_generation() {
    const bool counts = call_.kind->has_generation && call_.subresource != Subresource::kBinding;
    if (counts && differs_in_spec(*before_, next_)) next_["metadata"]["generation"] = live_->object.generation() + 1;
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
    const auto definition = is_definition() ? next_ : Tree();
    const auto entry = world_.store.put(*call_.kind, call_.key, {std::move(next_), std::move(*managers_)});
    if (!entry) return not_stored(entry.error());
    if (!definition.is_null()) world_.kinds.add_definition(definition);
    return Answer{code, std::string((*entry)->object.json())};
  }

  [[nodiscard]] bool is_new() const { return live_ == nullptr; }
  [[nodiscard]] bool is_definition() const { return call_.resource() == kube::custom_resource_definitions(); }

  World& world_;
  const Call& call_;
  const Store::Entry* live_;  // null: a new object
  const Tree* before_;        // the object of live_
  Managers owners_;           // before the write
  Tree next_;
  std::optional<Managers> managers_;  // after the write; nullopt until assign_owners()
  bool is_same_ = false;
};

}  // namespace

bool is_finished(const Tree& object) {
  const Tree* finalizers = object.at({"metadata", "finalizers"});
  const bool has_finalizers = finalizers != nullptr && !finalizers->is_empty();
  return object.at({"metadata", "deletionTimestamp"}) != nullptr && !has_finalizers &&
         object.integer_at({"metadata", "deletionGracePeriodSeconds"}) == 0;
}

Manager manager_of(const World& world, const Call& call, bool applies) {
  auto name = call.parameter("fieldManager");
  return {.name = name.empty() ? call.user.name : name,
          .applies = applies,
          .subresource = subresource_name(call.subresource),
          .api_version = call.resource().api_version(),
          .time = call.admission != nullptr ? call.admission->now : world.time_text(),
          .fields = {}};
}

RejectionOr<Answer> Committer::commit(const Call& call, const Store::Entry* live, Tree next,
                                      std::optional<Managers> managers) {
  return Commit(world_, call, live, std::move(next), std::move(managers)).run();
}

}  // namespace keelson::sandbox
