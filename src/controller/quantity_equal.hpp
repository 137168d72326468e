// Resource quantities, which the API server rewrites into their canonical form ("1000m" comes back as "1").
#pragma once

#include <string_view>

#include "keelson/json/value.hpp"

namespace keelson::controller {

// Whether the member `name` of `parent` is a Quantity: limits and requests of all kinds, sizeLimit, …
[[nodiscard]] bool is_quantity_field(std::string_view parent, std::string_view name);

// Equal by value; false when one of them is no quantity.
[[nodiscard]] bool equal_quantities(json::View left, json::View right);

}  // namespace keelson::controller
