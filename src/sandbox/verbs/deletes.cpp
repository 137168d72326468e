#include "src/sandbox/verbs/deletes.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "src/sandbox/admission/session.hpp"
#include "src/sandbox/fields/managed_fields.hpp"
#include "src/sandbox/storage/committer.hpp"

namespace keelson::sandbox {

namespace {

constexpr const char* kOrphan = "orphan";
constexpr const char* kForeground = "foregroundDeletion";

// The text of these conflicts has the kind, that of others the plural.
Rejection broken_precondition(const ServedKind& kind, const std::string& name, const std::string& why) {
  auto named = kind.resource;
  named.plural = kind.resource.kind;
  return conflict(named, name, why);
}

void set_finalizer(Tree& object, const char* finalizer, bool is_wanted) {
  auto& metadata = object["metadata"];
  auto finalizers = Tree::array();
  if (const Tree* had = metadata.find("finalizers")) finalizers = *had;
  std::erase(finalizers.items(), Tree(finalizer));
  if (is_wanted) finalizers.items().emplace_back(finalizer);
  if (finalizers.is_empty()) {
    metadata.erase("finalizers");
  } else {
    metadata["finalizers"] = finalizers;
  }
}

// A pod that runs on a node is stopped first.
std::int64_t grace_of(const ServedKind& kind, const Tree& object, const Tree& options) {
  if (kind.resource != kube::pods() || object.text_at({"spec", "nodeName"}).empty()) return 0;
  auto grace = object.integer_at({"spec", "terminationGracePeriodSeconds"}, 30);
  grace = options.integer_at({"gracePeriodSeconds"}, grace);
  // The real server treats a negative number as one second. More than a century would overflow clocks.
  constexpr std::int64_t kLongestGrace = std::int64_t{100} * 365 * 24 * 3600;
  return grace < 0 ? 1 : std::min(grace, kLongestGrace);
}

// In the reviews of a deletecollection, only the object has the name.
RejectionOr<void> ask_webhooks(const Call& call, const Store::Entry& live, const Tree& options) {
  if (call.admission == nullptr) return {};
  auto one = call;
  one.key = live.object.key();
  auto attributes = deletion_attributes(call, live, options);
  const auto basis = basis_of(one, &live);
  KEELSON_TRY(call.admission->mutate(*call.kind, attributes, basis));
  return call.admission->validate(*call.kind, attributes, basis);
}

bool is_defined_by(const Tree& definition, const ServedKind& kind) {
  return kind.is_custom && kind.resource.group == definition.text_at({"spec", "group"}) &&
         kind.resource.plural == definition.text_at({"spec", "names", "plural"});
}

Answer success(const ServedKind& kind, const kube::Object& object) {
  auto details = Tree::object({{"name", object.name()}});
  if (!kind.resource.group.empty()) details["group"] = kind.resource.group;
  details["kind"] = kind.resource.plural;
  details["uid"] = object.uid();
  auto status = Tree::object({{"kind", "Status"},
                              {"apiVersion", "v1"},
                              {"metadata", Tree::object()},
                              {"status", "Success"},
                              {"details", details}});
  return {200, status.text()};
}

// The query counts only without a body, as in kube-apiserver (DeleteResource in endpoints/handlers/delete.go).
RejectionOr<Tree> options_of(const Call& call) {
  if (!call.body.empty()) {
    auto options = Tree::parse(call.body);
    if (!options || !options->is_object()) return bad_request("the DeleteOptions cannot be read");
    return std::move(*options);
  }
  auto options = Tree::object();
  if (!call.parameter("propagationPolicy").empty()) options["propagationPolicy"] = call.parameter("propagationPolicy");
  if (call.is_dry_run()) options["dryRun"] = Tree::array({"All"});
  return options;
}

bool is_dry_run(const Tree& options) {
  const Tree* stages = options.find("dryRun");
  return stages != nullptr && !stages->items().empty();
}

}  // namespace

RejectionOr<void> check_preconditions(const ServedKind& kind, const kube::Object& object, const Tree& options) {
  auto name = std::string(object.name());
  auto uid = options.text_at({"preconditions", "uid"});
  if (!uid.empty() && uid != object.uid()) {
    return broken_precondition(kind, name,
                               "the UID in the precondition (" + uid + ") does not match the UID in record (" +
                                   std::string(object.uid()) +
                                   "). The object might have been deleted and then recreated");
  }
  auto version = options.text_at({"preconditions", "resourceVersion"});
  auto current = std::to_string(object.resource_version());
  if (!version.empty() && version != current) {
    return broken_precondition(kind, name,
                               "the ResourceVersion in the precondition (" + version +
                                   ") does not match the ResourceVersion in record (" + current +
                                   "). The object might have been modified");
  }
  return {};
}

RejectionOr<Answer> Deletes::remove(const Call& call) {
  KEELSON_LET(const auto options, options_of(call));
  return remove_one(*call.kind, call.key, options, &call);
}

RejectionOr<Answer> Deletes::remove_collection(const Call& call) {
  KEELSON_LET(const auto options, options_of(call));
  KEELSON_LET(const auto selection, Selection::of(call));
  auto list = Tree::object({{"kind", call.kind->list_kind()},
                            {"apiVersion", call.resource().api_version()},
                            {"metadata", Tree::object()},
                            {"items", Tree::array()}});
  std::optional<AdmissionSession::Collection> own;
  auto& collection = call.admission != nullptr ? call.admission->collection : own;
  if (!collection) {
    collection = AdmissionSession::Collection();
    for (const auto& [key, entry] : world_.store.all(*call.kind)) {
      if (selection.matches(entry.object)) collection->left.push_back(entry.object);
    }
    std::ranges::reverse(collection->left);
  }
  for (auto& left = collection->left; !left.empty(); left.pop_back()) {
    const auto object = left.back();
    auto outcome = remove_one(*call.kind, object.key(), options, &call);
    // Another request may have deleted it during the calls of webhooks.
    if (!outcome && outcome.error().code == 404) continue;
    KEELSON_TRY(std::move(outcome));
    collection->removed.items().push_back(Tree::raw(std::string(object.json())));
  }
  list["items"] = std::move(collection->removed);
  list["metadata"]["resourceVersion"] = std::to_string(world_.store.version());
  return Answer{200, list.text()};
}

void Deletes::remove_quietly(const ServedKind& kind, const kube::Key& key, const std::string& propagation) {
  static_cast<void>(remove_one(kind, key, Tree::object({{"propagationPolicy", propagation}})));
}

void Deletes::finish_removal(const ServedKind& kind, const kube::Key& key) {
  const auto* entry = world_.store.find(kind, key);
  if (entry == nullptr) return;
  auto next = entry->stored().tree;
  next["metadata"]["deletionGracePeriodSeconds"] = 0;
  if (is_finished(next)) {
    static_cast<void>(world_.store.erase(kind, key));
  } else if (!(next == entry->stored().tree)) {
    auto managers = entry->stored().managers;
    static_cast<void>(world_.store.put(kind, key, {std::move(next), std::move(managers)}));
  }
}

RejectionOr<Answer> Deletes::remove_one(const ServedKind& kind, const kube::Key& key, const Tree& options,
                                        const Call* call) {
  const auto* entry = world_.store.find(kind, key);
  if (entry == nullptr) return not_found(kind.resource, key.name);
  KEELSON_TRY(check_preconditions(kind, entry->object, options));
  if (call != nullptr) KEELSON_TRY(ask_webhooks(*call, *entry, options));
  auto propagation = options.text_at({"propagationPolicy"});
  if (propagation.empty()) propagation = kind.orphans_by_default ? "Orphan" : "Background";
  auto next = entry->stored().tree;
  set_finalizer(next, kOrphan, propagation == "Orphan");
  set_finalizer(next, kForeground, propagation == "Foreground");
  auto grace = grace_of(kind, next, options);
  const bool is_held = next.at({"metadata", "finalizers"}) != nullptr || grace > 0;
  if (is_held && is_dry_run(options)) {
    set_deletion(kind, entry->object, grace, next);
    const auto& managers = entry->stored().managers;
    if (!managers.empty()) next["metadata"]["managedFields"] = managed_fields(managers);
    return Answer{200, next.text()};
  }
  if (is_held) return mark(kind, key, *entry, std::move(next), grace);
  auto answer = success(kind, entry->object);
  if (is_dry_run(options)) return answer;
  const bool is_definition = kind.resource == kube::custom_resource_definitions();
  if (kind.resource.plural == "namespaces") KEELSON_TRY(empty_namespace(key.name));
  if (is_definition) KEELSON_TRY(empty_kind(next));
  auto erased = world_.store.erase(kind, key);
  if (!erased) return not_stored(erased.error());
  if (is_definition) stop_serving(next);
  return answer;
}

RejectionOr<void> Deletes::empty_namespace(const std::string& ns) {
  for (const auto& kind : world_.kinds.all()) {
    std::vector<kube::Key> keys;
    for (const auto& [key, entry] : world_.store.all(kind)) {
      if (kind.resource.namespaced && key.ns == ns) keys.push_back(key);
    }
    KEELSON_TRY(remove_all(kind, keys));
  }
  return {};
}

RejectionOr<void> Deletes::empty_kind(const Tree& definition) {
  for (const auto& kind : world_.kinds.all()) {
    if (!is_defined_by(definition, kind)) continue;
    std::vector<kube::Key> keys;
    for (const auto& [key, entry] : world_.store.all(kind)) keys.push_back(key);
    KEELSON_TRY(remove_all(kind, keys));
  }
  return {};
}

RejectionOr<void> Deletes::remove_all(const ServedKind& kind, const std::vector<kube::Key>& keys) {
  for (const auto& key : keys) {
    auto outcome = remove_one(kind, key, Tree::object({{"propagationPolicy", "Background"}}));
    if (!outcome && outcome.error().code >= 500) return std::move(outcome.error());
  }
  return {};
}

void Deletes::stop_serving(const Tree& definition) {
  const ServedKind* home = nullptr;
  for (const auto& kind : world_.kinds.all()) {
    if (!is_defined_by(definition, kind)) continue;
    world_.watches.drop(&kind);
    if (!world_.store.all(kind).empty()) home = &kind.home();
  }
  world_.kinds.remove_definition(definition);
  // Objects with finalizers remain: a new CRD finds them, regardless of its storage version.
  if (home != nullptr) world_.kinds.keep_under(*home);
}

void Deletes::set_deletion(const ServedKind& kind, const kube::Object& object, std::int64_t grace_seconds,
                           Tree& next) const {
  auto& metadata = next["metadata"];
  if (!object.deleting()) {
    metadata["deletionTimestamp"] = world_.time_text(std::chrono::seconds(grace_seconds));
    metadata["deletionGracePeriodSeconds"] = grace_seconds;
    if (kind.has_generation) metadata["generation"] = object.generation() + 1;
  } else if (grace_seconds < metadata.integer_at({"deletionGracePeriodSeconds"})) {
    metadata["deletionGracePeriodSeconds"] = grace_seconds;
  }
}

RejectionOr<Answer> Deletes::mark(const ServedKind& kind, const kube::Key& key, const Store::Entry& entry, Tree next,
                                  std::int64_t grace_seconds) {
  set_deletion(kind, entry.object, grace_seconds, next);
  if (next == entry.stored().tree) return Answer{200, std::string(entry.object.json())};
  auto managers = entry.stored().managers;
  auto marked = world_.store.put(kind, key, {std::move(next), std::move(managers)});
  if (!marked) return not_stored(marked.error());
  return Answer{200, std::string((*marked)->object.json())};
}

}  // namespace keelson::sandbox
