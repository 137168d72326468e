// Validates spec.conversion of a CustomResourceDefinition: the strategy and its webhook.
#pragma once

#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

// `before` is the definition before an update; null for a creation.
void check_conversion_of(const Tree& spec, const Tree* before, FieldErrors& errors);

// Whether the CA bundle of the webhook is a certificate in PEM, or there is none. A definition with another one is not
// established.
[[nodiscard]] bool has_valid_ca_bundle(const Tree& definition);

}  // namespace keelson::sandbox
