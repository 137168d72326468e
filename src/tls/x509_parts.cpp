#include "src/tls/x509_parts.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"

namespace keelson::tls {

namespace {

constexpr std::size_t kSerialBytes = 16;

template <class Write>
std::string to_pem(Write write) {
  const OwnedMemory memory(::BIO_new(::BIO_s_mem()));
  KEELSON_ASSERT(memory != nullptr && write(memory.get()) == 1);
  char* data = nullptr;
  const auto length = ::BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(length)};
}

// Random, because issuer name and serial number identify a certificate.
Result<std::array<unsigned char, kSerialBytes>> make_serial() {
  std::array<unsigned char, kSerialBytes> bytes{};
  if (::RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return openssl_error("no randomness");
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x3FU) | 0x40U);  // positive, and of constant length
  return bytes;
}

// OpenSSL's own default asks for the passphrase at the terminal.
int no_passphrase(char*, int, int, void*) { return 0; }

}  // namespace

Error openssl_error(const std::string& what) {
  const char* reason = ::ERR_reason_error_string(::ERR_get_error());
  ::ERR_clear_error();
  return invalid_error(what + (reason != nullptr ? std::string(": ") + reason : std::string()));
}

std::time_t seconds_of(async::WallTime time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

async::WallTime time_of(const ASN1_TIME* time) {
  std::tm parts{};
  KEELSON_ASSERT(::ASN1_TIME_to_tm(time, &parts) == 1);
  return async::WallTime(std::chrono::seconds(::timegm(&parts)));
}

std::string pem_of(X509* certificate) {
  return to_pem([&](BIO* out) { return ::PEM_write_bio_X509(out, certificate); });
}

std::string pem_of(EVP_PKEY* key) {
  return to_pem(
      [&](BIO* out) { return ::PEM_write_bio_PKCS8PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

OwnedMemory reader_of(const std::string& pem) {
  return OwnedMemory(::BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
}

OwnedX509 certificate_in(const std::string& pem) {
  return OwnedX509(::PEM_read_bio_X509(reader_of(pem).get(), nullptr, nullptr, nullptr));
}

OwnedKey private_key_in(const std::string& pem) {
  return OwnedKey(::PEM_read_bio_PrivateKey(reader_of(pem).get(), nullptr, no_passphrase, nullptr));
}

void add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context{};
  ::X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Owned<X509_EXTENSION, ::X509_EXTENSION_free> extension(
      ::X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  KEELSON_ASSERT(extension != nullptr && ::X509_add_ext(certificate, extension.get(), -1) == 1);
}

Result<OwnedX509> blank_certificate(const CertificateValidity& validity) {
  KEELSON_LET(auto serial, make_serial());
  OwnedX509 certificate(::X509_new());
  auto* made = certificate.get();
  ::X509_set_version(made, X509_VERSION_3);
  const Owned<BIGNUM, ::BN_free> number(::BN_bin2bn(serial.data(), static_cast<int>(serial.size()), nullptr));
  ::BN_to_ASN1_INTEGER(number.get(), ::X509_get_serialNumber(made));
  ::ASN1_TIME_set(::X509_getm_notBefore(made), seconds_of(validity.from));
  ::ASN1_TIME_set(::X509_getm_notAfter(made), seconds_of(validity.until));
  return certificate;
}

}  // namespace keelson::tls
