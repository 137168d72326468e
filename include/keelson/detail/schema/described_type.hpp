// A C++ type as data, so that decoding, encoding, validation and the schema generator are not templates.
//
// type_of<T>() is a constant with the shape of T and pointers to the few operations that need the C++ type. The
// functions of describe.hpp, decoder.hpp and described_changes.hpp walk these constants and access values through
// `void*`. Without this, each kind would instantiate all of them again.
//
// It serves describe.hpp and the structs of keelson/api; authors of kinds need only RawJson and Time. A `void*` must
// point to a value of exactly the type that accompanies it; nothing checks it.
//
// A class with its own JSON can be the type of a field, without any registration.
//
// Example (test/examples/schema.cpp#custom):
//   // Written as "50%". As the type of a field it is decoded, encoded and checked like the other types.
//   struct Percent {
//     static constexpr std::string_view kSchema = R"({"type":"string","pattern":"^[0-9]{1,2}%$"})";
//     static constexpr std::string_view kExpected = "a percentage like 50%";
//
//     static keelson::Result<Percent> read(keelson::json::View view) {
//       const std::string text(view.string().value_or(""));
//       int value = 0;
//       const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
//       if (failure != std::errc() || std::string_view(end) != "%") return keelson::malformed_error(text);
//       return Percent{value};
//     }
//     void write(keelson::json::Writer& writer) const { writer.string(std::to_string(value) + "%"); }
//     bool operator==(const Percent&) const = default;
//
//     int value = 0;
//   };
//
// To add a shape, extend Shape and scalar_shape() here, and each `switch` over the shape in src/schema.
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
#include "keelson/detail/schema/box.hpp"
#include "keelson/json/value.hpp"

namespace keelson::json {
class Writer;
}  // namespace keelson::json

namespace keelson::kube {

class Description;
class StructTable;

// A field that stays JSON, for values without a fixed structure: it is stored and written byte by byte as it was read.
// An empty text is an absent field. In a schema it is any value, unless a constraint such as int_or_string() limits it.
struct RawJson {
  std::string text;  // must be JSON when it is written: nothing checks it
  // By bytes: the same JSON with other spaces or another order of members is different.
  bool operator==(const RawJson&) const = default;
};

// A point in time, in JSON RFC 3339 in whole seconds (time.hpp). The same type as async::WallTime, whose header
// includes the event loop.
using Time = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

// A constant for one C++ type, with static storage: never copy it. Compare addresses to find out whether two types are
// the same.
struct Type {
  enum class Shape : std::uint8_t {
    kBool,      // bool
    kInt32,     // std::int32_t; a number outside of its range is kMalformed
    kInt64,     // std::int64_t, exact: JSON numbers are not converted to double
    kNumber,    // double
    kString,    // std::string
    kTime,      // Time
    kCustom,    // a class with its own JSON: Quantity, IntOrString, MicroTime, Bytes
    kRaw,       // RawJson
    kOptional,  // std::optional, Box
    kList,      // std::vector, ListOf
    kMap,       // std::map<std::string, T>
    kStruct     // a struct with a describe() or a table
  };
  // Called for each element; `key` is empty except in maps. The container must not be changed during the call.
  using Visit = std::function<void(std::string_view key, const void* element)>;

  // Operations of every type. construct() and copy() make a value in uninitialized memory, destroy() does not free it.
  struct ValueOperations {
    void (*destroy)(const Type& type, void* self) = nullptr;
    void (*construct)(const Type& type, void* place) = nullptr;  // T{}
    void (*copy)(const Type& type, void* place, const void* from) = nullptr;
  };
  // Operations of optionals (at most one element), lists and maps.
  struct ContainerOperations {
    std::size_t (*size)(const void* self) = nullptr;
    void (*clear)(const Type& type, void* self) = nullptr;  // destroys the elements
    void* (*add)(const Type& type, void* self, std::string_view key) = nullptr;
    void (*each)(const void* self, const Visit& visit) = nullptr;  // in order; of a map in that of its keys
  };
  // Operations of a class with its own JSON (kCustom). The texts are constants of the class.
  struct CustomOperations {
    Result<void> (*read)(json::View view, void* out) = nullptr;       // leaves `out` unchanged if it fails
    void (*write)(json::Writer& writer, const void* self) = nullptr;  // exactly one value
    bool (*is_empty)(const void* self) = nullptr;                     // not written unless it is required
    // By meaning, not by text: "1000m" equals "1", so that the API server's notation is not drift.
    bool (*is_equal)(const void* left, const void* right) = nullptr;
    std::string_view schema;    // OpenAPI v3
    std::string_view expected;  // "a number or a string", for errors
  };

  // 32 bytes, because there is a Type for each type of each field: `shape` selects the member of the union.
  // Read only the member of the shape; fields() and the functions below do so.
  Shape shape = Shape::kBool;
  bool has_table = false;   // for a struct: `table` is set, otherwise `describe`
  std::uint32_t bytes = 0;  // sizeof(T), without the memory that the value allocates
  union {
    const Type* element = nullptr;     // for optionals, lists and maps
    const CustomOperations* custom;    // for kCustom
    const StructTable* table;          // for structs of keelson/api
    const Description& (*describe)();  // for other structs; description_of<T>
  };
  const ValueOperations* value = nullptr;          // never null in a complete Type
  const ContainerOperations* container = nullptr;  // null except for optionals, lists and maps

  // The fields of a struct; null for other shapes. Made by the first call.
  [[nodiscard]] const Description* fields() const;
  // Assigns T{}. Pointers to elements of the value become invalid.
  void reset(void* self) const {
    value->destroy(*this, self);
    value->construct(*this, self);
  }
  // For optionals, lists and maps only, as are the functions below. The number of elements; of an optional 0 or 1.
  [[nodiscard]] std::size_t size(const void* self) const { return container->size(self); }
  void clear(void* self) const { container->clear(*this, self); }
  // Adds an empty element and returns it: at the end of a list, at `key` of a map (replacing an existing one), as the
  // value of an optional. The next add() may move the elements of a list: use the pointer before it.
  void* add(void* self, std::string_view key) const { return container->add(*this, self, key); }
  // Visits the elements without copying them.
  void each(const void* self, const Visit& visit) const { container->each(self, visit); }
};

// The constant of T, made at compile time: it costs nothing at the start of a program. Defined at the end of this file.
template <class T>
const Type& type_of();
// The fields of a struct with a describe(), which the first call makes. Defined in describe.hpp.
template <class T>
const Description& description_of();

namespace detail {

// A class with its own JSON: `static Result<T> read(json::View)`, `write(json::Writer&)`, the constants kSchema
// (OpenAPI v3) and kExpected ("a quantity like 100m", for errors), operator==, and optionally `empty()`.
template <class T>
concept Custom = requires(const T& value, json::Writer& writer) {
  value.write(writer);
  T::kSchema;
  T::kExpected;
};

// A struct with a table of its fields (struct_table.hpp) instead of a describe(). If a struct had both, the table would
// count.
template <class T>
concept Tabled = requires { T::kFields; };

// A struct with a describe(), which is found by its argument and so must be in the struct's namespace.
template <class T>
concept Described = std::is_class_v<T> && requires(Description& d, T& value) { describe(d, value); };

// The containers of the standard library that a field can have, with the operations of ContainerOperations. Each is
// instantiated per element type, in contrast to Shared below. A container of containers works: optional<vector<T>>
// distinguishes an absent list from an empty one.
template <class T>
struct Container : std::false_type {};

// At most one element; add() replaces it. An optional that has an empty value is written, an empty optional is not.
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

// The pointer that add() returns is valid until the next add().
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

// Visited in the order of the keys, so that encoded JSON is deterministic; unordered_map would not be.
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

// All Boxes, all ListOfs and all structs with tables share these operations, so that a struct costs a table and no
// code. struct_table.cpp defines them.
extern const Type::ValueOperations kBoxValue;
extern const Type::ContainerOperations kBoxContainer;
extern const Type::ValueOperations kListValue;
extern const Type::ContainerOperations kListContainer;
extern const Type::ValueOperations kTableValue;

// The containers with shared operations: of any element, because they access it through its own Type.
template <class T>
struct Shared : std::false_type {};

// A Box is an optional: it has no element or one.
template <class T>
struct Shared<Box<T>> : std::true_type {
  using Element = T;
  static constexpr Type::Shape kShape = Type::Shape::kOptional;
  static constexpr const Type::ValueOperations* kValue = &kBoxValue;
  static constexpr const Type::ContainerOperations* kContainer = &kBoxContainer;
};

// A ListOf is a list.
template <class T>
struct Shared<ListOf<T>> : std::true_type {
  using Element = T;
  static constexpr Type::Shape kShape = Type::Shape::kList;
  static constexpr const Type::ValueOperations* kValue = &kListValue;
  static constexpr const Type::ContainerOperations* kContainer = &kListContainer;
};

// The shape of a type that is no container. Types that are not listed count as structs, also those that cannot be a
// field: is_field() excludes them.
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

// Whether a described field can have this type. vector<bool> is excluded because its elements have no address. Unsigned
// integers, float, char and enums are excluded too: JSON schemas of Kubernetes have int32, int64 and double.
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

// Whether the type is or contains an enum, for a better compile error.
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

// The qualified name of T for errors, "website::WebsiteSpec", from the compiler's text of this function.
template <class T>
constexpr std::string_view type_name() {
  std::string_view text =
      __PRETTY_FUNCTION__;  // "… [T = website::WebsiteSpec]", "… [with T = website::WebsiteSpec; …]"
  text.remove_prefix(text.find("T = ") + 4);
  return text.substr(0, text.find_first_of(";]"));
}

// The operations of T, made from its C++ definition. `copy` needs a copy constructor, so a field cannot be a
// unique_ptr.
template <class T>
inline constexpr Type::ValueOperations kValueOperations{
    [](const Type&, void* self) { static_cast<T*>(self)->~T(); },
    [](const Type&, void* place) { new (place) T{}; },
    [](const Type&, void* place, const void* from) { new (place) T(*static_cast<const T*>(from)); },
};

// The same for a container of the standard library. The lambdas convert to function pointers, so they capture nothing.
template <class T>
inline constexpr Type::ContainerOperations kContainerOperations{
    [](const void* self) { return Container<T>::size(*static_cast<const T*>(self)); },
    [](const Type&, void* self) { Container<T>::clear(*static_cast<T*>(self)); },
    [](const Type&, void* self, std::string_view key) -> void* {
      return &Container<T>::add(*static_cast<T*>(self), key);
    },
    [](const void* self, const Type::Visit& visit) { Container<T>::each(*static_cast<const T*>(self), visit); },
};

// The same for a class with its own JSON. Errors of read() are replaced by one that names the field and kExpected.
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

// The Type of T, a constant of the program. It may refer to itself: a struct can contain a list of its own type. That
// is why it is declared before its definition, and why a struct is referred to by a function instead of by its fields.
template <class T>
constexpr Type make_type();

template <class T>
inline constexpr Type kTypeOf = make_type<T>();

template <class T>
constexpr Type make_type() {
  Type type;
  // Approximates the memory of a value, for the limit of Decoder.
  type.bytes = static_cast<std::uint32_t>(sizeof(T));
  // In this order: a Box has no describe(), and a struct with a table must not be asked for one.
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
