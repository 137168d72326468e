// Applies a webhook's changes to the received object, so that fields that its description does not know are unchanged.
#pragma once

#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::webhook {

// Writes `came`, the received JSON, with every difference between `before` and `after` applied to it. `before` is
// `came` as the description decodes it, and `after` is the same with the changes.
void write_overlay(json::Writer& writer, json::View came, json::View before, json::View after);

}  // namespace keelson::webhook
