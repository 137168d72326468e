#include "keelson/detail/tls/certificate_authority.hpp"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <ctime>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"
#include "src/tls/openssl_owned.hpp"

namespace keelson::tls {

namespace {

using Key = Owned<EVP_PKEY, ::EVP_PKEY_free>;
using Certificate = Owned<X509, ::X509_free>;
using Bio = Owned<BIO, ::BIO_free_all>;

constexpr std::size_t kSerialBytes = 16;

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

template <class Write>
std::string to_pem(Write write) {
  const Bio memory(::BIO_new(::BIO_s_mem()));
  KEELSON_ASSERT(memory != nullptr && write(memory.get()) == 1);
  char* data = nullptr;
  const auto length = ::BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(length)};
}

std::string pem_of(X509* certificate) {
  return to_pem([&](BIO* out) { return ::PEM_write_bio_X509(out, certificate); });
}

std::string pem_of(EVP_PKEY* key) {
  return to_pem(
      [&](BIO* out) { return ::PEM_write_bio_PKCS8PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

Bio reader_of(const std::string& pem) { return Bio(::BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()))); }

// All values are constants or checked names, so a rejection by OpenSSL is a bug of Keelson.
void add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context{};
  ::X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Owned<X509_EXTENSION, ::X509_EXTENSION_free> extension(
      ::X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  KEELSON_ASSERT(extension != nullptr && ::X509_add_ext(certificate, extension.get(), -1) == 1);
}

// Random, because issuer name and serial number identify a certificate.
Result<std::array<unsigned char, kSerialBytes>> make_serial() {
  std::array<unsigned char, kSerialBytes> bytes{};
  if (::RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return openssl_error("no randomness");
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x3FU) | 0x40U);  // positive, and of constant length
  return bytes;
}

Result<Certificate> make_certificate(const ServingCertificateRequest& request, const std::string& common_name,
                                     EVP_PKEY* key, X509* issuer) {
  KEELSON_LET(auto serial, make_serial());
  Certificate certificate(::X509_new());
  auto* made = certificate.get();
  ::X509_set_version(made, X509_VERSION_3);
  const Owned<BIGNUM, ::BN_free> number(::BN_bin2bn(serial.data(), static_cast<int>(serial.size()), nullptr));
  ::BN_to_ASN1_INTEGER(number.get(), ::X509_get_serialNumber(made));
  ::ASN1_TIME_set(::X509_getm_notBefore(made), seconds_of(request.from));
  ::ASN1_TIME_set(::X509_getm_notAfter(made), seconds_of(request.until));
  ::X509_set_pubkey(made, key);
  const auto* text = reinterpret_cast<const unsigned char*>(common_name.c_str());
  ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(made), "CN", MBSTRING_UTF8, text, -1, -1, 0);
  auto* from = issuer != nullptr ? issuer : made;
  ::X509_set_issuer_name(made, ::X509_get_subject_name(from));
  add_extension(made, from, NID_subject_key_identifier, "hash");
  return certificate;
}

Result<Certificate> make_authority(const ServingCertificateRequest& request, EVP_PKEY* key) {
  auto made = make_certificate(request, request.authority_name, key, nullptr);
  if (!made) return made;
  auto* certificate = made->get();
  add_extension(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  add_extension(certificate, certificate, NID_key_usage, "critical,keyCertSign");
  if (::X509_sign(certificate, key, ::EVP_sha256()) == 0) return openssl_error("cannot sign a certificate");
  return made;
}

// "DNS:localhost,IP:127.0.0.1"
std::string alternative_names(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    boost::system::error_code no_address;
    boost::asio::ip::make_address(name, no_address);
    out += (out.empty() ? "" : ",") + std::string(no_address ? "DNS:" : "IP:") + name;
  }
  return out;
}

Result<Certificate> make_leaf(const ServingCertificateRequest& request, EVP_PKEY* key, X509* authority,
                              EVP_PKEY* authority_key) {
  auto made = make_certificate(request, request.names.front(), key, authority);
  if (!made) return made;
  auto* certificate = made->get();
  add_extension(certificate, authority, NID_authority_key_identifier, "keyid:always");
  add_extension(certificate, authority, NID_basic_constraints, "critical,CA:FALSE");
  add_extension(certificate, authority, NID_key_usage, "critical,digitalSignature");
  add_extension(certificate, authority, NID_ext_key_usage, "serverAuth");
  add_extension(certificate, authority, NID_subject_alt_name, alternative_names(request.names));
  if (::X509_sign(certificate, authority_key, ::EVP_sha256()) == 0) return openssl_error("cannot sign a certificate");
  return made;
}

std::vector<std::string> names_of(X509* certificate) {
  auto* found = ::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr);
  const Owned<GENERAL_NAMES, ::GENERAL_NAMES_free> names(static_cast<GENERAL_NAMES*>(found));
  std::vector<std::string> out;
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const auto* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type != GEN_DNS) continue;
    const auto* data = reinterpret_cast<const char*>(::ASN1_STRING_get0_data(name->d.dNSName));
    out.emplace_back(data, static_cast<std::size_t>(::ASN1_STRING_length(name->d.dNSName)));
  }
  return out;
}

}  // namespace

Result<ServingCertificate> make_serving_certificate(const ServingCertificateRequest& request) {
  KEELSON_ASSERT(!request.names.empty());
  const Key authority_key(::EVP_EC_gen("P-256"));
  const Key key(::EVP_EC_gen("P-256"));
  if (!authority_key || !key) return openssl_error("cannot generate a key");
  KEELSON_LET(auto authority, make_authority(request, authority_key.get()));
  KEELSON_LET(auto leaf, make_leaf(request, key.get(), authority.get(), authority_key.get()));
  return ServingCertificate{pem_of(leaf.get()), pem_of(key.get()), pem_of(authority.get())};
}

Result<ServingCertificateFacts> examine_serving_certificate(const ServingCertificate& identity) {
  const Certificate leaf(::PEM_read_bio_X509(reader_of(identity.certificate_pem).get(), nullptr, nullptr, nullptr));
  if (!leaf) return openssl_error("the certificate cannot be read");
  const Certificate authority(::PEM_read_bio_X509(reader_of(identity.authority_pem).get(), nullptr, nullptr, nullptr));
  if (!authority) return openssl_error("the authority's certificate cannot be read");
  auto no_password = [](char*, int, int, void*) { return 0; };
  const Key key(::PEM_read_bio_PrivateKey(reader_of(identity.key_pem).get(), nullptr, no_password, nullptr));
  if (!key) return openssl_error("the key cannot be read");
  if (::X509_check_private_key(leaf.get(), key.get()) != 1)
    return openssl_error("the key does not match the certificate");
  if (::X509_verify(leaf.get(), ::X509_get0_pubkey(authority.get())) != 1) {
    return openssl_error("the authority did not sign the certificate");
  }
  ServingCertificateFacts facts;
  facts.names = names_of(leaf.get());
  facts.from = time_of(::X509_get0_notBefore(leaf.get()));
  facts.until = time_of(::X509_get0_notAfter(leaf.get()));
  return facts;
}

std::optional<async::WallTime> expiry_of(const std::string& certificate_pem) {
  const auto validity = validity_of(certificate_pem);
  if (!validity) return std::nullopt;
  return validity->until;
}

}  // namespace keelson::tls
