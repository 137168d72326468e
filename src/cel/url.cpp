#include "keelson/detail/cel/url.hpp"

#include <algorithm>
#include <optional>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/cel/functions.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;

bool is_letter_or_digit(char c) { return base::is_digit(c) || (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z'); }

bool is_host_character(char c) {
  return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("-_.~!$&'()*+,;=:[]<>\"").find(c) != std::string_view::npos;
}

// The first '%' that is not followed by two hexadecimal digits, in Go's error.
Result<void> check_escapes(std::string_view text) {
  for (auto at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 1)) {
    const bool is_fine =
        at + 2 < text.size() && base::hex_value(text[at + 1]) >= 0 && base::hex_value(text[at + 2]) >= 0;
    if (!is_fine) return invalid_error("invalid URL escape " + base::quote_go(text.substr(at, 3)));
  }
  return {};
}

// The length of the scheme, 0 if there is none; nullopt for an empty one.
std::optional<std::size_t> scheme_length(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ':') return i == 0 ? std::nullopt : std::optional(i);
    const bool is_inner = base::is_digit(c) || c == '+' || c == '-' || c == '.';
    if (is_inner ? i == 0 : !is_letter_or_digit(c)) break;
  }
  return 0;
}

Result<void> check_port(std::string_view text) {
  const bool is_fine = text.empty() || (text[0] == ':' && std::all_of(text.begin() + 1, text.end(), base::is_digit));
  if (is_fine) return {};
  return invalid_error("invalid port " + base::quote_go(text) + " after host");
}

Result<std::string> parse_host(std::string_view host) {
  const auto open = host.rfind('[');
  if (open != std::string_view::npos && open > 0) return invalid_error("invalid IP-literal");
  if (open == 0) {
    const auto close = host.rfind(']');
    if (close == std::string_view::npos) return invalid_error("missing ']' in host");
    KEELSON_TRY(check_port(host.substr(close + 1)));
  } else if (const auto colon = host.rfind(':'); colon != std::string_view::npos) {
    KEELSON_TRY(check_port(host.substr(colon)));
  }
  KEELSON_TRY(check_escapes(host));
  for (const char c : host) {
    if (c != '%' && !is_host_character(c)) {
      return invalid_error("invalid character " + base::quote_go(std::string_view(&c, 1)) + " in host name");
    }
  }
  return base::percent_decode(host).value_or("");
}

Result<Url> parse_url_parts(std::string_view text, bool is_request) {
  if (std::ranges::any_of(text, base::is_control)) return invalid_error("net/url: invalid control character in URL");
  if (text.empty() && is_request) return invalid_error("empty url");
  Url url;
  if (text == "*") {
    url.path = text;
    return url;
  }
  const auto scheme = scheme_length(text);
  if (!scheme) return invalid_error("missing protocol scheme");
  url.scheme = base::to_lower(text.substr(0, *scheme));
  auto rest = text.substr(*scheme == 0 ? 0 : *scheme + 1);
  if (const auto mark = rest.find('?'); mark != std::string_view::npos) {
    url.query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  if (!rest.starts_with('/')) {
    if (!url.scheme.empty()) return url;
    if (is_request) return invalid_error("invalid URI for request");
    if (rest.substr(0, rest.find('/')).find(':') != std::string_view::npos) {
      return invalid_error("first path segment in URL cannot contain colon");
    }
  }
  const bool may_have_host = !url.scheme.empty() || (!is_request && !rest.starts_with("///"));
  if (may_have_host && rest.starts_with("//")) {
    const auto authority = rest.substr(2, rest.find('/', 2) - 2);
    rest.remove_prefix(2 + authority.size());
    const auto at = authority.rfind('@');
    if (at != std::string_view::npos) url.user = authority.substr(0, at);
    KEELSON_LET(url.host, parse_host(at == std::string_view::npos ? authority : authority.substr(at + 1)));
  }
  KEELSON_TRY(check_escapes(rest));
  url.path = rest;
  return url;
}

Result<Url> parse_with_context(std::string_view text, bool is_request) {
  auto parsed = parse_url_parts(text, is_request);
  if (!parsed) return invalid_error("parse " + base::quote_go(text) + ": " + parsed.error().text);
  return parsed;
}

// The URL of a value that was parsed before.
Url url_in(const Value& value) {
  auto parsed = parse_url(value.text());
  return parsed ? std::move(*parsed) : Url();
}

Value to_url(const Values& a, Budget&) {
  const auto parsed = parse_request_url(a[0].text());
  if (parsed) return Value::of_text(Kind::kUrl, a[0].text());
  return Value::error("URL parse error during conversion from string: " + parsed.error().text);
}
Value is_url(const Values& a, Budget&) { return Value::of_bool(parse_request_url(a[0].text()).has_value()); }
Value scheme_of(const Values& a, Budget&) { return Value::of_string(url_in(a[0]).scheme); }
Value host_of(const Values& a, Budget&) { return Value::of_string(url_in(a[0]).host); }

// The place of the colon before the port; npos if there is none.
std::size_t port_colon(const std::string& host) {
  const auto bracket = host.rfind(']');
  const auto colon = host.rfind(':');
  const bool is_port = colon != std::string::npos && (bracket == std::string::npos || colon > bracket);
  return is_port ? colon : std::string::npos;
}

Value host_name(const Values& a, Budget&) {
  auto host = url_in(a[0]).host;
  host = host.substr(0, port_colon(host));
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return Value::of_string(std::move(host));
}

Value port_of(const Values& a, Budget&) {
  const auto host = url_in(a[0]).host;
  const auto colon = port_colon(host);
  return Value::of_string(colon == std::string::npos ? "" : host.substr(colon + 1));
}

Value escaped_path(const Values& a, Budget&) {
  const auto url = url_in(a[0]);
  const auto is_valid = [](char c) {
    return is_letter_or_digit(c) || std::string_view("-_.~$&+,/:;=@!'()*[]%").find(c) != std::string_view::npos;
  };
  if (std::ranges::all_of(url.path, is_valid)) return Value::of_string(std::string(url.path));
  return Value::of_string(base::encode_path(base::percent_decode(url.path).value_or("")));
}

std::optional<std::string> query_text(std::string_view text) {
  std::string plain(text);
  std::ranges::replace(plain, '+', ' ');
  return base::percent_decode(plain);
}

Value query_of(const Values& a, Budget& budget) {
  const auto url = url_in(a[0]);
  std::vector<std::pair<std::string, Values>> found;
  std::map<std::string, std::size_t, std::less<>> places;
  for (auto rest = url.query; !rest.empty();) {
    const auto part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (part.empty() || part.find(';') != std::string_view::npos) continue;
    const auto equals = std::min(part.find('='), part.size());
    const auto key = query_text(part.substr(0, equals));
    const auto value = query_text(part.substr(std::min(equals + 1, part.size())));
    if (!key || !value) continue;
    if (!budget.spend(1 + part.size() / 8)) return {};
    const auto [place, is_new] = places.emplace(*key, found.size());
    if (is_new) found.emplace_back(*key, Values());
    found[place->second].second.push_back(Value::of_string(*value));
  }
  MapValue made;
  for (auto& [key, values] : found) made.add(Value::of_string(key), Value::of_list(std::move(values)));
  return Value::of_map(std::move(made));
}

}  // namespace

Result<Url> parse_url(std::string_view text) {
  const auto mark = std::min(text.find('#'), text.size());
  auto parsed = parse_with_context(text.substr(0, mark), false);
  if (parsed && mark < text.size()) parsed->fragment = text.substr(mark + 1);
  return parsed;
}

Result<Url> parse_request_url(std::string_view text) { return parse_with_context(text, true); }

std::vector<Signature> url_signatures() {
  return {
      {"url", false, "s", "U", to_url, CallCost::kText}, {"isURL", false, "s", "b", is_url},
      {"getScheme", true, "U", "s", scheme_of},          {"getHost", true, "U", "s", host_of},
      {"getHostname", true, "U", "s", host_name},        {"getPort", true, "U", "s", port_of},
      {"getEscapedPath", true, "U", "s", escaped_path},  {"getQuery", true, "U", "msls", query_of},
  };
}

}  // namespace keelson::cel
