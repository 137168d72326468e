// Resource quantities, which the API server rewrites into their canonical form ("1000m" comes back as "1").
#pragma once

#include <string_view>

#include "keelson/json/value.hpp"

namespace keelson::controller {

// True if the member `name` of `parent` is a Quantity: limits and requests of all kinds, sizeLimit, …
[[nodiscard]] bool is_quantity_field(std::string_view parent, std::string_view name);

// True if both are quantities of the same value.
[[nodiscard]] bool equal_quantities(json::View left, json::View right);

}  // namespace keelson::controller
