// Validates the metadata of built-in objects, with the texts and the order of apimachinery.
#pragma once

#include <string_view>

#include "src/sandbox/validation/rule_check.hpp"

namespace keelson::sandbox {

void check_labels(RuleCheck& check, const Spot& at);
void check_annotations(RuleCheck& check, const Spot& at);
// Those of a Namespace's spec, whose errors are those of the list.
void check_namespace_finalizers(RuleCheck& check, const Spot& at);

// That of a template of claims, which has only labels and annotations.
void check_template_metadata(RuleCheck& check, const Spot& at);

// `at` is the metadata. `name_format` is a format of text_formats.hpp, or "none". Kinds of the core and the groups that
// share its validation also check that finalizers without a domain are known ones; others are `is_plain`.
void check_metadata(RuleCheck& check, const Spot& at, std::string_view name_format, bool is_plain);

}  // namespace keelson::sandbox
