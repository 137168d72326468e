#include "src/json/tree.hpp"

#include <algorithm>
#include <unordered_map>

#include "src/json/members.hpp"

namespace keelson::json {

Tree Tree::of_scalar(std::string json) {
  Tree tree;
  tree.scalar = std::move(json);
  return tree;
}

Tree Tree::of_kind(Kind kind) {
  Tree tree;
  tree.kind = kind;
  tree.scalar.clear();
  return tree;
}

Tree Tree::of(View value) {
  if (!value.is_object() && !value.is_array()) return of_scalar(value.text());
  Tree tree = of_kind(value.is_object() ? Kind::kObject : Kind::kArray);
  tree.children.reserve(value.size());
  for (const auto& [name, member] : value.members()) {
    tree.names.emplace_back(name);
    tree.children.push_back(of(member));
  }
  for (const View item : value.items()) tree.children.push_back(of(item));
  tree.drop_duplicates();
  return tree;
}

Tree* Tree::find(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &children[static_cast<std::size_t>(found - names.begin())];
}

void Tree::write(Writer& writer) const {
  if (kind == Kind::kScalar) {
    writer.raw(scalar);
  } else if (kind == Kind::kArray) {
    writer.begin_array();
    for (const Tree& child : children) child.write(writer);
    writer.end_array();
  } else {
    writer.begin_object();
    for (std::size_t i = 0; i < children.size(); ++i) children[i].write(writer.key(names[i]));
    writer.end_object();
  }
}

std::string Tree::text() const {
  Writer writer;
  write(writer);
  return std::move(writer).take();
}

std::size_t Tree::memory() const {
  std::size_t total = node_memory(scalar.size());
  for (const std::string& name : names) total += name_memory(name.size());
  for (const Tree& child : children) total += child.memory();
  return total;
}

std::size_t Tree::depth() const {
  if (kind == Kind::kScalar) return 0;
  std::size_t deepest = 0;
  for (const Tree& child : children) deepest = std::max(deepest, child.depth());
  return deepest + 1;
}

bool Tree::equals(View value) const {
  if (kind == Kind::kScalar) {
    const auto document = Document::parse(scalar);
    return document && equal(document->root(), value);
  }
  if (kind == Kind::kArray) {
    if (!value.is_array() || value.size() != children.size()) return false;
    std::size_t at = 0;
    for (const View item : value.items()) {
      if (!children[at++].equals(item)) return false;
    }
    return true;
  }
  if (!value.is_object()) return false;
  const auto members = unique_members(value);
  if (members.size() != children.size()) return false;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const auto found = std::ranges::lower_bound(members, std::string_view(names[i]), {}, &Member::name);
    if (found == members.end() || found->name != names[i] || !children[i].equals(found->value)) return false;
  }
  return true;
}

void Tree::drop_duplicates() {
  std::unordered_map<std::string_view, std::size_t> first;
  first.reserve(names.size());
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [place, is_new] = first.emplace(names[i], i);
    if (is_new) {
      kept.push_back(i);
    } else {
      children[place->second] = std::move(children[i]);
    }
  }
  if (kept.size() == names.size()) return;
  std::vector<std::string> new_names;
  std::vector<Tree> new_children;
  for (const std::size_t i : kept) {
    new_names.push_back(names[i]);
    new_children.push_back(std::move(children[i]));
  }
  names = std::move(new_names);
  children = std::move(new_children);
}

}  // namespace keelson::json
