// The checks of a value that do not look inside of it: type, length, range, pattern, format, enum.
#pragma once

#include "src/sandbox/custom/value_place.hpp"
#include "src/sandbox/custom/value_schema.hpp"

namespace keelson::sandbox {

void check_type(const Tree& value, const ValueSchema& schema, const Place& place, Findings& findings);
void check_enum(const Tree& value, const ValueSchema& schema, const Place& place, Findings& findings);
void check_number(const Tree& value, const ValueSchema& schema, const Place& place, Findings& findings);
// False if `steps` do not suffice.
[[nodiscard]] bool check_string(const Tree& value, const ValueSchema& schema, const Place& place, std::size_t& steps,
                                Findings& findings);
void check_member_count(std::size_t count, const ValueSchema& schema, const Place& place, Findings& findings);
void check_item_count(std::size_t count, const ValueSchema& schema, const Place& place, Findings& findings);

// The key of an entry of a list with x-kubernetes-list-type map: {"name":"web"}.
[[nodiscard]] std::string entry_key(const Tree& entry, const ValueSchema& list);

}  // namespace keelson::sandbox
