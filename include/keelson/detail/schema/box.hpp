// The containers in the structs of keelson/api: Box, a struct that may be absent, and ListOf, a list of structs.
//
// They replace std::optional and std::vector where their copy constructors and destructors would be instantiated for
// every struct. A Box and a ListOf copy and destroy their structs by the tables of their fields (struct_table.hpp)
// instead, so a program that uses Deployment does not contain the code of the hundred structs of which a pod template
// can consist.
//
// Both own their structs and are values: a copy is deep, and a move leaves the source empty. Structs of your own use
// std::optional and std::vector.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

namespace keelson::kube {

struct Type;
template <class T>
const Type& type_of();

// These functions need only the Type, so that the templates below stay small.
namespace detail {
// A struct on the heap: T{}, or a copy. delete_value() destroys it; delete of a T would do the same.
[[nodiscard]] void* make_value(const Type& type);
[[nodiscard]] void* copy_value(const Type& type, const void* from);
void delete_value(const Type& type, void* self);

// The structs of a ListOf, each on the heap. copy_values() appends to `to`, delete_values() leaves `values` empty.
using Values = std::vector<void*>;
void copy_values(const Type& type, Values& to, const Values& from);
void delete_values(const Type& type, Values& values);
}  // namespace detail

// A T or nothing, like std::optional, with the struct on the heap, so that an absent one costs a pointer. An empty
// struct differs from an absent one: `T{}` is set and written as `{}`, and a Box `{}` is absent and not written.
//
// Example (test/examples/schema.cpp#box):
//   void add_scratch_volume(core::v1::PodSpec& pod) {
//     pod.volumes.push_back({.name = "scratch"});
//     pod.volumes.back().empty_dir = core::v1::EmptyDirVolumeSource{};  // written as {}
//     for (auto& container : pod.containers) container.security_context = {{.run_as_non_root = true}};
//   }
//
//   bool has_node_affinity(const core::v1::PodSpec& pod) { return pod.affinity && pod.affinity->node_affinity; }
template <class T>
class Box {
 public:
  // Absent.
  Box() = default;
  // Implicit, so that a struct can be assigned where a Box is expected.
  Box(T value) : value_(new T(std::move(value))) {}
  Box(const Box& other) : value_(other ? detail::copy_value(type_of<T>(), other.value_) : nullptr) {}
  Box(Box&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  // By value: one operator copies and moves, and an assignment to itself is harmless.
  Box& operator=(Box other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Box() { reset(); }

  // True if it has a struct, even an empty one.
  [[nodiscard]] explicit operator bool() const { return value_ != nullptr; }
  // References stay valid until the Box is assigned to, reset or destroyed; a move of the Box keeps them.
  // Undefined behavior if the Box is empty, as for std::optional: check it first.
  [[nodiscard]] T& operator*() { return *static_cast<T*>(value_); }
  [[nodiscard]] const T& operator*() const { return *static_cast<const T*>(value_); }
  [[nodiscard]] T* operator->() { return static_cast<T*>(value_); }
  [[nodiscard]] const T* operator->() const { return static_cast<const T*>(value_); }

  // Replaces the content by T{} and returns it, to fill it in place.
  T& emplace() {
    reset();
    value_ = detail::make_value(type_of<T>());
    return **this;
  }
  // Makes the Box empty: an apply then releases the field, and a merge patch removes it.
  void reset() {
    if (value_ != nullptr) detail::delete_value(type_of<T>(), std::exchange(value_, nullptr));
  }

  // Compares the structs. T needs operator== only if it is used. Two absent structs are equal.
  friend bool operator==(const Box& left, const Box& right) {
    return left && right ? *left == *right : !left && !right;
  }

 private:
  void* value_ = nullptr;  // a T; untyped, because struct_table.cpp accesses any Box as a pointer
};

// Structs in order, like std::vector. Each struct is on the heap, so references to it stay valid while others are
// added; iterators do not, as those of std::vector.
//
// Example (test/examples/schema.cpp#list):
//   core::v1::PodSpec web(std::string image) {
//     core::v1::PodSpec pod;
//     pod.containers = {{.name = "web", .image = std::move(image)}};
//     return pod;
//   }
template <class T>
class ListOf {
  // A forward iterator over the structs, which hides the pointers. There is no erase(): build a new list, since the
  // fields of an apply are set from scratch in each pass.
  template <class Element, class Inner>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = Element*;
    using reference = Element&;

    Iterator() = default;
    explicit Iterator(Inner inner) : inner_(inner) {}
    Element& operator*() const { return *static_cast<Element*>(*inner_); }
    Element* operator->() const { return static_cast<Element*>(*inner_); }
    Iterator& operator++() {
      ++inner_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(inner_++); }
    bool operator==(const Iterator&) const = default;

   private:
    Inner inner_{};
  };

 public:
  using value_type = T;
  using iterator = Iterator<T, detail::Values::iterator>;
  using const_iterator = Iterator<const T, detail::Values::const_iterator>;

  // Empty, without memory on the heap.
  ListOf() = default;
  // Copies the structs, because initializer lists are constant. For a struct that is expensive to copy use push_back.
  ListOf(std::initializer_list<T> values) {
    for (const T& value : values) values_.push_back(detail::copy_value(type_of<T>(), &value));
  }
  ListOf(const ListOf& other) { detail::copy_values(type_of<T>(), values_, other.values_); }
  ListOf(ListOf&& other) noexcept : values_(std::exchange(other.values_, {})) {}
  // By value, as for Box.
  ListOf& operator=(ListOf other) noexcept {
    std::swap(values_, other.values_);
    return *this;
  }
  ~ListOf() { clear(); }

  // An empty list is not written unless the API requires the field.
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  // Not checked: `index` must be less than size(), and the list must not be empty for front() and back().
  [[nodiscard]] T& operator[](std::size_t index) { return *static_cast<T*>(values_[index]); }
  [[nodiscard]] const T& operator[](std::size_t index) const { return *static_cast<const T*>(values_[index]); }
  [[nodiscard]] T& front() { return (*this)[0]; }
  [[nodiscard]] const T& front() const { return (*this)[0]; }
  [[nodiscard]] T& back() { return (*this)[size() - 1]; }
  [[nodiscard]] const T& back() const { return (*this)[size() - 1]; }
  // For range-based for loops and for the algorithms that need forward iterators.
  [[nodiscard]] iterator begin() { return iterator(values_.begin()); }
  [[nodiscard]] iterator end() { return iterator(values_.end()); }
  [[nodiscard]] const_iterator begin() const { return const_iterator(values_.begin()); }
  [[nodiscard]] const_iterator end() const { return const_iterator(values_.end()); }

  // Returns the added struct, to fill it in place.
  T& push_back(T value) {
    values_.push_back(new T(std::move(value)));
    return back();
  }
  // Destroys all structs; references and iterators become invalid.
  void clear() { detail::delete_values(type_of<T>(), values_); }

  // Equal structs in the same order, also for lists that the API server treats as sets or maps.
  friend bool operator==(const ListOf& left, const ListOf& right) {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!(left[i] == right[i])) return false;
    }
    return true;
  }

 private:
  detail::Values values_;  // of T
};

}  // namespace keelson::kube
