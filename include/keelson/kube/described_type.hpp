// A C++ type as data: how decoding, encoding, validation and the schema walk it without being templates.
//
// For describe.hpp and for the structs in keelson/api; authors of kinds need nothing from here. Types are constants.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/box.hpp"

namespace keelson::json {
class Writer;
}  // namespace keelson::json

namespace keelson::kube {

class Description;
class StructTable;

// A value that is carried as the JSON it came as; empty: absent.
struct RawJson {
  std::string text;
  bool operator==(const RawJson&) const = default;
};

// The same type as async::WallTime, which comes with the whole event loop.
using Time = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

struct Type {
  enum class Shape : std::uint8_t {
    kBool,
    kInt32,
    kInt64,
    kNumber,
    kString,
    kTime,
    kCustom,
    kRaw,
    kOptional,
    kList,
    kMap,
    kStruct
  };
  using Visit = std::function<void(std::string_view key, const void* element)>;

  // Every type has these; the last two make a value in raw memory.
  struct ValueOperations {
    void (*destroy)(const Type& type, void* self) = nullptr;
    void (*construct)(const Type& type, void* place) = nullptr;
    void (*copy)(const Type& type, void* place, const void* from) = nullptr;
  };
  // Optionals (at most one element), lists and maps have these.
  struct ContainerOperations {
    std::size_t (*size)(const void* self) = nullptr;
    void (*clear)(const Type& type, void* self) = nullptr;
    void* (*add)(const Type& type, void* self, std::string_view key) = nullptr;
    void (*each)(const void* self, const Visit& visit) = nullptr;
  };
  // A value that reads and writes its own JSON (kCustom) has these.
  struct CustomOperations {
    Result<void> (*read)(json::View view, void* out) = nullptr;
    void (*write)(json::Writer& writer, const void* self) = nullptr;
    bool (*is_empty)(const void* self) = nullptr;
    bool (*is_equal)(const void* left, const void* right) = nullptr;
    std::string_view schema;    // OpenAPI v3
    std::string_view expected;  // "a number or a string", for errors
  };

  // Small, because there is one for each type of each field: the pointers of other shapes share their place.
  Shape shape = Shape::kBool;
  bool has_table = false;   // of a struct: `table`, otherwise `describe`
  std::uint32_t bytes = 0;  // of the value itself, without what it allocates
  union {
    const Type* element = nullptr;  // of optionals, lists and maps
    const CustomOperations* custom;
    const StructTable* table;
    const Description& (*describe)();
  };
  const ValueOperations* value = nullptr;
  const ContainerOperations* container = nullptr;

  // Null unless this is a struct.
  [[nodiscard]] const Description* fields() const;
  // Makes it T{} again.
  void reset(void* self) const {
    value->destroy(*this, self);
    value->construct(*this, self);
  }
  [[nodiscard]] std::size_t size(const void* self) const { return container->size(self); }
  void clear(void* self) const { container->clear(*this, self); }
  // Makes an element, in a map at `key` instead of the one that is there; in an optional the value.
  void* add(void* self, std::string_view key) const { return container->add(*this, self, key); }
  void each(const void* self, const Visit& visit) const { container->each(self, visit); }
};

template <class T>
const Type& type_of();
template <class T>
const Description& description_of();

namespace detail {

// A value with its own JSON: `static Result<T> read(json::View)`, `write(json::Writer&)`, and kSchema and kExpected.
template <class T>
concept Custom = requires(const T& value, json::Writer& writer) {
  value.write(writer);
  T::kSchema;
  T::kExpected;
};

// A struct with a table of its fields instead of a describe() of its own.
template <class T>
concept Tabled = requires { T::kFields; };

// A struct with a describe() of its own.
template <class T>
concept Described = std::is_class_v<T> && requires(Description& d, T& value) { describe(d, value); };

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

// Boxes and lists of the structs with tables share their operations, so that a struct costs a table and no code.
extern const Type::ValueOperations kBoxValue;
extern const Type::ContainerOperations kBoxContainer;
extern const Type::ValueOperations kListValue;
extern const Type::ContainerOperations kListContainer;
extern const Type::ValueOperations kTableValue;

template <class T>
struct Shared : std::false_type {};

template <class T>
struct Shared<Box<T>> : std::true_type {
  using Element = T;
  static constexpr Type::Shape kShape = Type::Shape::kOptional;
  static constexpr const Type::ValueOperations* kValue = &kBoxValue;
  static constexpr const Type::ContainerOperations* kContainer = &kBoxContainer;
};

template <class T>
struct Shared<ListOf<T>> : std::true_type {
  using Element = T;
  static constexpr Type::Shape kShape = Type::Shape::kList;
  static constexpr const Type::ValueOperations* kValue = &kListValue;
  static constexpr const Type::ContainerOperations* kContainer = &kListContainer;
};

template <class T>
constexpr Type::Shape scalar_shape() {
  if constexpr (std::is_same_v<T, bool>) return Type::Shape::kBool;
  if constexpr (std::is_same_v<T, std::int32_t>) return Type::Shape::kInt32;
  if constexpr (std::is_same_v<T, std::int64_t>) return Type::Shape::kInt64;
  if constexpr (std::is_same_v<T, double>) return Type::Shape::kNumber;
  if constexpr (std::is_same_v<T, std::string>) return Type::Shape::kString;
  if constexpr (std::is_same_v<T, Time>) return Type::Shape::kTime;
  if constexpr (std::is_same_v<T, RawJson>) return Type::Shape::kRaw;
  if constexpr (Custom<T>) return Type::Shape::kCustom;
  return Type::Shape::kStruct;
}

// Whether a described field may have this type. Elements of vector<bool> have no address.
template <class T>
constexpr bool is_field() {
  if constexpr (std::is_same_v<T, std::vector<bool>>) {
    return false;
  } else if constexpr (Container<T>::value) {
    return is_field<typename Container<T>::Element>();
  } else if constexpr (Shared<T>::value || Tabled<T> || scalar_shape<T>() != Type::Shape::kStruct) {
    return true;
  } else {
    return Described<T>;
  }
}

template <class T>
constexpr bool has_enum() {
  if constexpr (std::is_same_v<T, std::vector<bool>>) {
    return false;
  } else if constexpr (Container<T>::value) {
    return has_enum<typename Container<T>::Element>();
  } else {
    return std::is_enum_v<T>;
  }
}

// "website::WebsiteSpec", for errors.
template <class T>
constexpr std::string_view type_name() {
  std::string_view text =
      __PRETTY_FUNCTION__;  // "… [T = website::WebsiteSpec]", "… [with T = website::WebsiteSpec; …]"
  text.remove_prefix(text.find("T = ") + 4);
  return text.substr(0, text.find_first_of(";]"));
}

template <class T>
inline constexpr Type::ValueOperations kValueOperations{
    [](const Type&, void* self) { static_cast<T*>(self)->~T(); },
    [](const Type&, void* place) { new (place) T{}; },
    [](const Type&, void* place, const void* from) { new (place) T(*static_cast<const T*>(from)); },
};

template <class T>
inline constexpr Type::ContainerOperations kContainerOperations{
    [](const void* self) { return Container<T>::size(*static_cast<const T*>(self)); },
    [](const Type&, void* self) { Container<T>::clear(*static_cast<T*>(self)); },
    [](const Type&, void* self, std::string_view key) -> void* {
      return &Container<T>::add(*static_cast<T*>(self), key);
    },
    [](const void* self, const Type::Visit& visit) { Container<T>::each(*static_cast<const T*>(self), visit); },
};

template <class T>
inline constexpr Type::CustomOperations kCustomOperations{
    [](auto view, void* out) -> Result<void> {
      KEELSON_LET(auto value, T::read(view));
      *static_cast<T*>(out) = std::move(value);
      return {};
    },
    [](json::Writer& writer, const void* self) { static_cast<const T*>(self)->write(writer); },
    [](const void* self) {
      if constexpr (requires(const T& value) { value.empty(); }) return static_cast<const T*>(self)->empty();
      return false;
    },
    [](const void* left, const void* right) { return *static_cast<const T*>(left) == *static_cast<const T*>(right); },
    T::kSchema,
    T::kExpected,
};

template <class T>
constexpr Type make_type();

template <class T>
inline constexpr Type kTypeOf = make_type<T>();

template <class T>
constexpr Type make_type() {
  Type type;
  type.bytes = static_cast<std::uint32_t>(sizeof(T));
  if constexpr (Shared<T>::value) {
    type.shape = Shared<T>::kShape;
    type.element = &kTypeOf<typename Shared<T>::Element>;
    type.value = Shared<T>::kValue;
    type.container = Shared<T>::kContainer;
  } else if constexpr (Container<T>::value) {
    type.shape = Container<T>::kShape;
    type.element = &kTypeOf<typename Container<T>::Element>;
    type.value = &kValueOperations<T>;
    type.container = &kContainerOperations<T>;
  } else if constexpr (Tabled<T>) {
    type.shape = Type::Shape::kStruct;
    type.value = &kTableValue;
    type.has_table = true;
    type.table = &T::kFields;
  } else {
    type.shape = scalar_shape<T>();
    type.value = &kValueOperations<T>;
    if constexpr (scalar_shape<T>() == Type::Shape::kCustom) type.custom = &kCustomOperations<T>;
    if constexpr (scalar_shape<T>() == Type::Shape::kStruct) type.describe = &description_of<T>;
  }
  return type;
}

}  // namespace detail

template <class T>
const Type& type_of() {
  return detail::kTypeOf<T>;
}

}  // namespace keelson::kube
