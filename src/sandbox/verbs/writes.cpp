#include "src/sandbox/verbs/writes.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/json/patch.hpp"
#include "src/sandbox/admission/session.hpp"
#include "src/sandbox/authorization/authorizer.hpp"
#include "src/sandbox/fields/field_validation.hpp"
#include "src/sandbox/fields/last_applied.hpp"
#include "src/sandbox/fields/strategic_patch.hpp"
#include "src/sandbox/kinds/version_view.hpp"
#include "src/sandbox/requests/query_options.hpp"
#include "src/sandbox/storage/version_owners.hpp"
#include "src/sandbox/validation/validation.hpp"
#include "src/sandbox/verbs/scale.hpp"
#include "src/sandbox/verbs/writable_fields.hpp"

namespace keelson::sandbox {

namespace {

// The key of the object in etcd; a dry run does not know the prefix.
std::string storage_key(const Call& call) {
  auto key = (call.is_dry_run() ? "/" : "/registry/") + (call.kind->is_custom ? call.resource().group + "/" : "") +
             call.resource().plural + "/";
  return key + (call.key.ns.empty() ? "" : call.key.ns + "/") + call.key.name;
}

// What a patch of an object changes: with managedFields, if the patch may name them.
Tree patch_target(const Call& call, const Stored& stored) {
  if (call.subresource == Subresource::kScale) return scale_of(*call.kind, stored.tree);
  auto target = stored.tree;
  const bool has_managers = call.body.find("managedFields") != std::string::npos && !stored.managers.empty();
  if (has_managers) target["metadata"]["managedFields"] = managed_fields(stored.managers);
  return call.view != nullptr ? in_version(*call.view, std::move(target)) : target;
}

// The call for the kind that it names.
Call as_named(Call call) {
  if (call.view != nullptr) call.kind = call.view;
  return call;
}

Result<Tree> patched(const Call& call, const Tree& target) {
  if (call.is_strategic) {
    auto patch = Tree::parse(call.body);
    const auto& kind = call.view != nullptr ? *call.view : *call.kind;
    return patch ? strategic_merge_patch(target, *patch, kind) : std::move(patch);
  }
  const bool is_merge = call.patch_type == kube::PatchType::kMerge;
  auto text = target.text();
  KEELSON_LET(auto next, is_merge ? json::merge_patch(text, call.body) : json::json_patch(text, call.body));
  return Tree::parse(next);
}

Rejection no_strategic_patch() {
  return rejection(415, "UnsupportedMediaType",
                   "the body of the request was in an unknown format - accepted media types include: "
                   "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
}

Access creation_of(const Call& call) {
  Access access;
  access.verb = "create";
  access.group = call.resource().group;
  access.resource = call.resource().plural;
  access.ns = call.key.ns;
  access.name = call.key.name;
  return access;
}

}  // namespace

RejectionOr<Answer> Writes::create(const Call& call) {
  KEELSON_LET(auto body, object_in(call));
  KEELSON_TRY(check_type(call, body));
  FieldReading fields(call);
  KEELSON_TRY(fields.read(body));
  return fields.with_warnings(create(call, std::move(body)));
}

RejectionOr<Answer> Writes::create(const Call& call, Tree body) {
  auto& metadata = body["metadata"];
  auto prefix = metadata.text_at({"generateName"});
  bool has_generated_name = false;
  if (metadata.text_at({"name"}).empty() && !prefix.empty()) {
    metadata["name"] = prefix + (call.admission != nullptr ? call.admission->name_suffix : world_.random_suffix());
    has_generated_name = true;
  }
  auto placed = call;
  placed.key.name = metadata.text_at({"name"});
  placed.has_generated_name = has_generated_name;
  KEELSON_TRY(check_place(placed, body));
  if (!metadata.text_at({"resourceVersion"}).empty() && !call.is_dry_run()) {
    return rejection(500, "", "resourceVersion should not be set on objects to be created");
  }
  return committer_.commit(placed, nullptr, with_writable_fields(placed, nullptr, std::move(body)), std::nullopt);
}

RejectionOr<Answer> Writes::update(const Call& call) {
  KEELSON_LET(auto body, object_in(call));
  const auto* live = world_.store.find(*call.kind, call.key);
  std::optional<Entry> own;
  KEELSON_TRY(convert_live(call, live, own));
  // The type and the place of a Scale are not checked.
  if (call.subresource != Subresource::kScale) KEELSON_TRY(check_type(call, body));
  FieldReading fields(call);
  KEELSON_TRY(fields.read(body));
  return fields.with_warnings(update(call, std::move(body), live));
}

RejectionOr<Answer> Writes::update(const Call& call, Tree body, const Entry* live) {
  if (call.subresource != Subresource::kScale) KEELSON_TRY(check_place(call, body));
  KEELSON_TRY(check_named(call, body));
  if (live == nullptr) return not_found(call.resource(), call.key.name);
  auto uid = body.text_at({"metadata", "uid"});
  if (!uid.empty() && uid != live->object.uid()) {
    return conflict(call.resource(), call.key.name,
                    "StorageError: invalid object, Code: 4, Key: " + storage_key(call) +
                        ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: " + uid +
                        ", UID in object meta: " + std::string(live->object.uid()));
  }
  KEELSON_TRY(check_version(call, *live, body.text_at({"metadata", "resourceVersion"})));
  return replace(call, *live, std::move(body));
}

RejectionOr<Answer> Writes::patch(const Call& call) {
  const auto* live = world_.store.find(*call.kind, call.key);
  std::optional<Entry> own;
  KEELSON_TRY(convert_live(call, live, own));
  if (call.patch_type == kube::PatchType::kApply) {
    auto configuration = Tree::parse(call.body);
    if (!configuration || !configuration->is_object()) {
      return bad_request("error decoding YAML: the object is not a map");
    }
    return as_answer(call, apply(call, std::move(*configuration), live));
  }
  if (call.is_strategic && call.kind->is_custom) return no_strategic_patch();
  if (live == nullptr) return not_found(call.resource(), call.key.name);
  const auto target = patch_target(call, live->stored());
  auto next = patched(call, target);
  if (!next) {
    if (next.error().kind == Error::Kind::kMalformed) return bad_request(next.error().text);
    if (call.is_strategic) return rejection(500, "", next.error().text);
    return unprocessable_patch();
  }
  if (!next->is_object()) return bad_request("the patched object is not an object");
  const auto named = as_named(call);
  FieldReading fields(named);
  KEELSON_TRY(fields.read_patched(*next, target, live->stored().managers));
  return fields.with_warnings(replace_patched(call, *live, std::move(*next)));
}

RejectionOr<Answer> Writes::replace_patched(const Call& call, const Entry& live, Tree next) {
  KEELSON_TRY(check_place(call, next));
  KEELSON_TRY(check_named(call, next));
  KEELSON_TRY(check_version(call, live, next.text_at({"metadata", "resourceVersion"})));
  if (call.view != nullptr) next = as_stored(call, std::move(next), &live.stored().tree);
  return replace(call, live, std::move(next));
}

RejectionOr<Answer> Writes::apply(const Call& call, Tree configuration, const Entry* live) {
  // The type and the place of a Scale are not checked.
  const bool is_scale = call.subresource == Subresource::kScale;
  const bool has_type = !configuration.text_at({"apiVersion"}).empty() && !configuration.text_at({"kind"}).empty();
  if (!is_scale && !has_type) return bad_request("Object 'Kind' is missing in '" + call.body + "'");
  if (configuration.at({"metadata", "managedFields"}) != nullptr) {
    return bad_request("metadata.managedFields must be nil");
  }
  const auto named = as_named(call);
  if (!is_scale) KEELSON_TRY(check_type(named, configuration));
  FieldReading fields(named);
  KEELSON_TRY(fields.check_applied(configuration));
  if (is_scale) KEELSON_TRY(fields.read_merged(configuration, configuration));
  if (!is_scale) KEELSON_TRY(check_place(call, configuration));
  if (live == nullptr && call.subresource != Subresource::kNone) return not_found(call.resource(), call.key.name);
  auto uid = configuration.text_at({"metadata", "uid"});
  auto version = configuration.text_at({"metadata", "resourceVersion"});
  const auto sent = configuration;
  configuration = applicable_fields(call, std::move(configuration));
  const bool is_request = call.resource() == certificate_requests() && call.subresource == Subresource::kNone;
  if (is_request && live != nullptr) configuration.erase("spec");

  auto base = live != nullptr ? live->stored().tree : Tree::object({{"metadata", Tree::object()}});
  auto applied = apply_in_version(world_, call, base, live != nullptr ? live->stored().managers : Managers{},
                                  configuration, manager_of(world_, call, true));
  if (!applied.conflicts.empty()) {
    auto [text, causes] = conflict_text(applied.conflicts);
    auto rejected = rejection(409, "Conflict", text);
    rejected.status["details"] = Tree::object({{"causes", causes}});
    return rejected;
  }
  KEELSON_TRY(fields.check_repeated_keys());
  if (!is_scale) KEELSON_TRY(fields.read_merged(applied.object, sent));
  if (call.parameter("fieldManager") == kKubectl) update_last_applied(applied.object, sent);
  if (live == nullptr && !uid.empty()) {
    return conflict(call.resource(), call.key.name,
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
  }
  // A configuration may omit the name of an existing object, but not clear it.
  const bool needs_name = live == nullptr || sent.at({"metadata", "name"}) != nullptr;
  if (!is_scale && needs_name) KEELSON_TRY(check_named(call, sent));
  if (live != nullptr && !version.empty()) {
    KEELSON_TRY(check_version(call, *live, version == "0" ? std::to_string(live->object.resource_version()) : version));
  }
  if (live != nullptr && !uid.empty()) applied.object["metadata"]["uid"] = uid;
  if (live == nullptr && call.authorizer != nullptr) {
    // An apply that creates an object needs both verbs.
    KEELSON_TRY(call.authorizer->check(call.user, creation_of(call)));
  }
  if (is_request) {
    const auto* before = live != nullptr ? &live->stored().tree : nullptr;
    applied.object = with_writable_fields(call, before, std::move(applied.object));
  }
  if (call.view != nullptr) {
    applied.object = as_stored(call, std::move(applied.object), live != nullptr ? &live->stored().tree : nullptr);
  }
  return fields.with_warnings(committer_.commit(call, live, std::move(applied.object), std::move(applied.managers)));
}

RejectionOr<void> Writes::convert_live(const Call& call, const Entry*& live, std::optional<Entry>& own) const {
  const auto& kind = *call.kind;
  if (live == nullptr || !is_of_other_version(kind, live->object.json())) return {};
  auto stored = live->stored();
  if (!kind.conversion->has_webhook) {
    stored.tree["apiVersion"] = kind.resource.api_version();
  } else {
    if (call.admission == nullptr) return {};
    auto key = std::string(live->object.uid()) + "@" + std::to_string(live->object.resource_version()) + "/write";
    KEELSON_LET(stored.tree, call.admission->converted(kind, key, kind.resource.api_version(),
                                                       [live] { return live->stored().tree; }));
  }
  auto object = kube::Object::from_json(relabeled(kind, live->object.json()));
  if (!object) object = live->object;
  live = &own.emplace(live->rewritten(std::move(*object), std::move(stored)));
  return {};
}

RejectionOr<Answer> Writes::replace(const Call& call, const Entry& live, Tree next) {
  next = with_writable_fields(call, &live.stored().tree, std::move(next));
  return as_answer(call, committer_.commit(call, &live, std::move(next), std::nullopt));
}

RejectionOr<void> Writes::check_version(const Call& call, const Entry& live, const std::string& version) const {
  if (auto error = version_error(version)) return rejection(500, "", *error);
  // The version of a Scale is not checked.
  if (version.empty() && call.kind->needs_version && call.subresource != Subresource::kScale) {
    // The only rejection of an object whose text has the plural.
    auto named = call.resource();
    named.kind = named.plural;
    return invalid_object(
        named, call.key.name,
        {{FieldReason::kInvalid, "metadata.resourceVersion", "0", "must be specified for an update"}});
  }
  if (version.empty() || version == std::to_string(live.object.resource_version())) return {};
  return outdated(call.resource(), call.key.name);
}

RejectionOr<void> Writes::check_named(const Call& call, const Tree& object) const {
  if (!object.text_at({"metadata", "name"}).empty()) return {};
  return bad_request("the name of the object (" + call.key.name +
                     " based on URL) was undeterminable: name must be provided");
}

RejectionOr<void> Writes::check_place(const Call& call, Tree& object) const {
  auto& metadata = object["metadata"];
  if (!metadata.is_object()) metadata = Tree::object();
  auto name = metadata.text_at({"name"});
  if (!name.empty() && name != call.key.name) {
    return bad_request("the name of the object (" + name + ") does not match the name on the URL (" + call.key.name +
                       ")");
  }
  auto ns = metadata.text_at({"namespace"});
  if (call.resource().namespaced && !ns.empty() && ns != call.key.ns) {
    return bad_request("the namespace of the provided object does not match the namespace sent on the request");
  }
  return {};
}

}  // namespace keelson::sandbox
