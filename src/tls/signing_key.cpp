#include "keelson/detail/tls/signing_key.hpp"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "src/tls/openssl_owned.hpp"

namespace keelson::tls {

namespace {

using Pair = Owned<EVP_PKEY, ::EVP_PKEY_free>;
using Digest = Owned<EVP_MD_CTX, ::EVP_MD_CTX_free>;
using Signature = Owned<ECDSA_SIG, ::ECDSA_SIG_free>;

constexpr std::size_t kNumberBytes = 32;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

// OpenSSL's error queue is per thread: a remaining error would be attributed to the next connection.
Error key_error(const char* what) {
  ::ERR_clear_error();
  return invalid_error(what);
}

// Converts a signature from OpenSSL's DER to its two numbers.
Result<std::string> numbers_of(const std::string& der) {
  const auto* at = bytes_of(der);
  const Signature signature(::d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  if (signature == nullptr) return key_error("cannot sign");
  std::string numbers(2 * kNumberBytes, '\0');
  auto* out = reinterpret_cast<unsigned char*>(numbers.data());
  constexpr int kLength = kNumberBytes;
  bool is_written = ::BN_bn2binpad(::ECDSA_SIG_get0_r(signature.get()), out, kLength) == kLength &&
                    ::BN_bn2binpad(::ECDSA_SIG_get0_s(signature.get()), out + kNumberBytes, kLength) == kLength;
  return is_written ? Result<std::string>(std::move(numbers)) : key_error("cannot sign");
}

// Converts the two numbers to DER; empty if the length is wrong.
std::string der_of(std::string_view numbers) {
  if (numbers.size() != 2 * kNumberBytes) return "";
  const Signature signature(::ECDSA_SIG_new());
  auto* r = ::BN_bin2bn(bytes_of(numbers), kNumberBytes, nullptr);
  auto* s = ::BN_bin2bn(bytes_of(numbers) + kNumberBytes, kNumberBytes, nullptr);
  KEELSON_ASSERT(signature != nullptr && r != nullptr && s != nullptr);
  KEELSON_ASSERT(::ECDSA_SIG_set0(signature.get(), r, s) == 1);  // owns both now
  unsigned char* der = nullptr;
  const int size = ::i2d_ECDSA_SIG(signature.get(), &der);
  KEELSON_ASSERT(size > 0);
  std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  ::OPENSSL_free(der);
  return text;
}

}  // namespace

struct SigningKey::State {
  Pair pair;
};

Result<SigningKey> SigningKey::make() {
  Pair pair(::EVP_EC_gen("P-256"));
  if (pair == nullptr) return key_error("cannot generate a signing key");
  return SigningKey(std::make_shared<const State>(State{std::move(pair)}));
}

Result<SigningKey> SigningKey::from_pem(const std::string& pem) {
  const Owned<BIO, ::BIO_free_all> memory(::BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  KEELSON_ASSERT(memory != nullptr);
  // Without a callback OpenSSL would ask for a passphrase at the terminal.
  auto no_passphrase = [](char*, int, int, void*) { return 0; };
  Pair pair(::PEM_read_bio_PrivateKey(memory.get(), nullptr, no_passphrase, nullptr));
  std::string group(32, '\0');
  std::size_t length = 0;
  bool is_named = pair != nullptr && ::EVP_PKEY_get_group_name(pair.get(), group.data(), group.size(), &length) == 1;
  if (!is_named || group.substr(0, length) != "prime256v1") return key_error("not an EC key of the curve P-256 in PEM");
  return SigningKey(std::make_shared<const State>(State{std::move(pair)}));
}

std::string SigningKey::pem() const {
  const Owned<BIO, ::BIO_free_all> memory(::BIO_new(::BIO_s_mem()));
  KEELSON_ASSERT(memory != nullptr);
  KEELSON_ASSERT(
      ::PEM_write_bio_PKCS8PrivateKey(memory.get(), state_->pair.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
  char* data = nullptr;
  const auto length = ::BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(length)};
}

std::string SigningKey::public_der() const {
  unsigned char* der = nullptr;
  const int size = ::i2d_PUBKEY(state_->pair.get(), &der);
  KEELSON_ASSERT(size > 0);
  std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
  ::OPENSSL_free(der);
  return text;
}

Result<std::string> SigningKey::sign(std::string_view text) const {
  const Digest digest(::EVP_MD_CTX_new());
  KEELSON_ASSERT(digest != nullptr);
  std::size_t size = 0;
  bool is_ready = ::EVP_DigestSignInit(digest.get(), nullptr, ::EVP_sha256(), nullptr, state_->pair.get()) == 1 &&
                  ::EVP_DigestSign(digest.get(), nullptr, &size, bytes_of(text), text.size()) == 1;
  if (!is_ready) return key_error("cannot sign");
  std::string der(size, '\0');
  auto* out = reinterpret_cast<unsigned char*>(der.data());
  if (::EVP_DigestSign(digest.get(), out, &size, bytes_of(text), text.size()) != 1) return key_error("cannot sign");
  der.resize(size);
  return numbers_of(der);
}

bool SigningKey::verifies(std::string_view text, std::string_view signature) const {
  const auto der = der_of(signature);
  if (der.empty()) return false;
  const Digest digest(::EVP_MD_CTX_new());
  KEELSON_ASSERT(digest != nullptr);
  bool is_ready = ::EVP_DigestVerifyInit(digest.get(), nullptr, ::EVP_sha256(), nullptr, state_->pair.get()) == 1;
  bool is_valid =
      is_ready && ::EVP_DigestVerify(digest.get(), bytes_of(der), der.size(), bytes_of(text), text.size()) == 1;
  ::ERR_clear_error();
  return is_valid;
}

}  // namespace keelson::tls
