#include "src/sandbox/authentication/jwt.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/net/limits.hpp"
#include "keelson/detail/tls/sha256.hpp"

namespace keelson::sandbox {

namespace {

struct TokenParts {
  std::string_view header;
  std::string_view claims;
  std::string_view signature;
  std::string_view is_signed;  // the header and the claims, which the signature covers
};

std::optional<TokenParts> parts_of_token(std::string_view token) {
  if (token.size() > limits::kBearerTokenBytes) return std::nullopt;
  auto first = token.find('.');
  auto second = first == std::string_view::npos ? first : token.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  return TokenParts{token.substr(0, first), token.substr(first + 1, second - first - 1), token.substr(second + 1),
                    token.substr(0, second)};
}

std::optional<Tree> json_part(std::string_view part) {
  auto text = base::base64url_decode(part);
  auto tree = text ? Tree::parse(*text) : Result<Tree>(invalid_error(""));
  return tree && tree->is_object() ? std::optional(std::move(*tree)) : std::nullopt;
}

}  // namespace

std::string key_id(const tls::SigningKey& key) {
  auto digest = tls::sha256(key.public_der());
  return base::base64url_encode(std::string_view(reinterpret_cast<const char*>(digest.data()), digest.size()));
}

Result<std::string> make_jwt(const Tree& claims, const tls::SigningKey& key) {
  auto header = Tree::object({{"alg", "ES256"}, {"kid", key_id(key)}});
  auto text = base::base64url_encode(header.text()) + "." + base::base64url_encode(claims.text());
  KEELSON_LET(auto signature, key.sign(text));
  return text + "." + base::base64url_encode(signature);
}

std::optional<Tree> read_jwt(std::string_view token) {
  auto parts = parts_of_token(token);
  return parts ? json_part(parts->claims) : std::nullopt;
}

bool is_signed_by(std::string_view token, const tls::SigningKey& key) {
  auto parts = parts_of_token(token);
  auto header = parts ? json_part(parts->header) : std::nullopt;
  // With any other algorithm, the token itself would choose how it is verified.
  if (!header || header->text_at({"alg"}) != "ES256") return false;
  auto signature = base::base64url_decode(parts->signature);
  return signature && key.verifies(parts->is_signed, *signature);
}

}  // namespace keelson::sandbox
