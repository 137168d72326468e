// Document and View: a parsed JSON text, and cheap read-only access to its nodes.
//
// Room `json` reads, writes, patches and projects JSON, and converts YAML. Choose by the size and the use of the text:
//   - value.hpp builds a tree, for messages that are read completely; writer.hpp writes JSON, patch.hpp patches it;
//   - scan.hpp, metadata.hpp and projection.hpp split, scan and reduce streamed objects without a tree, for caches;
//   - reader.hpp and path_scan.hpp read large untrusted texts in slices, without a tree;
//   - yaml.hpp converts YAML to JSON, and JSON to YAML.
//
// Ownership: a Document owns its tree and a copy of its text. Every View and string_view from it is valid only as long
// as the Document exists. Parse a Document per message and drop it. Threads and cancellation: nothing here waits; large
// texts that arrive on the loop are read in slices (reader.hpp).
//
// Input is untrusted: nesting beyond limits::kJsonDepth, invalid UTF-8, lone surrogates and text after the value are
// errors with the byte offset. Integers are exact within int64 and uint64, other numbers are correctly rounded doubles.
//
// A View is never invalid: the lookup of a missing member returns an absent View, which is of no type and empty, so
// that `view.at({"spec", "replicas"}).integer()` needs no checks on the way.
//
// Example (test/examples/json.cpp#value):
//   // Reads a Deployment, and writes {"name":"web","replicas":3}.
//   Result<std::string> summary_of(std::string_view deployment) {
//     KEELSON_LET(auto document, json::Document::parse(deployment));
//     auto root = document.root();
//     auto name = root.at({"metadata", "name"}).string();
//     if (!name) return invalid_error("deployment: metadata.name is missing");
//     auto replicas = root.at({"spec", "replicas"}).integer().value_or(1);  // no checks on the way
//     json::Writer writer;
//     writer.begin_object().field("name", *name).field("replicas", replicas).end_object();
//     return std::move(writer).take();
//   }
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

// A node of a Document: a pointer, to be passed by value. The Document must outlive it, and so do the texts that it
// returns as string_view.
class View {
 public:
  // An absent View. Every function accepts it, so a path can be read without checks on the way.
  View() = default;

  // Each View has exactly one type: absent, null, bool, object, array, string or number.
  [[nodiscard]] bool is_absent() const { return node_ == nullptr; }
  [[nodiscard]] bool is_null() const;
  [[nodiscard]] bool is_bool() const;
  [[nodiscard]] bool is_object() const;
  [[nodiscard]] bool is_array() const;
  [[nodiscard]] bool is_string() const;
  [[nodiscard]] bool is_number() const;
  // True if the View is neither absent nor null, which Go both decodes to the zero value.
  [[nodiscard]] bool has_value() const { return !is_absent() && !is_null(); }

  // The member with this name; of duplicates the last, as in Go. Absent if this is not an object. The search is linear:
  // to read all members of a large object, use members().
  [[nodiscard]] View find(std::string_view name) const;
  // find() for each name of the path in turn.
  [[nodiscard]] View at(std::initializer_list<std::string_view> path) const;
  // The item at this index of an array, from 0; absent beyond its end.
  [[nodiscard]] View item(std::size_t index) const;
  // The number of members of an object, with duplicates, or of items of an array; otherwise 0.
  [[nodiscard]] std::size_t size() const;

  // The value, or nullopt if it has another type; nothing is converted between types. integer() also accepts a number
  // such as 3.0 or 1e3 that is a whole number within int64. string() is a view of the Document's text.
  [[nodiscard]] std::optional<std::string_view> string() const;
  [[nodiscard]] std::optional<std::int64_t> integer() const;
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] std::optional<bool> boolean() const;

  // For loops over all members or items: `for (const auto& [name, value] : view.members())`. Empty for other types.
  [[nodiscard]] Members members() const;
  [[nodiscard]] Items items() const;

  // Compact JSON with the members in their order, numbers as they were written; `null` for an absent View.
  [[nodiscard]] std::string text() const;
  // The same, as a value of `writer`.
  void write(Writer& writer) const;

 private:
  friend class Document;
  friend class Members;
  friend class Items;
  friend bool equal(View left, View right);
  explicit View(const void* node) : node_(node) {}
  const void* node_ = nullptr;
};

// Deep equality: numbers are compared by value (1 equals 1.0), objects without regard to order. An absent View equals
// only an absent View.
[[nodiscard]] bool equal(View left, View right);

// The owner of a parsed text. Moving it keeps its Views valid; destroying it or assigning to it does not.
class Document {
 public:
  // kMalformed with the byte offset if the text is not exactly one JSON value. `text` is copied.
  [[nodiscard]] static Result<Document> parse(std::string_view text);

  Document(Document&&) noexcept;
  Document& operator=(Document&&) noexcept;
  ~Document();

  // The value of the text; not after the Document was moved from (asserted).
  [[nodiscard]] View root() const;

 private:
  struct Tree;
  explicit Document(std::unique_ptr<Tree> tree);
  std::unique_ptr<Tree> tree_;
};

// A member of an object, as Members yields it. The name is decoded, and valid as long as the Document.
struct Member {
  std::string_view name;
  View value;
};

// The range of View::members: input iterators, for range-based for loops. The members come in the order of the text,
// duplicates included, whereas find() returns only the last of these. The range refers to the Document, not to the
// View.
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
    // Returns a value, not a reference: bind it to a `const auto&`.
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

// The range of View::items, in the order of the text. The same holds as for Members.
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
