// What a defaulter changed, laid over the object as it came, so that what its description does not know survives.
#pragma once

#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::webhook {

// Writes `came` with every difference between `before` and `after` applied to it. `before` is what the description
// reads of `came`, `after` the same with the changes.
void write_overlay(json::Writer& writer, json::View came, json::View before, json::View after);

}  // namespace keelson::webhook
