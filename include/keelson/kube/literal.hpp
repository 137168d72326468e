// Texts that live as long as the program and are checked while it is compiled: descriptions of kinds refer to them and
// never copy them.
//
// A text that does not pass is a compile error at the line that has it; its note shows the `throw` below with the fix.
#pragma once

#include <cstddef>
#include <string_view>

#include "keelson/base/misuse.hpp"

namespace keelson::kube {

// Made from string literals (and constants of static storage) only; anything else does not compile.
class Literal {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a literal stands wherever one is asked for
  consteval Literal(const char* text) : text_(text) {}
  consteval Literal(std::string_view text) : text_(text) {}
  constexpr operator std::string_view() const { return text_; }
  // NOLINTEND(google-explicit-constructor)

 private:
  std::string_view text_;
};

namespace detail {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

// A DNS-1035 label: "v1beta1", "websites".
constexpr bool is_label(std::string_view text) {
  if (text.empty() || text.size() > 63 || !is_lower(text.front()) || text.back() == '-') return false;
  for (const char c : text) {
    if (!is_lower(c) && !is_digit(c) && c != '-') return false;
  }
  return true;
}

// An RFC 1123 subdomain: "web.example.com".
constexpr bool is_subdomain(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  char before = '.';
  for (const char c : text) {
    const bool is_inner = is_lower(c) || is_digit(c);
    if (!is_inner && c != '-' && c != '.') return false;
    if (!is_inner && before == '.') return false;
    if (c == '.' && before == '-') return false;
    before = c;
  }
  return before != '.' && before != '-';
}

// What a kind is called: "Website".
constexpr bool is_kind_name(std::string_view text) {
  if (text.empty() || text.size() > 63 || text.front() < 'A' || text.front() > 'Z') return false;
  for (const char c : text) {
    if (!is_letter(c) && !is_digit(c)) return false;
  }
  return true;
}

// A name with or without a domain, as conditions, labels and annotations have: "Ready", "example.com/Ready".
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

// A string literal as a template argument.
template <std::size_t kSize>
struct FixedText {
  consteval FixedText(const char (&from)[kSize]) {  // NOLINT(google-explicit-constructor): made from a literal
    for (std::size_t i = 0; i < kSize; ++i) text[i] = from[i];
  }
  char text[kSize] = {};
};

// Reads one JSON value; what is left of the text stands in `rest`.
class JsonCheck {
 public:
  constexpr explicit JsonCheck(std::string_view text) : rest(text) {}

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
      default:
        return number();
    }
  }
  constexpr void skip_space() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\t'))
      rest.remove_prefix(1);
  }

  std::string_view rest;

 private:
  constexpr bool take(char c) {
    skip_space();
    if (rest.empty() || rest.front() != c) return false;
    rest.remove_prefix(1);
    return true;
  }
  constexpr bool word(std::string_view expected) {
    if (!rest.starts_with(expected)) return false;
    rest.remove_prefix(expected.size());
    return true;
  }
  constexpr bool string() {
    if (!take('"')) return false;
    while (!rest.empty() && rest.front() != '"') {
      if (static_cast<unsigned char>(rest.front()) < 0x20) return false;
      rest.remove_prefix(rest.front() == '\\' && rest.size() > 1 ? 2 : 1);
    }
    return take('"');
  }
  constexpr bool digits() {
    const auto before = rest.size();
    while (!rest.empty() && is_digit(rest.front())) rest.remove_prefix(1);
    return rest.size() != before;
  }
  constexpr bool number() {
    if (rest.front() == '-') rest.remove_prefix(1);
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

constexpr bool is_json(std::string_view text) {
  JsonCheck check(text);
  if (!check.value()) return false;
  check.skip_space();
  return check.rest.empty();
}

}  // namespace detail

// A JSON value: "3", "\"Allow\"", R"({"a": [1]})".
class JsonLiteral {
 public:
  // NOLINTBEGIN(google-explicit-constructor): as above
  consteval JsonLiteral(const char* json) : JsonLiteral(std::string_view(json)) {}
  consteval JsonLiteral(std::string_view json) : text_(json) {
    if (!detail::is_json(json))
      throw base::Misuse("this is not JSON: a text needs quotes of its own, \"\\\"Allow\\\"\"");
  }
  constexpr operator std::string_view() const { return text_; }
  // NOLINTEND(google-explicit-constructor)

 private:
  std::string_view text_;
};

// What a field is called in JSON: "readyReplicas".
class FieldName {
 public:
  // NOLINTBEGIN(google-explicit-constructor): as above
  consteval FieldName(const char* name) : FieldName(std::string_view(name)) {}
  consteval FieldName(std::string_view name) : text_(name) {
    if (name.empty()) throw base::Misuse("a field needs a name, such as \"replicas\"");
    for (const char c : name) {
      const bool is_fine = detail::is_letter(c) || detail::is_digit(c) || c == '_' || c == '-' || c == '$';
      if (!is_fine)
        throw base::Misuse("a field name has letters, digits, _, - and $: describe a path of fields as structs");
    }
  }
  constexpr operator std::string_view() const { return text_; }
  // NOLINTEND(google-explicit-constructor)

 private:
  std::string_view text_;
};

}  // namespace keelson::kube
