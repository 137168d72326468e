// Reading JSON: a parsed Document, and View, a cheap read-only look at one of its nodes.
//
// A Document owns its tree; every View and string_view taken from it lives only as long as it does. Parse one per
// message and drop it. Input is untrusted: nesting beyond limits::kJsonDepth, invalid UTF-8, lone surrogates and
// anything after the value are errors that name the byte offset. Integers are exact within int64 and uint64, other
// numbers are correctly rounded doubles.
//
// A View is never invalid: looking for what is not there gives an absent View, whose every question is answered
// "no", so that `view.at({"spec", "replicas"}).integer()` needs no checks on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::json {

class Members;
class Items;
class Writer;

class View {
 public:
  View() = default;

  [[nodiscard]] bool is_absent() const { return node_ == nullptr; }
  [[nodiscard]] bool is_null() const;
  [[nodiscard]] bool is_bool() const;
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_string() const;
  [[nodiscard]] bool is_number() const;
  // True when there is something to read: neither absent nor null (Go decodes both to the zero value).
  [[nodiscard]] bool has_value() const { return !is_absent() && !is_null(); }

  // The member of that name; of duplicates the last, as Go reads them. Absent for anything but an object.
  [[nodiscard]] View find(std::string_view name) const;
  [[nodiscard]] View at(std::initializer_list<std::string_view> path) const;
  [[nodiscard]] View item(std::size_t index) const;
  // Members of an object as they came, duplicates included; items of an array; otherwise 0.
  [[nodiscard]] std::size_t size() const;

  // Nothing when the value is of another type; `integer` also takes a double that is a whole number within int64.
  [[nodiscard]] std::optional<std::string_view> string() const;
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] std::optional<bool> boolean() const;

  // `for (const auto& [name, value] : view.members())`; empty for other types.
  [[nodiscard]] Members members() const;
  [[nodiscard]] Items items() const;

  // Compact JSON, members in the order they came; an absent View is `null`.
  [[nodiscard]] std::string text() const;
  void write(Writer& writer) const;

 private:
  friend class Document;
  friend class Members;
  friend class Items;
  friend bool equal(View left, View right);
  explicit View(const void* node) : node_(node) {}
  const void* node_ = nullptr;
};

// Deep equality: numbers by value (1 equals 1.0), objects regardless of order. Absent equals only absent.
[[nodiscard]] bool equal(View left, View right);

class Document {
 public:
  // kMalformed with the byte offset when the text is not one JSON value.
  [[nodiscard]] static Result<Document> parse(std::string_view text);

  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  [[nodiscard]] View root() const;

 private:
  struct Tree;
  explicit Document(std::unique_ptr<Tree> tree);
  std::unique_ptr<Tree> tree_;
};

struct Member {
  std::string_view name;
  View value;
};

// The ranges behind View::members and View::items.
class Members {
 public:
  class Iterator {
   public:
    using value_type = Member;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = void;
    using reference = Member;

    Iterator() = default;
    explicit Iterator(const void* position) : position_(position) {}
    Member operator*() const;
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(const Iterator&) const = default;

   private:
    const void* position_ = nullptr;
  };

  Members() = default;
  Members(const void* first, const void* last) : begin_(first), end_(last) {}
  [[nodiscard]] Iterator begin() const { return begin_; }
  [[nodiscard]] Iterator end() const { return end_; }

 private:
  Iterator begin_;
  Iterator end_;
};

class Items {
 public:
  class Iterator {
   public:
    using value_type = View;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    using pointer = void;
    using reference = View;

    Iterator() = default;
    explicit Iterator(const void* position) : position_(position) {}
    View operator*() const;
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(const Iterator&) const = default;

   private:
    const void* position_ = nullptr;
  };

  Items() = default;
  Items(const void* first, const void* last) : begin_(first), end_(last) {}
  [[nodiscard]] Iterator begin() const { return begin_; }
  [[nodiscard]] Iterator end() const { return end_; }

 private:
  Iterator begin_;
  Iterator end_;
};

}  // namespace keelson::json
