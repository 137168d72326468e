#include "src/sandbox/custom/embedded_resources.hpp"

#include <algorithm>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "src/sandbox/custom/field_errors.hpp"
#include "src/sandbox/validation/names.hpp"

namespace keelson::sandbox {

namespace {

class EmbeddedCheck {
 public:
  explicit EmbeddedCheck(std::vector<FieldError>& errors) : errors_(errors) {}

  void check(const Tree& value, const ValueSchema& schema, const std::string& path) {
    if (!schema.has_embedded || errors_.is_full()) return;
    if (value.is_array() && schema.items) {
      for (std::size_t i = 0; i < value.items().size(); ++i) {
        check(value.items()[i], *schema.items, path + "[" + std::to_string(i) + "]");
      }
    }
    if (!value.is_object()) return;
    if (schema.is_embedded) check_resource(value, path + (path.empty() ? "" : "."));
    for (const auto& [name, member] : value.members()) {
      const auto* part = schema.find(name);
      if (part == nullptr) continue;
      const bool is_key = !schema.properties.contains(name);
      check(member, *part, is_key ? path + "[" + name + "]" : path + (path.empty() ? "" : ".") + name);
    }
  }

 private:
  void check_resource(const Tree& value, const std::string& prefix) {
    for (const char* name : {"apiVersion", "kind"}) {
      if (value.find(name) == nullptr) errors_.required(prefix + name);
    }
    if (const Tree* version = value.find("apiVersion")) {
      const auto& text = version->scalar();
      if (!version->is_string()) {
        errors_.invalid(prefix + "apiVersion", *version, "must be a string");
      } else if (text.empty()) {
        errors_.invalid(prefix + "apiVersion", *version, "must not be empty");
      } else if (std::ranges::count(text, '/') > 1) {
        errors_.invalid(prefix + "apiVersion", *version, "unexpected GroupVersion string: " + text);
      }
    }
    if (const Tree* kind = value.find("kind")) {
      if (!kind->is_string()) {
        errors_.invalid(prefix + "kind", *kind, "must be a string");
      } else if (kind->scalar().empty()) {
        errors_.invalid(prefix + "kind", *kind, "must not be empty");
      } else if (auto wrong = label_error(base::to_lower(kind->scalar())); !wrong.empty()) {
        errors_.invalid(prefix + "kind", *kind, "may have mixed case, but should otherwise match: " + wrong);
      }
    }
  }

  FieldErrors errors_;
};

}  // namespace

void check_embedded(const Tree& object, const ValueSchema& schema, std::vector<FieldError>& errors) {
  EmbeddedCheck(errors).check(object, schema, "");
}

}  // namespace keelson::sandbox
