// A JSON value that can be changed: what patches and YAML are read into, and the form of objects in the sandbox.
//
// A value type. Numbers retain their text. Objects retain the order of their members; equality ignores it. Copies share
// their content until one of them changes it, so copying and comparing with a copy are cheap for any size. The trap: a
// reference into a tree may be used for writing only until that tree is copied.
//
// The functions recurse into the value, so limit the depth of a tree that you build; parse() does.
#pragma once

#include <initializer_list>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/json/value.hpp"

namespace keelson::json {

class Tree {
 public:
  enum class Type { kNull, kBool, kNumber, kString, kArray, kObject, kRaw };
  // A list, so that a reference to a member remains valid while others are added.
  using Members = std::list<std::pair<std::string, Tree>>;

  Tree() = default;
  Tree(std::string_view text) : type_(Type::kString), text_(text) {}
  Tree(const char* text) : Tree(std::string_view(text)) {}
  Tree(const std::string& text) : Tree(std::string_view(text)) {}
  Tree(bool value) : type_(Type::kBool), text_(value ? "true" : "false") {}
  Tree(std::int64_t value) : type_(Type::kNumber), text_(std::to_string(value)) {}
  Tree(int value) : Tree(std::int64_t{value}) {}
  [[nodiscard]] static Tree object(std::initializer_list<std::pair<std::string, Tree>> members = {});
  [[nodiscard]] static Tree array(std::vector<Tree> items = {});
  // JSON that is written unchanged and not parsed.
  [[nodiscard]] static Tree raw(std::string json);
  // The last of duplicate members counts, at the position of the first.
  [[nodiscard]] static Tree from(View view);
  // Errors are those of Document::parse.
  [[nodiscard]] static Result<Tree> parse(std::string_view text);

  [[nodiscard]] Type type() const { return type_; }
  [[nodiscard]] bool is_null() const { return type_ == Type::kNull; }
  [[nodiscard]] bool is_object() const { return type_ == Type::kObject; }
  [[nodiscard]] bool is_array() const { return type_ == Type::kArray; }
  [[nodiscard]] bool is_string() const { return type_ == Type::kString; }
  // Null, or an object or array without members.
  [[nodiscard]] bool is_empty() const;

  // Null if the name or path does not exist.
  [[nodiscard]] const Tree* find(std::string_view name) const;
  [[nodiscard]] Tree* find(std::string_view name);
  [[nodiscard]] const Tree* at(std::initializer_list<std::string_view> path) const;
  // The string at the path, else empty; the integer at the path, else `otherwise`.
  [[nodiscard]] std::string text_at(std::initializer_list<std::string_view> path) const;
  [[nodiscard]] std::int64_t integer_at(std::initializer_list<std::string_view> path, std::int64_t otherwise = 0) const;
  [[nodiscard]] bool is_true_at(std::initializer_list<std::string_view> path) const;
  // A copy of the value at the path, else an empty object.
  [[nodiscard]] Tree copy_at(std::initializer_list<std::string_view> path) const;

  // The member; a missing one is created as null, and a value that is not an object becomes one.
  Tree& operator[](std::string_view name);
  // Sets a member that is absent or null.
  void set_default(std::string_view name, const Tree& value);
  void erase(std::string_view name);

  // The text of a string, number, bool or raw value; empty for others.
  [[nodiscard]] const std::string& scalar() const { return text_; }
  [[nodiscard]] const Members& members() const;
  // Those of the object at the path; empty if there is none.
  [[nodiscard]] const Members& members_at(std::initializer_list<std::string_view> path) const;
  // The result must not be changed after the next call of find or operator[].
  [[nodiscard]] Members& members();
  [[nodiscard]] const std::vector<Tree>& items() const;
  // Those of the array at the path; empty if there is none.
  [[nodiscard]] const std::vector<Tree>& items_at(std::initializer_list<std::string_view> path) const;
  // The scalars of these items.
  [[nodiscard]] std::vector<std::string> texts_at(std::initializer_list<std::string_view> path) const;
  [[nodiscard]] std::vector<Tree>& items();
  // The items of the member, to be changed; empty if it is not an array.
  [[nodiscard]] std::span<Tree> items_of(std::string_view name);

  // Compact JSON.
  [[nodiscard]] std::string text() const;
  bool operator==(const Tree& other) const;

 private:
  struct Parts;
  [[nodiscard]] Parts& own_parts();
  void append_to(std::string& out) const;

  Type type_ = Type::kNull;
  std::string text_;
  std::shared_ptr<Parts> parts_;  // of objects and arrays; null: empty
};

}  // namespace keelson::json
