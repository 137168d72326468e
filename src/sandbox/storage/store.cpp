#include "src/sandbox/storage/store.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/parse_number.hpp"

namespace keelson::sandbox {

namespace {

// Adds managedFields, which are in the tree only during this call.
Result<kube::Object> as_object(Stored& stored) {
  auto& metadata = stored.tree["metadata"];
  if (!stored.managers.empty()) metadata["managedFields"] = managed_fields(stored.managers);
  auto object = kube::Object::from_json(stored.tree.text());
  metadata.erase("managedFields");
  return object;
}

const Tree* owners_of(const Stored& stored) { return stored.tree.at({"metadata", "ownerReferences"}); }

// Compares the uid and the owners, which rarely change.
bool are_indexed_alike(const Store::Entry& entry, const Stored& stored, const kube::Object& object) {
  const Tree* had = owners_of(entry.stored());
  const Tree* has = owners_of(stored);
  const bool same_owners = had == nullptr || has == nullptr ? had == has : *had == *has;
  return same_owners && entry.object.uid() == object.uid();
}

}  // namespace

std::uint64_t version_number(const std::string& text) { return base::parse_number<std::uint64_t>(text).value_or(0); }

const Store::Entry* Store::find(const ServedKind& kind, const kube::Key& key) const {
  const auto& entries = all(kind);
  auto found = entries.find(key);
  return found == entries.end() ? nullptr : &found->second;
}

const Store::Entries& Store::all(const ServedKind& kind) const {
  static const Entries kNone;
  auto found = objects_.find(&kind.home());
  return found == objects_.end() ? kNone : found->second;
}

Result<const Store::Entry*> Store::put(const ServedKind& of, const kube::Key& key, Stored stored) {
  const auto& kind = of.home();
  stored.tree["metadata"]["resourceVersion"] = std::to_string(version_ + 1);
  KEELSON_LET(auto made, as_object(stored));
  const auto& object = made;
  if (journal_ != nullptr) {
    KEELSON_TRY(checked(journal_->put({kind.resource, key, version_ + 1, object.json()})));
  }
  Change change{++version_, &kind, std::nullopt, std::nullopt};
  auto& entries = objects_[&kind];
  auto found = entries.find(key);
  if (found != entries.end()) change.before = found->second.object;
  if (!change.before || !are_indexed_alike(found->second, stored, object)) {
    if (change.before) forget(kind, *change.before);
    index(kind, object);
  } else {
    pod_index_.remove(kind, *change.before);
    pod_index_.add(kind, object);
  }
  change.after = object;
  auto& entry = entries.insert_or_assign(key, Entry(trees_, object, std::move(stored))).first->second;
  record(std::move(change));
  return &entry;
}

void Store::rewrite(const ServedKind& of, const kube::Key& key, Stored stored) {
  auto& entries = objects_[&of.home()];
  const auto found = entries.find(key);
  KEELSON_ASSERT(found != entries.end());
  if (auto object = as_object(stored)) found->second = Entry(trees_, std::move(*object));
}

Result<void> Store::erase(const ServedKind& of, const kube::Key& key) {
  const auto& kind = of.home();
  auto found = objects_[&kind].find(key);
  KEELSON_ASSERT(found != objects_[&kind].end());
  if (journal_ != nullptr) {
    auto journaled = checked(journal_->erase(kind.resource, key, version_ + 1));
    if (!journaled) return journaled;
  }
  auto last = found->second.stored();
  last.tree["metadata"]["resourceVersion"] = std::to_string(++version_);
  auto object = as_object(last);
  KEELSON_ASSERT(object);  // the stored object with another version
  Change change{version_, &kind, found->second.object, std::nullopt, std::move(*object)};
  forget(kind, *change.before);
  objects_[&kind].erase(found);
  record(std::move(change));
  return {};
}

Result<void> Store::checked(Result<void> journaled) {
  if (journaled) return journaled;
  Error error(Error::Kind::kStatus, journaled.error().text);
  error.code = 500;
  if (on_journal_failure) on_journal_failure(error);
  return error;
}

Result<void> Store::load(const ServedKind& of, const Journal::Row& row) {
  const auto& kind = of.home();
  KEELSON_TRY(json::Document::parse(row.json));
  auto object = kube::Object::from_json(row.json);
  if (!object) return std::move(object.error());
  // Every stored object begins with kind and apiVersion; a custom one may have another version of its group.
  const auto front = R"({"kind":)" + Tree(kind.resource.kind).text() + R"(,"apiVersion":)";
  auto version = Tree(kind.resource.api_version()).text() + ",";
  if (kind.is_custom) version = version.substr(0, version.find('/') + 1);
  const bool is_whole = row.json.starts_with(front + version);
  if (!is_whole) return malformed_error("it is no " + kind.resource.kind);
  if (object->key() != row.key || object->resource_version() != row.version || object->uid().empty()) {
    return malformed_error("its metadata is that of another object");
  }
  index(kind, *object);
  objects_[&kind].insert_or_assign(row.key, Entry(trees_, std::move(*object)));
  return {};
}

void Store::continue_from(std::uint64_t version) {
  version_ = std::max(version_, version);
  compact();
}

Store::Found Store::dependents(const kube::Object& owner) const {
  Found found;
  auto places = dependents_.find(owner.uid());
  if (places == dependents_.end()) return found;
  for (const auto& [kind, key] : places->second) {
    const auto* entry = owner.ns().empty() || owner.ns() == key.ns ? find(*kind, key) : nullptr;
    if (entry != nullptr) found.emplace_back(kind, entry->object);
  }
  return found;
}

std::optional<Store::Place> Store::locate_owner(std::string_view uid, std::string_view dependent_ns) const {
  auto found = places_.find(uid);
  if (found == places_.end()) return std::nullopt;
  const auto& ns = found->second.second.ns;
  return ns.empty() || ns == dependent_ns ? std::optional(found->second) : std::nullopt;
}

void Store::index(const ServedKind& kind, const kube::Object& object) {
  pod_index_.add(kind, object);
  places_.insert_or_assign(std::string(object.uid()), Place(&kind, object.key()));
  object.for_each_owner(
      [&](const kube::OwnerReference& owner) { dependents_[std::string(owner.uid)].emplace(&kind, object.key()); });
}

void Store::forget(const ServedKind& kind, const kube::Object& object) {
  pod_index_.remove(kind, object);
  places_.erase(std::string(object.uid()));
  object.for_each_owner([&](const kube::OwnerReference& owner) {
    auto places = dependents_.find(owner.uid);
    if (places == dependents_.end()) return;
    places->second.erase({&kind, object.key()});
    if (places->second.empty()) dependents_.erase(places);
  });
}

void Store::record(Change change) {
  history_.record(change);
  if (on_change) on_change(change);
}

std::vector<Change> Store::restore(Objects objects, std::uint64_t raised_by) {
  version_ += raised_by;
  auto former = std::exchange(objects_, std::move(objects));
  std::vector<Change> changes;
  for (const auto& [kind, entries] : former) {
    for (const auto& [key, entry] : entries) {
      if (find(*kind, key) == nullptr) changes.push_back({version_, kind, entry.object, std::nullopt});
    }
  }
  dependents_.clear();
  places_.clear();
  pod_index_.clear();
  for (const auto& [kind, entries] : objects_) {
    for (const auto& [key, entry] : entries) {
      index(*kind, entry.object);
      changes.push_back({version_, kind, std::nullopt, entry.object});
    }
  }
  compact();
  return changes;
}

}  // namespace keelson::sandbox
