// The fields of a struct as a constant, for the structs of keelson/api: what describe() is for kinds of your own.
//
// It has names, places, types and which fields are required, and neither documentation nor constraints: the API server
// has them. Fields that are not required are left out of the JSON when they are zero or empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "keelson/kube/described_type.hpp"

namespace keelson::kube {

class StructTable {
 public:
  enum class Presence : std::uint8_t { kOptional, kRequired };
  struct Field {
    const char* text;
    std::uint16_t text_size;
    std::uint16_t offset;
    Presence presence;
    const Type* type;

    [[nodiscard]] std::string_view name() const { return {text, text_size}; }
  };

  constexpr explicit StructTable(std::span<const Field> fields) : fields_(fields) {}

  [[nodiscard]] std::span<const Field> fields() const { return fields_; }
  // Made when it is first asked for.
  [[nodiscard]] const Description& description() const;

 private:
  std::span<const Field> fields_;
  mutable const Description* description_ = nullptr;
};

}  // namespace keelson::kube

// One entry of a table. offsetof of such structs is conditionally supported; clang and GCC support it and warn.
#define KEELSON_TABLE_FIELD(Struct, member, name, presence)                                             \
  {                                                                                                     \
    name, sizeof(name) - 1, offsetof(Struct, member), ::keelson::kube::StructTable::Presence::presence, \
        &::keelson::kube::detail::kTypeOf<decltype(Struct::member)>                                     \
  }
