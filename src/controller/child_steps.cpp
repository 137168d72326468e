#include "src/controller/child_steps.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "keelson/controller/child.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::controller {

namespace {

// What we add to the author's wish.
struct Additions {
  std::string owner_reference;
  std::string hash_name;  // of the annotation
  std::string hash;
  std::string uid;  // empty: none
};

void write_annotations(json::Writer& writer, json::View annotations, const Additions& additions) {
  writer.key("annotations").begin_object();
  for (const auto& [name, value] : annotations.members()) {
    if (name != additions.hash_name) writer.field(name, value);
  }
  writer.field(additions.hash_name, additions.hash).end_object();
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

std::string body_of(json::View wanted, const Additions& additions) {
  json::Writer writer;
  writer.begin_object();
  for (const auto& [name, value] : wanted.members()) {
    if (name != "metadata") writer.field(name, value);
  }
  write_metadata(writer, wanted.find("metadata"), additions);
  writer.end_object();
  return std::move(writer).take();
}

Result<kube::Key> key_of(const kube::Resource& resource, const kube::Object& owner, json::View wanted) {
  if (!wanted.is_object() || !wanted.find("apiVersion").string() || !wanted.find("kind").string()) {
    return invalid("wanted " + resource.kind + ": apiVersion and kind are required");
  }
  auto name = wanted.at({"metadata", "name"}).string().value_or(std::string_view());
  if (name.empty()) return invalid("wanted " + resource.kind + ": metadata.name is required");
  auto ns = wanted.at({"metadata", "namespace"}).string().value_or(owner.ns());
  return kube::Key(resource.namespaced ? ns : std::string_view(), name);
}

// Whether all of the body holds: the wish, the hash of the wish, and the reference.
Result<bool> is_up_to_date(const kube::Resource& resource, const kube::Object& current, const std::string& body,
                           const std::string& hash_name) {
  auto wanted = json::Document::parse(body);
  if (!wanted) return std::move(wanted).error();
  if (current.projection() != nullptr) {
    auto missing = uncovered_path(wanted->root(), *current.projection());
    if (missing) return invalid("the projection of " + resource.qualified_plural() + " does not keep " + *missing);
  }
  if (current.annotation(hash_name) != wanted->root().at({"metadata", "annotations", hash_name}).string()) {
    return false;
  }
  auto actual = json::Document::parse(current.json());
  if (!actual) return std::move(actual).error();
  return covers(actual->root(), wanted->root());
}

bool find_uncovered(json::View wanted, const json::Projection& projection, std::vector<std::string_view>& path) {
  if (projection.covers(path)) return false;
  if (wanted.is_array()) {
    for (json::View item : wanted.items()) {
      if (find_uncovered(item, projection, path)) return true;
    }
    return wanted.size() == 0;
  }
  if (!wanted.is_object() || wanted.size() == 0) return true;
  for (const auto& [name, value] : wanted.members()) {
    path.push_back(name);
    if (find_uncovered(value, projection, path)) return true;
    path.pop_back();
  }
  return false;
}

}  // namespace

Result<ChildPlan> plan_child(const kube::Resource& resource, const kube::Resource& owner_resource,
                             const kube::Object& owner, std::string_view wanted,
                             const std::optional<kube::Object>& current, const kube::OperatorName& name) {
  auto document = json::Document::parse(wanted);
  if (!document) return std::move(document).error().within("wanted " + resource.kind);
  auto key = key_of(resource, owner, document->root());
  if (!key) return std::move(key).error();
  auto reference = controller_reference(owner_resource, owner, key->ns);
  if (!reference) return std::move(reference).error();
  Additions additions{*reference, name.annotation("applied-hash"), hash_of(wanted), ""};
  auto body = body_of(document->root(), additions);

  ChildPlan plan;
  plan.key = *key;
  if (!current) {
    plan.action = ChildPlan::Action::kCreate;
    plan.body = std::move(body);
    return plan;
  }
  if (!is_controlled_by(*current, owner)) {
    plan.action = is_leaving(owner_resource, owner, *current) ? ChildPlan::Action::kWait : ChildPlan::Action::kForeign;
    return plan;
  }
  // What is going away is not mended: its deletion will bring us here again.
  if (current->deleting()) return plan;
  auto holds = is_up_to_date(resource, *current, body, additions.hash_name);
  if (!holds) return std::move(holds).error();
  plan.takes_over = !name.is_keelson() && current->annotation(kAppliedHash).has_value();
  if (*holds) {
    if (plan.takes_over) plan.action = ChildPlan::Action::kTakeOver;
    return plan;
  }
  additions.uid = std::string(current->uid());
  plan.action = ChildPlan::Action::kUpdate;
  plan.body = body_of(document->root(), additions);
  return plan;
}

bool is_leaving(const kube::Resource& owner_resource, const kube::Object& owner, const kube::Object& current) {
  if (current.deleting()) return true;
  return current.controller_owner() && check_not_owned_by_another(owner_resource, owner, current);
}

// FNV-1a: not for secrets, only to tell one wish from the next.
std::string hash_of(std::string_view wanted) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (char byte : wanted) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3ULL;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, hash >>= 4) *digit = kDigits[hash & 0xf];
  return text;
}

std::optional<std::string> uncovered_path(json::View wanted, const json::Projection& projection) {
  std::vector<std::string_view> path;
  if (!find_uncovered(wanted, projection, path)) return std::nullopt;
  std::string text;
  for (auto name : path) text += (text.empty() ? "" : ".") + std::string(name);
  return text;
}

}  // namespace keelson::controller
