#include <algorithm>
#include <charconv>
#include <cstring>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "src/cel/functions.hpp"
#include "src/cel/text_format.hpp"
#include "src/cel/text_size.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;

// The number of bytes of the first `count` characters, because positions in CEL are characters; nullopt if there are
// fewer, or if it is negative.
std::optional<std::size_t> bytes_of(std::string_view text, std::int64_t count) {
  if (count < 0) return std::nullopt;
  std::size_t at = 0;
  for (; count > 0; --count) {
    if (at >= text.size()) return std::nullopt;
    at += std::max<std::size_t>(base::first_rune(text.substr(at)).bytes, 1);
  }
  return at;
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

bool is_blank(std::uint32_t point) {
  const bool is_ascii = point == ' ' || (point >= '\t' && point <= '\r');
  return is_ascii || point == 0x85 || point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) ||
         point == 0x2028 || point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

// Without the blanks of Unicode at both ends.
Value trimmed(const Values& a, Budget&) {
  const std::string_view text = a[0].text();
  std::size_t begin = text.size();
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto rune = base::first_rune(text.substr(at));
    const auto next = at + std::max<std::size_t>(rune.bytes, 1);
    if (rune.bytes == 0 || !is_blank(rune.code_point)) {
      begin = std::min(begin, at);
      end = next;
    }
    at = next;
  }
  return Value::of_string(begin < end ? std::string(text.substr(begin, end - begin)) : "");
}

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

// Up to `most` matches; all if it is negative. An empty match at the end of the previous one does not count, as in Go.
Value find_matches(const Values& a, Budget& budget, std::int64_t most) {
  const auto* pattern = budget.pattern(a[1].text());
  if (pattern == nullptr) return {};
  if (!*pattern) return Value::error("Illegal regex: " + pattern->error().text);
  const auto& text = a[0].text();
  Values found;
  auto last_end = std::string::npos;
  for (std::size_t at = 0; at <= text.size() && (most < 0 || static_cast<std::int64_t>(found.size()) < most);) {
    const auto match = (*pattern)->find(text, at, budget.left());
    if (!match) budget.exhaust();
    if (!match || match->begin == std::string::npos) break;
    const auto end = match->begin + match->size;
    const bool is_new = end != at || match->begin != last_end;
    at = end != at ? end : at + std::max<std::size_t>(base::first_rune_bytes(std::string_view(text).substr(at)), 1);
    last_end = end;
    if (is_new) found.push_back(Value::of_string(text.substr(match->begin, match->size)));
  }
  return Value::of_list(std::move(found));
}

Value find_first(const Values& a, Budget& budget) {
  auto found = find_matches(a, budget, 1);
  if (found.is_error()) return found;
  return found.items().empty() ? Value::of_string("") : found.items()[0];
}
Value find_all(const Values& a, Budget& budget) { return find_matches(a, budget, a.size() > 2 ? a[2].integer() : -1); }

Value char_at(const Values& a, Budget&) {
  auto begin = bytes_of(a[0].text(), a[1].integer());
  if (!begin) return out_of_range(a[1].integer());
  auto rest = std::string_view(a[0].text()).substr(*begin);
  return Value::of_string(std::string(rest.substr(0, bytes_of(rest, 1).value_or(0))));
}

// The position of the byte `found`, or -1.
Value position_of(std::size_t found, std::string_view text) {
  return Value::of_int(found == std::string_view::npos ? -1 : rune_length(text.substr(0, found)));
}

// The first byte at which a search begins: that of the third argument. An error value for a negative one, and the
// result of the search if it is beyond the text.
Value search_begin(const Values& a, std::size_t& begin) {
  if (a.size() < 3) return {};
  const auto from = a[2].integer();
  if (a[1].text().empty()) return Value::of_int(from);
  if (from < 0) return out_of_range(from);
  const auto found = bytes_of(a[0].text(), from);
  if (!found || *found == a[0].text().size()) return Value::of_int(-1);
  begin = *found;
  return {};
}

Value index_of(const Values& a, Budget&) {
  std::size_t begin = 0;
  auto known = search_begin(a, begin);
  if (!known.is(Kind::kNull)) return known;
  return position_of(find_text(a[0].text(), a[1].text(), begin), a[0].text());
}

Value last_index_of(const Values& a, Budget&) {
  auto from = std::string::npos;
  auto known = search_begin(a, from);
  if (!known.is(Kind::kNull)) return known;
  return position_of(find_last_text(a[0].text(), a[1].text(), from), a[0].text());
}

Value substring(const Values& a, Budget&) {
  const std::string_view text = a[0].text();
  auto begin = bytes_of(text, a[1].integer());
  if (!begin) return out_of_range(a[1].integer());
  if (a.size() == 2) return Value::of_string(std::string(text.substr(*begin)));
  auto end = bytes_of(text, a[2].integer());
  if (!end) return out_of_range(a[2].integer());
  if (*end < *begin) {
    return Value::error("invalid substring range. start: " + std::to_string(a[1].integer()) +
                        ", end: " + std::to_string(a[2].integer()));
  }
  return Value::of_string(std::string(text.substr(*begin, *end - *begin)));
}

Value replace(const Values& a, Budget& budget) {
  const std::string_view text = a[0].text();
  const auto& what = a[1].text();
  auto count = a.size() > 3 ? a[3].integer() : -1;
  std::string out;
  std::size_t at = 0;
  for (; count != 0; --count) {
    const auto found = find_text(text, what, at);
    if (found == std::string::npos) break;
    if (!budget.spend(1 + a[2].text().size() / 8)) return {};
    out += text.substr(at, found - at);
    out += a[2].text();
    at = found + what.size();
    if (!what.empty()) continue;
    // An empty text is before each character, and at the end.
    if (at == text.size()) break;
    const auto size = std::max<std::size_t>(base::first_rune_bytes(text.substr(at)), 1);
    out += text.substr(at, size);
    at += size;
  }
  out += text.substr(at);
  return Value::of_string(std::move(out));
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
      {"size", false, "lA", "i", size_of},
      {"size", false, "mAB", "i", size_of},
      {"size", true, "s", "i", size_of},
      {"size", true, "y", "i", size_of},
      {"size", true, "lA", "i", size_of},
      {"size", true, "mAB", "i", size_of},
      {"contains", true, "ss", "b", contains, CallCost::kContains},
      {"startsWith", true, "ss", "b", starts_with, CallCost::kAffix},
      {"endsWith", true, "ss", "b", ends_with, CallCost::kAffix},
      {"matches", true, "ss", "b", match, CallCost::kMatch},
      {"matches", false, "ss", "b", match},
      {"find", true, "ss", "s", find_first, CallCost::kFind},
      {"findAll", true, "ss", "ls", find_all, CallCost::kFind},
      {"findAll", true, "ssi", "ls", find_all, CallCost::kFind},
      {"lowerAscii", true, "s", "s", lower, CallCost::kText},
      {"upperAscii", true, "s", "s", upper, CallCost::kText},
      {"trim", true, "s", "s", trimmed, CallCost::kText},
      {"strings.quote", false, "s", "s", quoted_text, CallCost::kQuote},
      {"format", true, "sl*", "s", formatted_text, CallCost::kFormat},
      {"charAt", true, "si", "s", char_at},
      {"indexOf", true, "ss", "i", index_of, CallCost::kElements},
      {"indexOf", true, "ssi", "i", index_of, CallCost::kElements},
      {"lastIndexOf", true, "ss", "i", last_index_of, CallCost::kElements},
      {"lastIndexOf", true, "ssi", "i", last_index_of, CallCost::kElements},
      {"substring", true, "si", "s", substring, CallCost::kText},
      {"substring", true, "sii", "s", substring, CallCost::kText},
      {"replace", true, "sss", "s", replace, CallCost::kReplace},
      {"replace", true, "sssi", "s", replace, CallCost::kReplace},
      {"split", true, "ss", "ls", split, CallCost::kSplit},
      {"split", true, "ssi", "ls", split, CallCost::kSplit},
      {"join", true, "ls", "s", joined, CallCost::kJoin},
      {"join", true, "lss", "s", joined, CallCost::kJoin},
  };
}

}  // namespace keelson::cel
