// An EC P-256 key that signs texts as JSON Web Tokens with the algorithm ES256 do (RFC 7518), and verifies them.
//
// A value; copies share the key.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::net {

class SigningKey {
 public:
  // A new key. Fails only when OpenSSL does (no randomness).
  [[nodiscard]] static Result<SigningKey> make();
  // kInvalid when this is no such key.
  [[nodiscard]] static Result<SigningKey> from_pem(const std::string& pem);

  [[nodiscard]] std::string pem() const;  // PKCS 8, as secret as the key
  // SubjectPublicKeyInfo in DER, which others may have.
  [[nodiscard]] std::string public_der() const;

  // 64 bytes: both numbers of the signature of the text's SHA-256.
  [[nodiscard]] Result<std::string> sign(std::string_view text) const;
  [[nodiscard]] bool verifies(std::string_view text, std::string_view signature) const;

 private:
  struct State;
  explicit SigningKey(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace keelson::net
