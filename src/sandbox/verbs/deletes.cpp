#include "src/sandbox/verbs/deletes.hpp"

#include <algorithm>
#include <array>

#include "keelson/base/try.hpp"
#include "src/sandbox/admission/plugins.hpp"
#include "src/sandbox/admission/session.hpp"
#include "src/sandbox/authorization/access.hpp"
#include "src/sandbox/fields/managed_fields.hpp"
#include "src/sandbox/requests/query_options.hpp"
#include "src/sandbox/requests/texts.hpp"
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
  set_or_erase(metadata, "finalizers", std::move(finalizers));
}

// The options decide, then the finalizers of an earlier deletion, then the default of the kind.
std::string propagation_of(const ServedKind& kind, const Tree& object, const Tree& options) {
  if (auto policy = options.text_at({"propagationPolicy"}); !policy.empty()) return policy;
  if (options.find("orphanDependents") != nullptr) {
    return options.is_true_at({"orphanDependents"}) ? "Orphan" : "Background";
  }
  for (const auto& finalizer : object.items_at({"metadata", "finalizers"})) {
    if (finalizer.scalar() == kOrphan) return "Orphan";
    if (finalizer.scalar() == kForeground) return "Foreground";
  }
  return kind.orphans_by_default ? "Orphan" : "Background";
}

bool is_namespace(const ServedKind& kind) { return kind.resource == kube::namespaces(); }

// The namespace controller deletes the content of a namespace before the namespace.
bool waits_for_content(const ServedKind& kind, const Tree& object) {
  return is_namespace(kind) && !object.items_at({"spec", "finalizers"}).empty();
}

// The namespaces that the admission plugin NamespaceLifecycle protects.
bool is_protected(const ServedKind& kind, std::string_view name) {
  return is_namespace(kind) && (name == "default" || name == "kube-system" || name == "kube-public");
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
RejectionOr<void> admit_deletion(Plugins& plugins, const Call& call, const Store::Entry& live, const Tree& options) {
  if (call.authorizer != nullptr) {
    KEELSON_TRY(plugins.validate(call, [&] { return deletion_attributes(call, live, options); }));
  }
  if (call.admission == nullptr) return {};
  auto one = call;
  one.key = live.object.key();
  return call.admission->admit(*call.kind, deletion_attributes(call, live, options), basis_of(one, &live));
}

bool is_defined_by(const Tree& definition, const ServedKind& kind) {
  return kind.is_custom && kind.resource.group == definition.text_at({"spec", "group"}) &&
         kind.resource.plural == definition.text_at({"spec", "names", "plural"});
}

// The kinds whose deletion is answered with the deleted object, and not with a Status.
constexpr std::array<const char*, 18> kReturned{"csidrivers",
                                                "csinodes",
                                                "deviceclasses",
                                                "namespaces",
                                                "persistentvolumeclaims",
                                                "persistentvolumes",
                                                "pods",
                                                "podtemplates",
                                                "resourceclaims",
                                                "resourceclaimtemplates",
                                                "resourcequotas",
                                                "resourceslices",
                                                "serviceaccounts",
                                                "services",
                                                "storageclasses",
                                                "volumeattachments",
                                                "volumeattributesclasses",
                                                "customresourcedefinitions"};

bool returns_object(const ServedKind& kind) {
  return !kind.is_custom && std::ranges::find(kReturned, kind.resource.plural) != kReturned.end();
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

Answer shown(const Store::Entry& entry, Tree object) {
  const auto& managers = entry.stored().managers;
  if (!managers.empty()) object["metadata"]["managedFields"] = managed_fields(managers);
  return {200, object.text()};
}

// Only the storage of Jobs warns that dependents become orphans unless the client decides.
std::vector<std::string> deletion_warnings(const ServedKind& kind, const Tree& options) {
  const bool is_decided = options.find("propagationPolicy") != nullptr || options.find("orphanDependents") != nullptr;
  if (kind.resource != kube::jobs() || is_decided) return {};
  return {
      "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or "
      "set "
      "propagationPolicy=Orphan to suppress this warning"};
}

constexpr const char* kPendingDeletion =
    R"({"type":"Terminating","status":"True","lastTransitionTime":"","reason":"InstanceDeletionPending","message":)"
    R"("CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"})";

}  // namespace

RejectionOr<void> check_preconditions(const ServedKind& kind, const kube::Object& object, const Tree& options) {
  auto name = std::string(object.name());
  // The storage of CustomResourceDefinitions and Namespaces checks preconditions with messages of its own.
  const bool has_own_messages = kind.resource == kube::custom_resource_definitions() || is_namespace(kind);
  auto uid = options.text_at({"preconditions", "uid"});
  if (!uid.empty() && uid != object.uid()) {
    if (has_own_messages) {
      return conflict(
          kind.resource, name,
          "Precondition failed: UID in precondition: " + uid + ", UID in object meta: " + std::string(object.uid()));
    }
    return broken_precondition(kind, name,
                               "the UID in the precondition (" + uid + ") does not match the UID in record (" +
                                   std::string(object.uid()) +
                                   "). The object might have been deleted and then recreated");
  }
  auto version = options.text_at({"preconditions", "resourceVersion"});
  auto current = std::to_string(object.resource_version());
  if (!version.empty() && version != current) {
    if (has_own_messages) {
      return conflict(kind.resource, name,
                      "Precondition failed: ResourceVersion in precondition: " + version +
                          ", ResourceVersion in object meta: " + current);
    }
    return broken_precondition(kind, name,
                               "the ResourceVersion in the precondition (" + version +
                                   ") does not match the ResourceVersion in record (" + current +
                                   "). The object might have been modified");
  }
  return {};
}

RejectionOr<Answer> Deletes::remove(const Call& call) {
  KEELSON_LET(const auto options, delete_options(call));
  auto answer = remove_one(*call.kind, call.key, options, &call);
  (answer ? answer->warnings : answer.error().warnings) = deletion_warnings(*call.kind, options);
  return answer;
}

RejectionOr<Answer> Deletes::remove_collection(const Call& call) {
  KEELSON_TRY(check_list_options(call));
  KEELSON_LET(const auto selection, Selection::of(call));
  KEELSON_LET(const auto options, delete_options(call));
  KEELSON_TRY(check_listed_version(call, world_.store.version()));
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
    if (!outcome) {
      outcome.error().warnings = deletion_warnings(*call.kind, options);
      return std::move(outcome.error());
    }
    collection->removed.items().push_back(Tree::raw(std::string(object.json())));
  }
  list["items"] = std::move(collection->removed);
  list["metadata"]["resourceVersion"] = std::to_string(world_.store.version());
  return Answer{200, list.text(), deletion_warnings(*call.kind, options)};
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
  if (is_protected(kind, key.name)) {
    return forbidden_object(kind.resource, key.name, "this namespace may not be deleted");
  }
  if (call != nullptr) KEELSON_TRY(admit_deletion(plugins_, *call, *entry, options));
  auto next = entry->stored().tree;
  const auto propagation = propagation_of(kind, next, options);
  const bool is_definition = kind.resource == kube::custom_resource_definitions();
  // The first deletion of a definition is marked by its own storage. Its objects are deleted until none is left, as
  // long as the cleanup finalizer is there; new ones may be created after that.
  const bool empties = is_definition && (!entry->object.deleting() ||
                                         contains(next.items_at({"metadata", "finalizers"}), Tree(kCleanupFinalizer)));
  const bool has_dependents = (!is_definition || entry->object.deleting()) && kind.resource.plural != "events";
  set_finalizer(next, kOrphan, has_dependents && propagation == "Orphan");
  set_finalizer(next, kForeground, has_dependents && propagation == "Foreground");
  auto grace = grace_of(kind, next, options);
  if (empties && !is_dry_run(options)) KEELSON_TRY(empty_kind(next));
  const bool is_held = next.at({"metadata", "finalizers"}) != nullptr || grace > 0 || waits_for_content(kind, next) ||
                       (empties && has_objects(next));
  if (is_held && is_dry_run(options)) {
    set_deletion(kind, entry->object, grace, next);
    return shown(*entry, std::move(next));
  }
  if (is_held) return mark(kind, key, *entry, std::move(next), grace);
  const auto& served = call != nullptr && call->view != nullptr ? *call->view : kind;
  auto answer = returns_object(kind) ? deleted_object(kind, *entry, next) : success(served, entry->object);
  if (is_dry_run(options)) return answer;
  auto erased = world_.store.erase(kind, key);
  if (!erased) return not_stored(erased.error());
  return answer;
}

bool Deletes::empty_namespace(const std::string& ns) {
  const auto& pods = *world_.kinds.find(kube::pods());
  static_cast<void>(remove_all(pods, ns));
  const auto& left = world_.store.all(pods);
  const auto first = left.lower_bound(kube::Key(ns, ""));
  if (first != left.end() && first->first.ns == ns) return false;
  for (const auto& kind : world_.kinds.all()) {
    // An object that the journal does not release remains, and is deleted in the next attempt.
    if (kind.resource.namespaced) static_cast<void>(remove_all(kind, ns));
  }
  return true;
}

RejectionOr<void> Deletes::empty_kind(const Tree& definition) {
  for (const auto& kind : world_.kinds.all()) {
    if (is_defined_by(definition, kind)) KEELSON_TRY(remove_all(kind, ""));
  }
  return {};
}

RejectionOr<void> Deletes::remove_all(const ServedKind& kind, std::string_view ns) {
  std::vector<kube::Key> keys;
  const auto& all = world_.store.all(kind);
  for (auto one = all.lower_bound(kube::Key(ns, "")); one != all.end() && (ns.empty() || one->first.ns == ns); ++one) {
    keys.push_back(one->first);
  }
  for (const auto& key : keys) {
    auto outcome = remove_one(kind, key, Tree::object({{"propagationPolicy", "Background"}}));
    if (!outcome && outcome.error().code >= 500) return std::move(outcome.error());
  }
  return {};
}

bool Deletes::has_objects(const Tree& definition) const {
  return std::ranges::any_of(world_.kinds.all(), [&](const ServedKind& kind) {
    return is_defined_by(definition, kind) && !world_.store.all(kind).empty();
  });
}

void Deletes::stop_serving(const Tree& definition) {
  const ServedKind* home = nullptr;
  for (const auto& kind : world_.kinds.all()) {
    if (!is_defined_by(definition, kind)) continue;
    world_.watches.drop(&kind);
    if (!world_.store.all(kind).empty()) home = &kind.home();
  }
  world_.kinds.remove_definition(definition);
  // Objects of a definition whose finalizer was removed by hand remain: a new CRD finds them, regardless of its storage
  // version.
  if (home != nullptr) world_.kinds.keep_under(*home);
}

void Deletes::set_deletion(const ServedKind& kind, const kube::Object& object, std::int64_t grace_seconds,
                           Tree& next) const {
  auto& metadata = next["metadata"];
  if (is_namespace(kind)) {
    metadata.set_default("deletionTimestamp", world_.time_text());
    next["status"]["phase"] = "Terminating";
  } else if (!object.deleting()) {
    metadata["deletionTimestamp"] = world_.time_text(std::chrono::seconds(grace_seconds));
    // The storage of definitions, as that of namespaces, marks the deletion itself.
    if (kind.resource == kube::custom_resource_definitions()) return hold_definition(next);
    metadata["deletionGracePeriodSeconds"] = grace_seconds;
    if (object.generation() > 0) metadata["generation"] = object.generation() + 1;
  } else if (metadata.find("deletionGracePeriodSeconds") == nullptr ||
             grace_seconds < metadata.integer_at({"deletionGracePeriodSeconds"})) {
    metadata["deletionGracePeriodSeconds"] = grace_seconds;
  }
}

void Deletes::hold_definition(Tree& definition) const {
  auto& finalizers = list_in(definition["metadata"], "finalizers");
  if (!contains(finalizers, Tree(kCleanupFinalizer))) finalizers.emplace_back(kCleanupFinalizer);
  auto condition = json_tree(kPendingDeletion);
  condition["lastTransitionTime"] = world_.time_text();
  auto& conditions = list_in(definition["status"], "conditions");
  std::erase_if(conditions, [](const Tree& one) { return one.text_at({"type"}) == "Terminating"; });
  conditions.push_back(std::move(condition));
}

// The real server deletes the contents of these objects first, so its reply has the mark of the deletion.
Answer Deletes::deleted_object(const ServedKind& kind, const Store::Entry& entry, Tree object) const {
  const bool is_definition = kind.resource == kube::custom_resource_definitions();
  if (is_definition || is_namespace(kind) || kind.resource == kube::pods()) {
    set_deletion(kind, entry.object, 0, object);
  }
  return shown(entry, std::move(object));
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
