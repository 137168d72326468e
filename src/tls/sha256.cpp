#include "keelson/detail/tls/sha256.hpp"

#include <openssl/evp.h>

#include "keelson/detail/base/assert.hpp"

namespace keelson::tls {

Sha256 sha256(std::string_view text) {
  Sha256 digest{};
  unsigned int length = 0;
  KEELSON_ASSERT(::EVP_Digest(text.data(), text.size(), digest.data(), &length, ::EVP_sha256(), nullptr) == 1);
  KEELSON_ASSERT(length == digest.size());
  return digest;
}

}  // namespace keelson::tls
