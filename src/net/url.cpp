#include "keelson/detail/net/url.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/net/host_port.hpp"
#include "src/net/text.hpp"
#include "src/net/url_origin.hpp"

namespace keelson::net {

namespace {

std::string_view usual_port(bool tls) { return tls ? "443" : "80"; }

// Text before an '@' may be a user and a password: it is not printed.
Error reject_url(std::string_view url, const std::string& why) {
  const bool is_shown = url.find('@') == std::string_view::npos;
  return invalid_error("invalid URL" + (is_shown ? " " + base::quote_go(url) : "") + ": " + why);
}

Error reject_user() {
  return invalid_error(
      "invalid URL: user information (user:password@host) is not supported; send the header Authorization. Encode an @ "
      "in a path or query as %40");
}

// A password that is not encoded ends the authority early: "user:pa/ss@host" has the authority "user:pa".
bool may_have_user(std::string_view authority, std::string_view rest) {
  const bool has_colon = !authority.starts_with('[') && authority.find(':') != std::string_view::npos;
  return authority.find('@') != std::string_view::npos || (has_colon && rest.find('@') != std::string_view::npos);
}

// The first byte that must be percent-encoded; npos: none. In the path, a '%' must begin an encoded byte; a query is
// sent as it is, as in Go.
std::size_t find_unencoded(std::string_view target) {
  const auto path_size = std::min(target.find('?'), target.size());
  const auto is_hex = [&](std::size_t at) { return at < path_size && base::hex_value(target[at]) >= 0; };
  for (std::size_t i = 0; i < target.size(); ++i) {
    const auto c = static_cast<unsigned char>(target[i]);
    if (c <= ' ' || c >= 0x7f) return i;
    if (c == '%' && i < path_size && !(is_hex(i + 1) && is_hex(i + 2))) return i;
  }
  return std::string_view::npos;
}

}  // namespace

Result<Origin> origin_of(std::string_view scheme, std::string_view authority) {
  if (scheme != "http" && scheme != "https") {
    return invalid_error("unsupported protocol scheme \"" + std::string(scheme) + "\"");
  }
  const bool tls = scheme == "https";
  KEELSON_LET(auto parts, parse_authority(authority, usual_port(tls)));
  return Origin{tls, std::move(parts.host), std::move(parts.port)};
}

Result<Url> parse_url(std::string_view url) {
  const auto whole = url;
  url = url.substr(0, url.find('#'));
  auto mark = url.find("://");
  if (url.find_first_of("/?") < mark) mark = std::string_view::npos;  // it is in the path or the query
  const auto begin = mark == std::string_view::npos ? 0 : mark + 3;
  const auto end = std::min(url.find_first_of("/?", begin), url.size());
  const auto authority = url.substr(begin, end - begin);
  if (may_have_user(authority, whole.substr(end)) || whole.substr(0, begin).find('@') != std::string_view::npos) {
    return reject_user();
  }
  if (url.empty()) return reject_url(whole, "it is empty");
  if (mark == std::string_view::npos) {
    return reject_url(whole, "the scheme is missing; begin it with https:// or http://");
  }
  auto origin = origin_of(base::to_lower(url.substr(0, mark)), authority);
  if (!origin && whole.find('@') != std::string_view::npos) return reject_user();
  if (!origin) return reject_url(whole, origin.error().text);
  Url parsed{std::move(*origin), std::string(url.substr(end))};
  if (!parsed.target.starts_with('/')) parsed.target.insert(0, "/");
  const auto unencoded = find_unencoded(parsed.target);
  if (unencoded != std::string::npos) {
    const auto c = parsed.target[unencoded];
    return reject_url(whole, "the character " + base::quote_go({&c, 1}) + " in its path or query must be encoded as " +
                                 base::percent_encode({&c, 1}, [](char) { return false; }));
  }
  return parsed;
}

std::string authority_of(const Origin& origin) {
  auto text = join_host_port(origin.host, origin.port);
  if (origin.port == usual_port(origin.tls)) text.resize(text.size() - origin.port.size() - 1);
  return text;
}

std::string origin_text(const Origin& origin) { return (origin.tls ? "https://" : "http://") + authority_of(origin); }

}  // namespace keelson::net
