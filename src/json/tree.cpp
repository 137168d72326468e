#include "keelson/detail/json/tree.hpp"

#include <algorithm>
#include <charconv>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text_hash.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::json {

namespace {

// Most objects have fewer members: comparing each of them is faster than a table, and takes no memory.
constexpr std::size_t kMembersWithoutTable = 24;

}  // namespace

struct Tree::Parts {
  using Table = base::TextMap<std::string_view, Members::iterator>;

  Parts() = default;
  Parts(const Parts& other) : items(other.items), members(other.members) {}

  // The end if no member has that name.
  [[nodiscard]] Members::iterator find(std::string_view name) {
    if (members.size() <= kMembersWithoutTable) {
      return std::ranges::find_if(members, [name](const auto& member) { return member.first == name; });
    }
    if (!table) {
      table = std::make_unique<Table>(members.size());
      for (auto member = members.begin(); member != members.end(); ++member) table->emplace(member->first, member);
    }
    auto found = table->find(name);
    return found == table->end() ? members.end() : found->second;
  }

  Members::iterator add(std::string_view name) {
    auto added = members.emplace(members.end(), std::string(name), Tree());
    if (table) table->emplace(added->first, added);
    return added;
  }

  void erase(Members::iterator member) {
    if (table) table->erase(member->first);
    members.erase(member);
  }

  std::vector<Tree> items;
  Members members;
  // The place of each member by its name, created by the first lookup. Null again after members() has returned them.
  std::unique_ptr<Table> table;
};

Tree Tree::object(std::initializer_list<std::pair<std::string, Tree>> members) {
  Tree tree;
  tree.type_ = Type::kObject;
  tree.own_parts().members = members;
  return tree;
}

Tree Tree::array(std::vector<Tree> items) {
  Tree tree;
  tree.type_ = Type::kArray;
  tree.own_parts().items = std::move(items);
  return tree;
}

Tree Tree::raw(std::string json) {
  Tree tree;
  tree.type_ = Type::kRaw;
  tree.text_ = std::move(json);
  return tree;
}

Tree Tree::from(View view) {
  if (auto text = view.string()) return {*text};
  if (auto value = view.boolean()) return {*value};
  Tree tree;
  if (view.is_number()) {
    tree.type_ = Type::kNumber;
    tree.text_ = view.text();
  } else if (view.is_array()) {
    tree.type_ = Type::kArray;
    for (auto item : view.items()) tree.items().push_back(from(item));
  } else if (view.is_object()) {
    tree.type_ = Type::kObject;
    for (const auto& [name, value] : view.members()) tree[name] = from(value);
  }
  return tree;
}

Result<Tree> Tree::parse(std::string_view text) {
  KEELSON_LET(auto document, Document::parse(text));
  return from(document.root());
}

bool Tree::is_empty() const {
  return type_ == Type::kNull || (type_ == Type::kObject && members().empty()) ||
         (type_ == Type::kArray && items().empty());
}

const Tree* Tree::find(std::string_view name) const {
  if (!parts_) return nullptr;
  auto found = parts_->find(name);
  return found == parts_->members.end() ? nullptr : &found->second;
}

Tree* Tree::find(std::string_view name) {
  if (std::as_const(*this).find(name) == nullptr) return nullptr;
  return &own_parts().find(name)->second;
}

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

bool Tree::is_true_at(std::initializer_list<std::string_view> path) const {
  const Tree* tree = at(path);
  return tree != nullptr && tree->type_ == Type::kBool && tree->text_ == "true";
}

Tree Tree::copy_at(std::initializer_list<std::string_view> path) const {
  const Tree* tree = at(path);
  return tree != nullptr ? *tree : object();
}

Tree& Tree::operator[](std::string_view name) {
  if (type_ != Type::kObject) *this = object();
  if (Tree* found = find(name)) return *found;
  return own_parts().add(name)->second;
}

void Tree::set_default(std::string_view name, const Tree& value) {
  Tree& member = (*this)[name];
  if (member.is_null()) member = value;
}

void Tree::erase(std::string_view name) {
  if (std::as_const(*this).find(name) == nullptr) return;
  auto& parts = own_parts();
  parts.erase(parts.find(name));
}

const Tree::Members& Tree::members() const {
  static const Members kNone;
  return parts_ ? parts_->members : kNone;
}

const Tree::Members& Tree::members_at(std::initializer_list<std::string_view> path) const {
  static const Tree kAbsent;
  const Tree* tree = at(path);
  return (tree != nullptr ? *tree : kAbsent).members();
}

Tree::Members& Tree::members() {
  auto& parts = own_parts();
  parts.table.reset();
  return parts.members;
}

const std::vector<Tree>& Tree::items() const {
  static const std::vector<Tree> kNone;
  return parts_ ? parts_->items : kNone;
}

const std::vector<Tree>& Tree::items_at(std::initializer_list<std::string_view> path) const {
  static const Tree kAbsent;
  const Tree* tree = at(path);
  return (tree != nullptr ? *tree : kAbsent).items();
}

std::vector<std::string> Tree::texts_at(std::initializer_list<std::string_view> path) const {
  std::vector<std::string> texts;
  for (const auto& item : items_at(path)) texts.push_back(item.text_);
  return texts;
}

std::vector<Tree>& Tree::items() { return own_parts().items; }

std::span<Tree> Tree::items_of(std::string_view name) {
  Tree* member = find(name);
  return member != nullptr && member->is_array() ? std::span<Tree>(member->items()) : std::span<Tree>();
}

Tree::Parts& Tree::own_parts() {
  if (!parts_) {
    parts_ = std::make_shared<Parts>();
  } else if (parts_.use_count() > 1) {
    parts_ = std::make_shared<Parts>(*parts_);
  }
  return *parts_;
}

std::string Tree::text() const {
  std::string text;
  append_to(text);
  return text;
}

void Tree::append_to(std::string& out) const {
  const char* separator = "";
  switch (type_) {
    case Type::kNull:
      out += "null";
      return;
    case Type::kBool:
    case Type::kNumber:
    case Type::kRaw:
      out += text_;
      return;
    case Type::kString:
      return append_quoted(out, text_);
    case Type::kArray:
      out += '[';
      for (const auto& item : items()) {
        out += std::exchange(separator, ",");
        item.append_to(out);
      }
      out += ']';
      return;
    case Type::kObject:
      out += '{';
      for (const auto& [name, value] : members()) {
        out += std::exchange(separator, ",");
        append_quoted(out, name);
        out += ':';
        value.append_to(out);
      }
      out += '}';
      return;
  }
}

bool Tree::operator==(const Tree& other) const {
  if (type_ != other.type_ || text_ != other.text_) return false;
  if (parts_ == other.parts_) return true;
  if (items() != other.items() || members().size() != other.members().size()) return false;
  return std::ranges::all_of(members(), [&other](const auto& member) {
    const Tree* same = other.find(member.first);
    return same != nullptr && *same == member.second;
  });
}

}  // namespace keelson::json
