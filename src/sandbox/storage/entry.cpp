#include "src/sandbox/storage/entry.hpp"

#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/sandbox/limits.hpp"

namespace keelson::sandbox {

namespace {

Stored stored_from(std::string_view json) {
  auto tree = Tree::parse(json);
  KEELSON_ASSERT(tree.has_value());  // the JSON was written from a tree
  Stored stored;
  if (const Tree* fields = tree->at({"metadata", "managedFields"})) stored.managers = managers_of(*fields);
  (*tree)["metadata"].erase("managedFields");
  stored.tree = std::move(*tree);
  return stored;
}

}  // namespace

void TreesInUse::trim() {
  const auto are_too_many = [this] {
    return entries_.size() > limits::kSandboxTrees || bytes_ > limits::kSandboxTreeBytes;
  };
  while (are_too_many()) entries_.front()->drop_tree();
}

Entry::Entry(TreesInUse& trees, kube::Object json, Stored stored) : object(std::move(json)), trees_(&trees) {
  keep_tree(std::move(stored));
}

Entry::Entry(Entry&& other) noexcept
    : object(std::move(other.object)), trees_(other.trees_), parsed_(std::move(other.parsed_)) {
  if (parsed_) *parsed_->place = this;
}

Entry& Entry::operator=(Entry other) noexcept {
  drop_tree();
  object = std::move(other.object);
  trees_ = other.trees_;
  parsed_ = std::move(other.parsed_);
  if (parsed_) *parsed_->place = this;
  return *this;
}

Entry Entry::rewritten(kube::Object json, Stored stored) const { return {*trees_, std::move(json), std::move(stored)}; }

const Stored& Entry::stored() const {
  if (!parsed_) keep_tree(stored_from(object.json()));
  return parsed_->stored;
}

void Entry::keep_tree(Stored stored) const {
  auto place = trees_->entries_.insert(trees_->entries_.end(), this);
  const auto bytes = object.json().size();
  trees_->bytes_ += bytes;
  parsed_ = std::make_unique<Parsed>(Parsed{std::move(stored), place, bytes});
}

void Entry::drop_tree() const {
  if (!parsed_) return;
  trees_->entries_.erase(parsed_->place);
  trees_->bytes_ -= parsed_->bytes;
  parsed_.reset();
}

}  // namespace keelson::sandbox
