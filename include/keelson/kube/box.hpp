// What the structs of keelson/api consist of: a struct that may be absent, and a list of structs.
//
// They own their structs, and copy and destroy them by the tables of their fields: a program that uses Deployment does
// not contain the code of the hundred structs that a pod template may consist of.
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

namespace detail {
// A value on the heap.
[[nodiscard]] void* make_value(const Type& type);
[[nodiscard]] void* copy_value(const Type& type, const void* from);
void delete_value(const Type& type, void* self);

using Values = std::vector<void*>;
void copy_values(const Type& type, Values& to, const Values& from);
void delete_values(const Type& type, Values& values);
}  // namespace detail

// A T or nothing. An empty struct is not nothing: `T{}` is set, and `{}` is absent.
//   container.security_context = {{.run_as_non_root = true}};
//   volume.empty_dir = core::v1::EmptyDirVolumeSource{};
//   if (pod.spec.affinity) … pod.spec.affinity->node_affinity …
template <class T>
class Box {
 public:
  Box() = default;
  Box(T value) : value_(new T(std::move(value))) {}
  Box(const Box& other) : value_(other ? detail::copy_value(type_of<T>(), other.value_) : nullptr) {}
  Box(Box&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Box& operator=(Box other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Box() { reset(); }

  [[nodiscard]] explicit operator bool() const { return value_ != nullptr; }
  // Only of a Box that is not empty.
  [[nodiscard]] T& operator*() { return *static_cast<T*>(value_); }
  [[nodiscard]] const T& operator*() const { return *static_cast<const T*>(value_); }
  [[nodiscard]] T* operator->() { return static_cast<T*>(value_); }
  [[nodiscard]] const T* operator->() const { return static_cast<const T*>(value_); }

  // An empty struct instead of what is there.
  T& emplace() {
    reset();
    value_ = detail::make_value(type_of<T>());
    return **this;
  }
  void reset() {
    if (value_ != nullptr) detail::delete_value(type_of<T>(), std::exchange(value_, nullptr));
  }

  friend bool operator==(const Box& left, const Box& right) {
    return left && right ? *left == *right : !left && !right;
  }

 private:
  void* value_ = nullptr;
};

// Structs in order; references to them stay valid while others are added.
//   pod.spec.containers = {{.name = "web", .image = image}};
template <class T>
class ListOf {
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

  ListOf() = default;
  ListOf(std::initializer_list<T> values) {
    for (const T& value : values) values_.push_back(detail::copy_value(type_of<T>(), &value));
  }
  ListOf(const ListOf& other) { detail::copy_values(type_of<T>(), values_, other.values_); }
  ListOf(ListOf&& other) noexcept : values_(std::exchange(other.values_, {})) {}
  ListOf& operator=(ListOf other) noexcept {
    std::swap(values_, other.values_);
    return *this;
  }
  ~ListOf() { clear(); }

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] bool empty() const { return values_.empty(); }
  // `index` < size().
  [[nodiscard]] T& operator[](std::size_t index) { return *static_cast<T*>(values_[index]); }
  [[nodiscard]] const T& operator[](std::size_t index) const { return *static_cast<const T*>(values_[index]); }
  [[nodiscard]] T& front() { return (*this)[0]; }
  [[nodiscard]] const T& front() const { return (*this)[0]; }
  [[nodiscard]] T& back() { return (*this)[size() - 1]; }
  [[nodiscard]] const T& back() const { return (*this)[size() - 1]; }
  [[nodiscard]] iterator begin() { return iterator(values_.begin()); }
  [[nodiscard]] iterator end() { return iterator(values_.end()); }
  [[nodiscard]] const_iterator begin() const { return const_iterator(values_.begin()); }
  [[nodiscard]] const_iterator end() const { return const_iterator(values_.end()); }

  T& push_back(T value) {
    values_.push_back(new T(std::move(value)));
    return back();
  }
  void clear() { detail::delete_values(type_of<T>(), values_); }

  friend bool operator==(const ListOf& left, const ListOf& right) {
    if (left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!(left[i] == right[i])) return false;
    }
    return true;
  }

 private:
  detail::Values values_;
};

}  // namespace keelson::kube
