#include "src/sandbox/tree.hpp"

#include <algorithm>
#include <charconv>

namespace keelson::sandbox {

Tree Tree::object(std::initializer_list<std::pair<std::string, Tree>> members) {
  Tree tree;
  tree.type_ = Type::kObject;
  tree.members_ = members;
  return tree;
}

Tree Tree::array(std::vector<Tree> items) {
  Tree tree;
  tree.type_ = Type::kArray;
  tree.items_ = std::move(items);
  return tree;
}

Tree Tree::from(json::View view) {
  if (auto text = view.string()) return {*text};
  if (auto value = view.boolean()) return {*value};
  Tree tree;
  if (view.is_number()) {
    tree.type_ = Type::kNumber;
    tree.text_ = view.text();
  } else if (view.is_array()) {
    tree.type_ = Type::kArray;
    for (auto item : view.items()) tree.items_.push_back(from(item));
  } else if (view.is_object()) {
    tree.type_ = Type::kObject;
    for (const auto& [name, value] : view.members()) tree[name] = from(value);
  }
  return tree;
}

Result<Tree> Tree::parse(std::string_view text) {
  auto document = json::Document::parse(text);
  if (!document) return std::move(document).error();
  return from(document->root());
}

bool Tree::is_empty() const {
  return type_ == Type::kNull || (type_ == Type::kObject && members_.empty()) ||
         (type_ == Type::kArray && items_.empty());
}

const Tree* Tree::find(std::string_view name) const {
  auto found = std::find_if(members_.begin(), members_.end(), [name](const auto& m) { return m.first == name; });
  return found == members_.end() ? nullptr : &found->second;
}

Tree* Tree::find(std::string_view name) { return const_cast<Tree*>(std::as_const(*this).find(name)); }

const Tree* Tree::at(std::initializer_list<std::string_view> path) const {
  const Tree* tree = this;
  for (auto name : path) {
    tree = tree->find(name);
    if (tree == nullptr) return nullptr;
  }
  return tree;
}

std::string Tree::text_at(std::initializer_list<std::string_view> path) const {
  const Tree* tree = at(path);
  return tree != nullptr && tree->is_string() ? tree->text_ : std::string();
}

std::int64_t Tree::integer_at(std::initializer_list<std::string_view> path, std::int64_t otherwise) const {
  const Tree* tree = at(path);
  if (tree == nullptr || tree->type_ != Type::kNumber) return otherwise;
  std::int64_t value = otherwise;
  std::from_chars(tree->text_.data(), tree->text_.data() + tree->text_.size(), value);
  return value;
}

Tree& Tree::operator[](std::string_view name) {
  if (type_ != Type::kObject) *this = object();
  if (Tree* found = find(name)) return *found;
  return members_.emplace_back(std::string(name), Tree()).second;
}

void Tree::set_default(std::string_view name, const Tree& value) {
  Tree& member = (*this)[name];
  if (member.is_null()) member = value;
}

void Tree::erase(std::string_view name) {
  std::erase_if(members_, [name](const auto& member) { return member.first == name; });
}

std::string Tree::text() const {
  json::Writer writer;
  write(writer);
  return std::move(writer).take();
}

void Tree::write(json::Writer& writer) const {
  switch (type_) {
    case Type::kNull:
      writer.null();
      return;
    case Type::kBool:
    case Type::kNumber:
      writer.raw(text_);
      return;
    case Type::kString:
      writer.string(text_);
      return;
    case Type::kArray:
      writer.begin_array();
      for (const auto& item : items_) item.write(writer);
      writer.end_array();
      return;
    case Type::kObject:
      writer.begin_object();
      for (const auto& [name, value] : members_) {
        writer.key(name);
        value.write(writer);
      }
      writer.end_object();
      return;
  }
}

bool Tree::operator==(const Tree& other) const {
  if (type_ != other.type_ || text_ != other.text_ || items_ != other.items_) return false;
  if (members_.size() != other.members_.size()) return false;
  return std::all_of(members_.begin(), members_.end(), [&other](const auto& member) {
    const Tree* same = other.find(member.first);
    return same != nullptr && *same == member.second;
  });
}

}  // namespace keelson::sandbox
