// Fills in a template: a small part of Mustache.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace keelson::scaffold {

// A flag is set if its value is not empty.
using TemplateValues = std::map<std::string, std::string, std::less<>>;

// `{{name}}` is replaced by the value of that name. The lines between `{{#name}}` and `{{/name}}` remain if the flag is
// set, those between `{{^name}}` and `{{/name}}` if it is not; these lines contain nothing else, and sections do not
// nest. Other braces are ordinary text. An unknown name is a bug of the template (asserted).
[[nodiscard]] std::string fill_template(std::string_view text, const TemplateValues& values);

}  // namespace keelson::scaffold
