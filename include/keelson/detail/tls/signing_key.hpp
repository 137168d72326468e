// An EC P-256 key that creates and verifies signatures in the format ES256 of JSON Web Tokens (RFC 7518).
//
// The sandbox signs ServiceAccount tokens with it. It is a value: copies share the key.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::tls {

class SigningKey {
 public:
  // Generates a new key. Fails with kInvalid, and only if OpenSSL fails (no randomness).
  [[nodiscard]] static Result<SigningKey> make();
  // Parses a private key. Fails with kInvalid if the text is not an unencrypted EC P-256 key; the error does not
  // contain the text.
  [[nodiscard]] static Result<SigningKey> from_pem(const std::string& pem);

  // The private key as PKCS 8, not encrypted: a secret.
  [[nodiscard]] std::string pem() const;
  // The public key as SubjectPublicKeyInfo in DER; its hash can be the key ID of tokens.
  [[nodiscard]] std::string public_der() const;

  // The signature of the text's SHA-256: 64 binary bytes, the numbers r and s. Fails only if OpenSSL fails.
  [[nodiscard]] Result<std::string> sign(std::string_view text) const;
  // False also for a signature that has another length or format.
  [[nodiscard]] bool verifies(std::string_view text, std::string_view signature) const;

 private:
  struct State;
  explicit SigningKey(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace keelson::tls
