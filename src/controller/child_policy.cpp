#include "src/controller/child_policy.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/detail/base/fnv.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/json/writer.hpp"
#include "src/controller/child.hpp"

namespace keelson::controller {

namespace {

// The additions to the author's desired state.
struct Additions {
  std::string owner_reference;
  std::string hash_name;  // of the annotation
  std::string hash;       // empty: none
  std::string uid;        // empty: none
};

void write_annotations(json::Writer& writer, json::View annotations, const Additions& additions) {
  if (additions.hash.empty() && annotations.size() == 0) return;
  writer.key("annotations").begin_object();
  for (const auto& [name, value] : annotations.members()) {
    if (name != additions.hash_name) writer.field(name, value);
  }
  if (!additions.hash.empty()) writer.field(additions.hash_name, additions.hash);
  writer.end_object();
}

void write_metadata(json::Writer& writer, json::View metadata, const Additions& additions) {
  writer.key("metadata").begin_object();
  for (const auto& [name, value] : metadata.members()) {
    if (name != "annotations" && name != "ownerReferences" && name != "uid") writer.field(name, value);
  }
  if (!additions.uid.empty()) writer.field("uid", additions.uid);
  write_annotations(writer, metadata.find("annotations"), additions);
  writer.key("ownerReferences").begin_array().raw(additions.owner_reference).end_array().end_object();
}

std::string body_of(json::View desired, const Additions& additions) {
  json::Writer writer;
  writer.begin_object();
  for (const auto& [name, value] : desired.members()) {
    if (name != "metadata") writer.field(name, value);
  }
  write_metadata(writer, desired.find("metadata"), additions);
  writer.end_object();
  return std::move(writer).take();
}

Result<kube::Key> key_of(const kube::Resource& resource, const kube::Object& owner, json::View desired) {
  if (!desired.is_object() || !desired.find("apiVersion").string() || !desired.find("kind").string()) {
    return invalid_error("desired " + resource.kind + ": apiVersion and kind are required");
  }
  auto name = desired.at({"metadata", "name"}).string().value_or(std::string_view());
  if (name.empty()) return invalid_error("desired " + resource.kind + ": metadata.name is required");
  auto ns = desired.at({"metadata", "namespace"}).string().value_or(owner.ns());
  return kube::Key(resource.namespaced ? ns : std::string_view(), name);
}

// The first field of the body that the child does not have: a desired field, or the annotation with the hash if a field
// is left over from an earlier desired state. Empty: the child has the whole body.
Result<std::optional<ManagedField>> first_drift(const kube::Resource& resource, const kube::Object& current,
                                                const std::string& body) {
  KEELSON_LET(auto desired, json::Document::parse(body));
  if (current.projection() != nullptr) {
    auto missing = uncovered_path(desired.root(), *current.projection());
    if (missing) {
      return invalid_error("the projection of " + resource.qualified_plural() + " lacks the desired field " + *missing);
    }
  }
  KEELSON_LET(auto actual, json::Document::parse(current.json()));
  return first_difference(actual.root(), desired.root());
}

Result<json::Document> parse_desired(const kube::Resource& resource, std::string_view desired) {
  auto document = json::Document::parse(desired);
  if (!document) return std::move(document).error().with_context("desired " + resource.kind);
  return document;
}

// `hash`: of the desired state, with its annotation's name; empty for a child that is created once.
Result<ChildPlan> plan_create(json::View desired, const kube::Resource& resource, const kube::Resource& owner_resource,
                              const kube::Object& owner, std::string hash_name, std::string hash) {
  KEELSON_LET(auto key, key_of(resource, owner, desired));
  KEELSON_LET(auto reference, controller_reference(owner_resource, owner, key.ns));
  auto body = body_of(desired, {std::move(reference), std::move(hash_name), std::move(hash), ""});
  return ChildPlan{ChildPlan::Action::kCreate, std::move(key), std::move(body)};
}

bool find_uncovered(json::View desired, const json::Projection& projection, std::vector<std::string_view>& path) {
  if (projection.covers(path)) return false;
  if (desired.is_array()) {
    for (json::View item : desired.items()) {
      if (find_uncovered(item, projection, path)) return true;
    }
    return desired.size() == 0;
  }
  if (!desired.is_object() || desired.size() == 0) return true;
  for (const auto& [name, value] : desired.members()) {
    path.push_back(name);
    if (find_uncovered(value, projection, path)) return true;
    path.pop_back();
  }
  return false;
}

}  // namespace

Result<ChildPlan> plan_child(const kube::Resource& resource, const kube::Resource& owner_resource,
                             const kube::Object& owner, std::string_view desired,
                             const std::optional<kube::Object>& current, const kube::OperatorName& name) {
  KEELSON_LET(const auto document, parse_desired(resource, desired));
  const auto hash_name = name.annotation(kHashKey);
  KEELSON_LET(auto plan, plan_create(document.root(), resource, owner_resource, owner, hash_name, hash_of(desired)));
  if (!current) return plan;
  plan.action = ChildPlan::Action::kNothing;
  const auto body = std::move(plan.body);
  if (!is_controlled_by(*current, owner)) {
    plan.action = is_leaving(owner_resource, owner, *current) ? ChildPlan::Action::kWait : ChildPlan::Action::kNotOwned;
    return plan;
  }
  // A child that is being deleted is not corrected: its deletion is an event.
  if (current->deleting()) return plan;
  KEELSON_LET(auto drift, first_drift(resource, *current, body));
  plan.update.hash = hash_of(desired);
  if (!drift) return plan;
  KEELSON_LET(auto reference, controller_reference(owner_resource, owner, plan.key.ns));
  plan.action = ChildPlan::Action::kUpdate;
  plan.update.field = std::move(*drift);
  plan.body =
      body_of(document.root(), {std::move(reference), hash_name, hash_of(desired), std::string(current->uid())});
  return plan;
}

Result<ChildPlan> plan_creation(const kube::Resource& resource, const kube::Resource& owner_resource,
                                const kube::Object& owner, std::string_view desired) {
  KEELSON_LET(const auto document, parse_desired(resource, desired));
  return plan_create(document.root(), resource, owner_resource, owner, "", "");
}

bool is_leaving(const kube::Resource& owner_resource, const kube::Object& owner, const kube::Object& current) {
  if (current.deleting()) return true;
  return current.controller_owner() && check_not_owned_by_another(owner_resource, owner, current);
}

// Distinguishes one desired state from the next.
std::string hash_of(std::string_view desired) {
  std::string text;
  base::append_hex(text, base::fnv1a_64(desired), 16);
  return text;
}

std::optional<std::string> uncovered_path(json::View desired, const json::Projection& projection) {
  std::vector<std::string_view> path;
  if (!find_uncovered(desired, projection, path)) return std::nullopt;
  std::string text;
  for (auto name : path) text += (text.empty() ? "" : ".") + std::string(name);
  return text;
}

}  // namespace keelson::controller
