#include <arpa/inet.h>
#include <algorithm>
#include <charconv>
#include <cstring>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "src/cel/functions.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;

// The number of bytes of the first `count` characters, because positions in CEL are characters; nullopt if there are
// fewer.
std::optional<std::size_t> bytes_of(std::string_view text, std::int64_t count) {
  std::size_t at = 0;
  for (; count > 0; --count) {
    if (at >= text.size()) return std::nullopt;
    at += std::max<std::size_t>(base::first_rune(text.substr(at)).bytes, 1);
  }
  return at;
}

std::int64_t rune_length(std::string_view text) {
  return std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

// In linear time, unlike find of the standard library.
std::size_t find_text(std::string_view text, std::string_view what, std::size_t from) {
  if (from > text.size() || what.size() > text.size() - from) return std::string_view::npos;
  if (what.empty()) return from;
  const auto* found =
      static_cast<const char*>(memmem(text.data() + from, text.size() - from, what.data(), what.size()));
  return found != nullptr ? static_cast<std::size_t>(found - text.data()) : std::string_view::npos;
}

std::size_t find_last_text(std::string_view text, std::string_view what, std::size_t from) {
  if (what.size() > text.size()) return std::string_view::npos;
  auto rest = text.substr(0, std::min(from, text.size() - what.size()) + what.size());
  const std::string backwards(rest.rbegin(), rest.rend());
  auto found = find_text(backwards, std::string(what.rbegin(), what.rend()), 0);
  return found == std::string_view::npos ? found : rest.size() - found - what.size();
}

Value out_of_range(std::int64_t index) { return Value::error("index out of range: " + std::to_string(index)); }

Value size_of(const Values& a, Budget&) {
  switch (a[0].kind()) {
    case Kind::kString:
      return Value::of_int(rune_length(a[0].text()));
    case Kind::kBytes:
      return Value::of_int(static_cast<std::int64_t>(a[0].text().size()));
    case Kind::kList:
      return Value::of_int(static_cast<std::int64_t>(a[0].items().size()));
    default:
      return Value::of_int(static_cast<std::int64_t>(a[0].map().entries().size()));
  }
}

Value contains(const Values& a, Budget&) {
  return Value::of_bool(find_text(a[0].text(), a[1].text(), 0) != std::string_view::npos);
}
Value starts_with(const Values& a, Budget&) { return Value::of_bool(a[0].text().starts_with(a[1].text())); }
Value ends_with(const Values& a, Budget&) { return Value::of_bool(a[0].text().ends_with(a[1].text())); }
Value lower(const Values& a, Budget&) { return Value::of_string(base::to_lower(a[0].text())); }
Value trimmed(const Values& a, Budget&) { return Value::of_string(std::string(base::trim(a[0].text()))); }
Value quoted_text(const Values& a, Budget&) { return Value::of_string(base::quote_go(a[0].text())); }

Value upper(const Values& a, Budget&) {
  auto text = a[0].text();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return Value::of_string(std::move(text));
}

Value match(const Values& a, Budget& budget) {
  const auto* pattern = budget.pattern(a[1].text());
  if (pattern == nullptr) return {};
  if (!*pattern) return Value::error(pattern->error().text);
  auto found = (*pattern)->matches(a[0].text(), budget.left());
  if (!found) budget.exhaust();
  return Value::of_bool(found.value_or(false));
}

Value char_at(const Values& a, Budget&) {
  auto begin = a[1].integer() < 0 ? std::nullopt : bytes_of(a[0].text(), a[1].integer());
  if (!begin) return out_of_range(a[1].integer());
  auto rest = std::string_view(a[0].text()).substr(*begin);
  return Value::of_string(std::string(rest.substr(0, bytes_of(rest, 1).value_or(0))));
}

Value index_of(const Values& a, Budget&) {
  auto from = a.size() > 2 ? a[2].integer() : 0;
  auto begin = from < 0 ? std::nullopt : bytes_of(a[0].text(), from);
  if (!begin) return out_of_range(from);
  auto found = find_text(a[0].text(), a[1].text(), *begin);
  if (found == std::string::npos) return Value::of_int(-1);
  return Value::of_int(rune_length(std::string_view(a[0].text()).substr(0, found)));
}

Value last_index_of(const Values& a, Budget&) {
  auto from = std::string::npos;
  if (a.size() > 2) {
    auto begin = a[2].integer() < 0 ? std::nullopt : bytes_of(a[0].text(), a[2].integer());
    if (!begin) return out_of_range(a[2].integer());
    from = *begin;
  }
  auto found = find_last_text(a[0].text(), a[1].text(), from);
  if (found == std::string::npos) return Value::of_int(-1);
  return Value::of_int(rune_length(std::string_view(a[0].text()).substr(0, found)));
}

Value substring(const Values& a, Budget&) {
  const std::string_view text = a[0].text();
  auto begin = a[1].integer() < 0 ? std::nullopt : bytes_of(text, a[1].integer());
  if (!begin) return out_of_range(a[1].integer());
  if (a.size() == 2) return Value::of_string(std::string(text.substr(*begin)));
  auto end = a[2].integer() < 0 ? std::nullopt : bytes_of(text, a[2].integer());
  if (!end) return out_of_range(a[2].integer());
  if (*end < *begin) {
    return Value::error("invalid substring range. start: " + std::to_string(a[1].integer()) +
                        ", end: " + std::to_string(a[2].integer()));
  }
  return Value::of_string(std::string(text.substr(*begin, *end - *begin)));
}

Value replace(const Values& a, Budget& budget) {
  const auto& text = a[0].text();
  const auto& what = a[1].text();
  auto count = a.size() > 3 ? a[3].integer() : -1;
  std::string out;
  std::size_t at = 0;
  while (count != 0 && at <= text.size()) {
    auto found = find_text(text, what, at);
    if (found == std::string::npos || (what.empty() && found >= text.size() && !text.empty())) break;
    if (!budget.spend(1 + a[2].text().size() / 8)) return {};
    out += text.substr(at, found - at) + a[2].text();
    at = found + what.size();
    if (what.empty()) {
      if (at >= text.size()) break;
      out += text[at++];
    }
    --count;
  }
  return Value::of_string(out + (at < text.size() ? text.substr(at) : ""));
}

Value split(const Values& a, Budget& budget) {
  std::string_view rest = a[0].text();
  const auto& separator = a[1].text();
  auto limit = a.size() > 2 ? a[2].integer() : -1;
  Values parts;
  if (limit == 0) return Value::of_list({});
  while (limit < 0 || static_cast<std::int64_t>(parts.size()) + 1 < limit) {
    if (!budget.spend(2)) return {};
    auto found = separator.empty() ? bytes_of(rest, 1).value_or(0) : find_text(rest, separator, 0);
    bool is_last = separator.empty() ? found >= rest.size() : found == std::string_view::npos;
    if (is_last) break;
    parts.push_back(Value::of_string(std::string(rest.substr(0, found))));
    rest.remove_prefix(found + separator.size());
  }
  parts.push_back(Value::of_string(std::string(rest)));
  return Value::of_list(std::move(parts));
}

Value joined(const Values& a, Budget& budget) {
  const std::string_view separator = a.size() > 1 ? std::string_view(a[1].text()) : std::string_view();
  std::string out;
  bool is_first = true;
  for (const auto& item : a[0].items()) {
    if (!item.is(Kind::kString)) return no_such_overload();
    if (!budget.spend(1 + (item.text().size() + separator.size()) / 8)) return {};
    if (!is_first) out += separator;
    is_first = false;
    out += item.text();
  }
  return Value::of_string(std::move(out));
}

}  // namespace

std::vector<Signature> text_signatures() {
  return {
      {"size", false, "s", "i", size_of},
      {"size", false, "y", "i", size_of},
      {"size", false, "l", "i", size_of},
      {"size", false, "m", "i", size_of},
      {"size", true, "s", "i", size_of},
      {"size", true, "y", "i", size_of},
      {"size", true, "l", "i", size_of},
      {"size", true, "m", "i", size_of},
      {"contains", true, "ss", "b", contains},
      {"startsWith", true, "ss", "b", starts_with},
      {"endsWith", true, "ss", "b", ends_with},
      {"matches", true, "ss", "b", match},
      {"matches", false, "ss", "b", match},
      {"lowerAscii", true, "s", "s", lower},
      {"upperAscii", true, "s", "s", upper},
      {"trim", true, "s", "s", trimmed},
      {"strings.quote", false, "s", "s", quoted_text},
      {"charAt", true, "si", "s", char_at},
      {"indexOf", true, "ss", "i", index_of},
      {"indexOf", true, "ssi", "i", index_of},
      {"lastIndexOf", true, "ss", "i", last_index_of},
      {"lastIndexOf", true, "ssi", "i", last_index_of},
      {"substring", true, "si", "s", substring},
      {"substring", true, "sii", "s", substring},
      {"replace", true, "sss", "s", replace},
      {"replace", true, "sssi", "s", replace},
      {"split", true, "ss", "L", split},
      {"split", true, "ssi", "L", split},
      {"join", true, "l", "s", joined},
      {"join", true, "ls", "s", joined},
  };
}

}  // namespace keelson::cel
