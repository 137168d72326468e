#include "src/access/token_form.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "keelson/detail/base/base64.hpp"
#include "keelson/json/value.hpp"

namespace keelson::access {

namespace {

std::optional<json::Document> decode_object(std::string_view part) {
  const auto text = base::base64url_decode(part);
  // Most random texts are rejected here, before they cost a parse.
  if (!text || !text->starts_with('{')) return std::nullopt;
  auto document = json::Document::parse(*text);
  if (!document || !document->root().is_object()) return std::nullopt;
  return std::move(*document);
}

}  // namespace

TokenForm form_of(std::string_view token, async::WallTime now) {
  if (std::ranges::count(token, '.') != 2) return TokenForm::kOpaque;
  const auto first = token.find('.');
  const auto second = token.rfind('.');
  const auto signature = token.substr(second + 1);
  if (signature.empty() || !base::base64url_decode(signature)) return TokenForm::kOpaque;
  if (!decode_object(token.substr(0, first))) return TokenForm::kOpaque;
  const auto claims = decode_object(token.substr(first + 1, second - first - 1));
  if (!claims) return TokenForm::kOpaque;
  // In seconds, and as a double: an integer may be outside the range of a time point.
  const auto expires = claims->root().find("exp").number();
  const std::chrono::duration<double> latest = (now - kTokenClockSkew).time_since_epoch();
  return expires && *expires < latest.count() ? TokenForm::kExpiredJwt : TokenForm::kJwt;
}

}  // namespace keelson::access
