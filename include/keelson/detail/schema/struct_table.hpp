// The fields of a struct as a constant table, for the generated structs of keelson/api, which have no describe().
//
// A table has names, offsets and types of fields, and which of them are required. It has neither documentation nor
// constraints, because the API server has them. Fields that are not required are not written if they are zero or empty.
// A hundred structs cost data but no code, and a program contains only the tables that it uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "keelson/detail/schema/described_type.hpp"

namespace keelson::kube {

// A constant with static storage: the Description that it makes is never freed.
class StructTable {
 public:
  // kRequired: written even if it is empty, and the API server rejects objects without it.
  enum class Presence : std::uint8_t { kOptional, kRequired };
  // Small, because there are thousands: a string_view would need eight bytes more.
  struct Field {
    const char* text;  // the name in JSON
    std::uint16_t text_size;
    std::uint16_t offset;  // of the member in its struct, in bytes
    Presence presence;
    const Type* type;

    [[nodiscard]] std::string_view name() const { return {text, text_size}; }
  };

  constexpr explicit StructTable(std::span<const Field> fields) : fields_(fields) {}

  [[nodiscard]] std::span<const Field> fields() const { return fields_; }
  // The same fields as a Description, made by the first call. Not safe for several threads.
  [[nodiscard]] const Description& description() const;

 private:
  std::span<const Field> fields_;
  mutable const Description* description_ = nullptr;
};

}  // namespace keelson::kube

// One entry of a table: the struct, its member, the name in JSON, and kOptional or kRequired. offsetof of such structs
// is conditionally supported; clang and GCC support it and warn.
#define KEELSON_TABLE_FIELD(Struct, member, name, presence)                                             \
  {                                                                                                     \
    name, sizeof(name) - 1, offsetof(Struct, member), ::keelson::kube::StructTable::Presence::presence, \
        &::keelson::kube::detail::kTypeOf<decltype(Struct::member)>                                     \
  }
