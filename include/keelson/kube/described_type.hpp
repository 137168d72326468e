// A C++ type as data: how decoding, encoding, validation and the schema walk it without being templates.
//
// For describe.hpp only; authors of kinds need nothing from here. Type values are made once a type and live for ever.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "keelson/kube/constraints.hpp"

namespace keelson::kube {

class Description;

// A value that is carried as the JSON it came as; empty: absent.
struct RawJson {
  std::string text;
  bool operator==(const RawJson&) const = default;
};

// The same type as async::WallTime, which comes with the whole event loop.
using DescribedTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

struct Type {
  enum class Shape { kBool, kInt32, kInt64, kNumber, kString, kTime, kRaw, kOptional, kList, kMap, kStruct };
  using Visit = std::function<void(std::string_view key, const void* element)>;

  Shape shape = Shape::kBool;
  std::size_t bytes = 0;  // of the value itself, without what it allocates
  // Resets it to T{}.
  void (*reset)(void* self) = nullptr;
  const Description* fields = nullptr;  // of a struct
  // Of optionals (at most one element), lists and maps:
  const Type* element = nullptr;
  std::size_t (*size)(const void* self) = nullptr;
  void (*clear)(void* self) = nullptr;
  // Makes an element, in a map at `key` instead of the one that is there; in an optional the value.
  void* (*add)(void* self, std::string_view key) = nullptr;
  void (*each)(const void* self, const Visit& visit) = nullptr;
};

template <class T>
const Type& type_of();
template <class T>
const Description& description_of();

namespace detail {

template <class T>
struct Container : std::false_type {};

template <class T>
struct Container<std::optional<T>> : std::true_type {
  using Self = std::optional<T>;
  using Element = T;
  static constexpr Type::Shape kShape = Type::Shape::kOptional;
  static std::size_t size(const Self& self) { return self ? 1 : 0; }
  static void clear(Self& self) { self.reset(); }
  static T& add(Self& self, std::string_view) { return self.emplace(); }
  static void each(const Self& self, const Type::Visit& visit) {
    if (self) visit({}, &*self);
  }
};

template <class T>
struct Container<std::vector<T>> : std::true_type {
  static_assert(!std::is_same_v<T, bool>, "elements of vector<bool> have no address");
  using Self = std::vector<T>;
  using Element = T;
  static constexpr Type::Shape kShape = Type::Shape::kList;
  static std::size_t size(const Self& self) { return self.size(); }
  static void clear(Self& self) { self.clear(); }
  static T& add(Self& self, std::string_view) { return self.emplace_back(); }
  static void each(const Self& self, const Type::Visit& visit) {
    for (const T& element : self) visit({}, &element);
  }
};

template <class T>
struct Container<std::map<std::string, T>> : std::true_type {
  using Self = std::map<std::string, T>;
  using Element = T;
  static constexpr Type::Shape kShape = Type::Shape::kMap;
  static std::size_t size(const Self& self) { return self.size(); }
  static void clear(Self& self) { self.clear(); }
  static T& add(Self& self, std::string_view key) { return self.insert_or_assign(std::string(key), T{}).first->second; }
  static void each(const Self& self, const Type::Visit& visit) {
    for (const auto& [key, element] : self) visit(key, &element);
  }
};

template <class T>
constexpr Type::Shape scalar_shape() {
  if constexpr (std::is_same_v<T, bool>) return Type::Shape::kBool;
  if constexpr (std::is_same_v<T, std::int32_t>) return Type::Shape::kInt32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Type::Shape::kInt64;
  if constexpr (std::is_same_v<T, double>) return Type::Shape::kNumber;
  if constexpr (std::is_same_v<T, std::string>) return Type::Shape::kString;
  if constexpr (std::is_same_v<T, DescribedTime>) return Type::Shape::kTime;
  if constexpr (std::is_same_v<T, RawJson>) return Type::Shape::kRaw;
  return Type::Shape::kStruct;
}

template <class T>
Type make_type() {
  Type type;
  type.bytes = sizeof(T);
  type.reset = [](void* self) { *static_cast<T*>(self) = T{}; };
  if constexpr (Container<T>::value) {
    using C = Container<T>;
    type.shape = C::kShape;
    type.element = &type_of<typename C::Element>();
    type.size = [](const void* self) { return C::size(*static_cast<const T*>(self)); };
    type.clear = [](void* self) { C::clear(*static_cast<T*>(self)); };
    type.add = [](void* self, std::string_view key) -> void* { return &C::add(*static_cast<T*>(self), key); };
    type.each = [](const void* self, const Type::Visit& visit) { C::each(*static_cast<const T*>(self), visit); };
  } else {
    type.shape = scalar_shape<T>();
    if constexpr (scalar_shape<T>() == Type::Shape::kStruct) type.fields = &description_of<T>();
  }
  return type;
}

}  // namespace detail

template <class T>
const Type& type_of() {
  static const Type type = detail::make_type<T>();
  return type;
}

}  // namespace keelson::kube
