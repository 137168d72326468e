// Texts that live as long as the program and are checked by the compiler: the arguments of describe() and of Identity.
//
// Descriptions of kinds refer to these texts and never copy them. The constructors are consteval, so a text that is
// made at run time does not compile. A literal that fails its check is a compile error at its line; the compiler's note
// shows the `throw` below with the fix. Authors of kinds never name these types: a string literal converts. The checks
// cost nothing at run time, and their code is not part of the program.
//
// Which text is checked how:
// - Literal: documentation, patterns, formats, enums. Any text.
// - JsonLiteral: default values and examples, as JSON.
// - FieldName: the name of a field in JSON.
// - detail::is_label() and the others: the names of a kind (identity.hpp), its conditions (own_condition.hpp) and the
//   keys in a selector (selector.hpp).
// - detail::FixedText: the literals with a suffix, "64Mi"_quantity, "app=web"_selector and "spec.nodeName=a"_fields.
//
// What a program learns only at run time, such as the value of a flag, cannot be in a description: the CRD would
// depend on it. Constraints::schema() alone also accepts a text that is made at run time and lives as long as the
// program.
//
// Example (test/examples/schema.cpp#literal):
//   struct PolicySpec {
//     std::string mode;
//   };
//
//   void describe(kube::Description& d, PolicySpec& spec) {
//     static constexpr std::string_view kLowerCase = "^[a-z]+$";  // a std::string would not compile
//     d.field("mode", spec.mode, "Whether to permit or to deny.")
//         .pattern(kLowerCase)
//         .default_value("\"permit\"")  // JSON: a text has quotes of its own
//         .example("\"deny\"");
//   }
#pragma once

#include <cstddef>
#include <string_view>

#include "keelson/detail/base/misuse.hpp"

namespace keelson::kube {

// Any text, unchecked: documentation, patterns, formats. A std::string does not convert, because it could be destroyed
// before the description is; a constant is a `static constexpr std::string_view`.
class Literal {
 public:
  // NOLINTBEGIN(google-explicit-constructor): string literals convert implicitly
  consteval Literal(const char* text) : text_(text) {}
  consteval Literal(std::string_view text) : text_(text) {}
  constexpr operator std::string_view() const { return text_; }
  // NOLINTEND(google-explicit-constructor)

 private:
  std::string_view text_;  // of static storage, so it never dangles
};

// The checks, without <cctype>, whose functions depend on the locale and are not constexpr. They have the rules of
// apimachinery's validation, so that the API server does not reject later what compiles.
namespace detail {

// ASCII only, here and below: a text in UTF-8 with other digits or letters fails the check of a name.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

// A DNS-1035 label, as versions and plurals must be: "v1beta1", "websites". 63 characters are the limit of DNS.
constexpr bool is_label(std::string_view text) {
  if (text.empty() || text.size() > 63 || !is_lower(text.front()) || text.back() == '-') return false;
  for (const char c : text) {
    if (!is_lower(c) && !is_digit(c) && c != '-') return false;
  }
  return true;
}

// An RFC 1123 subdomain, as groups must be: "web.example.com". 253 characters are the limit of DNS. Unlike a label, its
// parts may begin with a digit, and their length is not limited: the API server does not limit it either.
constexpr bool is_subdomain(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  char before = '.';  // so that the first character is checked as that of a part
  for (const char c : text) {
    const bool is_inner = is_lower(c) || is_digit(c);
    if (!is_inner && c != '-' && c != '.') return false;
    if (!is_inner && before == '.') return false;
    if (c == '.' && before == '-') return false;
    before = c;
  }
  return before != '.' && before != '-';
}

// The name of a kind: "Website". In lower case it must be a DNS label, hence the limit. Letters and digits only.
// CamelCase is a convention that nothing checks: "WEBSITE" compiles.
constexpr bool is_kind_name(std::string_view text) {
  if (text.empty() || text.size() > 63 || text.front() < 'A' || text.front() > 'Z') return false;
  for (const char c : text) {
    if (!is_letter(c) && !is_digit(c)) return false;
  }
  return true;
}

// A qualified name with or without a domain, as the types of conditions and the keys of labels and annotations must be:
// "Ready", "example.com/Ready". The limit of 63 characters is that of the part after the slash.
// A slash without a domain before it is not accepted.
constexpr bool is_qualified_name(std::string_view text) {
  const auto slash = text.find('/');
  if (slash != std::string_view::npos) {
    if (!is_subdomain(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  if (text.empty() || text.size() > 63 || !(is_letter(text.front()) || is_digit(text.front()))) return false;
  for (const char c : text) {
    if (!is_letter(c) && !is_digit(c) && c != '-' && c != '_' && c != '.') return false;
  }
  return is_letter(text.back()) || is_digit(text.back());
}

// A string literal as a template argument, for the suffixes _quantity, _selector and _fields.
template <std::size_t kSize>
struct FixedText {
  // The array has the final zero byte, so `text` converts to a std::string_view without it.
  consteval FixedText(const char (&from)[kSize]) {  // NOLINT(google-explicit-constructor): made from a literal
    for (std::size_t i = 0; i < kSize; ++i) text[i] = from[i];
  }
  char text[kSize] = {};
};

// Reads one JSON value (RFC 8259) at compile time; `rest` is the text after it. It accepts a little more than JSON:
// escapes in strings and duplicate names are not checked.
class JsonCheck {
 public:
  // The text must outlive the check.
  constexpr explicit JsonCheck(std::string_view text) : rest(text) {}

  // False if the text does not begin with a value, or nests more than 32 deep: compilers limit the depth of constant
  // evaluation. After false, `rest` is anywhere in the text.
  constexpr bool value(int depth = 0) {
    skip_space();
    if (rest.empty() || depth > 32) return false;
    switch (rest.front()) {
      case '{':
        return list('{', '}', depth);
      case '[':
        return list('[', ']', depth);
      case '"':
        return string();
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:  // a digit or a minus sign, or else no value
        return number();
    }
  }
  // White space between tokens. A carriage return in a literal is a mistake, although JSON permits it.
  constexpr void skip_space() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\t')) {
      rest.remove_prefix(1);
    }
  }

  std::string_view rest;  // not read yet; changed by every function

 private:
  // Each function removes what it has read, and returns whether the text had it. White space before the character is
  // removed too.
  constexpr bool take(char c) {
    skip_space();
    if (rest.empty() || rest.front() != c) return false;
    rest.remove_prefix(1);
    return true;
  }
  // true, false or null. What follows the word is the caller's to check.
  constexpr bool word(std::string_view expected) {
    if (!rest.starts_with(expected)) return false;
    rest.remove_prefix(expected.size());
    return true;
  }
  // A string with its quotes; control characters must be escaped. Bytes above 0x7f are not checked to be UTF-8.
  constexpr bool string() {
    if (!take('"')) return false;
    while (!rest.empty() && rest.front() != '"') {
      if (static_cast<unsigned char>(rest.front()) < 0x20) return false;
      // An escaped quote does not end the string.
      rest.remove_prefix(rest.front() == '\\' && rest.size() > 1 ? 2 : 1);
    }
    return take('"');
  }
  // One or more digits.
  constexpr bool digits() {
    const auto before = rest.size();
    while (!rest.empty() && is_digit(rest.front())) rest.remove_prefix(1);
    return rest.size() != before;
  }
  // A number as JSON writes it: no plus sign, no leading zero, digits after a point.
  constexpr bool number() {
    if (rest.front() == '-') rest.remove_prefix(1);
    // "01" and "-01" are not JSON.
    const bool is_padded = rest.size() > 1 && rest.front() == '0' && is_digit(rest[1]);
    if (is_padded || !digits()) return false;
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      if (!digits()) return false;
    }
    if (!rest.empty() && (rest.front() == 'e' || rest.front() == 'E')) {
      rest.remove_prefix(1);
      if (!rest.empty() && (rest.front() == '+' || rest.front() == '-')) rest.remove_prefix(1);
      return digits();
    }
    return true;
  }
  // An array or an object: values, in an object after a name, with commas between them. A comma before the closing
  // bracket is a mistake: after it value() or string() fails.
  constexpr bool list(char open, char close, int depth) {
    if (!take(open)) return false;
    if (take(close)) return true;
    do {
      skip_space();
      if (open == '{' && !(string() && take(':'))) return false;
      if (!value(depth + 1)) return false;
    } while (take(','));
    return take(close);
  }
};

// Whether the text is one JSON value and nothing else, except white space before and after it.
constexpr bool is_json(std::string_view text) {
  JsonCheck check(text);
  if (!check.value()) return false;
  check.skip_space();
  return check.rest.empty();
}

}  // namespace detail

// A JSON value, for default_value() and example(): "3", "\"Allow\"", R"({"a": [1]})". The trap: "Allow" without its own
// quotes is not JSON. Whether a default fits its field (a number for a number) is checked when the schema is generated.
// An object or an array may have line breaks.
class JsonLiteral {
 public:
  // NOLINTBEGIN(google-explicit-constructor): as above
  consteval JsonLiteral(const char* json) : JsonLiteral(std::string_view(json)) {}
  consteval JsonLiteral(std::string_view json) : text_(json) {
    if (!detail::is_json(json)) {
      throw base::Misuse("this is not JSON: a text needs quotes of its own, \"\\\"Allow\\\"\"");
    }
  }
  constexpr operator std::string_view() const { return text_; }
  // NOLINTEND(google-explicit-constructor)

 private:
  std::string_view text_;
};

// The name of a field in JSON: "readyReplicas". By convention it is in camelCase, and that of the C++ member in
// snake_case; nothing checks either. A path ("spec.size") is not a name: describe the nested object as a struct.
//
// Two fields of one struct with the same name are a base::Misuse when the description is made.
class FieldName {
 public:
  // NOLINTBEGIN(google-explicit-constructor): as above
  consteval FieldName(const char* name) : FieldName(std::string_view(name)) {}
  consteval FieldName(std::string_view name) : text_(name) {
    if (name.empty()) throw base::Misuse("a field needs a name, such as \"replicas\"");
    // More than the convention permits, because fields of existing kinds break it: "$ref", "x-order".
    for (const char c : name) {
      const bool is_fine = detail::is_letter(c) || detail::is_digit(c) || c == '_' || c == '-' || c == '$';
      if (!is_fine) {
        throw base::Misuse("a field name has letters, digits, _, - and $: describe a path of fields as structs");
      }
    }
  }
  constexpr operator std::string_view() const { return text_; }
  // NOLINTEND(google-explicit-constructor)

 private:
  std::string_view text_;
};

}  // namespace keelson::kube
