#include "test/support/certificates.hpp"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <stdexcept>

namespace keelson::testing {

namespace {

template <class T, void (*free)(T*)>
using Owned = std::unique_ptr<T, decltype([](T* p) { free(p); })>;
using Key = Owned<EVP_PKEY, ::EVP_PKEY_free>;
using Certificate = Owned<X509, ::X509_free>;

void require(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string("OpenSSL: ") + what);
}

Key make_key() {
  Key key(::EVP_EC_gen("P-256"));
  require(key != nullptr, "no key");
  return key;
}

template <class Write>
std::string to_pem(Write write) {
  Owned<BIO, ::BIO_free_all> memory(::BIO_new(::BIO_s_mem()));
  require(write(memory.get()) == 1, "cannot write PEM");
  char* data = nullptr;
  auto length = ::BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(length)};
}

std::string certificate_pem(X509* certificate) {
  return to_pem([&](BIO* out) { return ::PEM_write_bio_X509(out, certificate); });
}

std::string key_pem(EVP_PKEY* key) {
  return to_pem([&](BIO* out) { return ::PEM_write_bio_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

void add_extension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context{};
  ::X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  Owned<X509_EXTENSION, ::X509_EXTENSION_free> extension(::X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  require(extension != nullptr, value.c_str());
  require(::X509_add_ext(certificate, extension.get(), -1) == 1, "cannot add an extension");
}

Certificate make_certificate(const CertificateRequest& request, EVP_PKEY* key, X509* issuer) {
  Certificate certificate(::X509_new());
  ::X509_set_version(certificate.get(), X509_VERSION_3);
  std::uint64_t serial = 0;
  ::RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
  ::ASN1_INTEGER_set_uint64(::X509_get_serialNumber(certificate.get()), serial >> 1);
  ::X509_gmtime_adj(::X509_getm_notBefore(certificate.get()), std::chrono::seconds(request.valid_from).count());
  ::X509_gmtime_adj(::X509_getm_notAfter(certificate.get()), std::chrono::seconds(request.valid_until).count());
  ::X509_set_pubkey(certificate.get(), key);
  auto* text = reinterpret_cast<const unsigned char*>(request.common_name.c_str());
  ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8, text, -1, -1, 0);
  auto* from = issuer != nullptr ? issuer : certificate.get();
  ::X509_set_issuer_name(certificate.get(), ::X509_get_subject_name(from));
  add_extension(certificate.get(), from, NID_subject_key_identifier, "hash");
  return certificate;
}

void sign(X509* certificate, EVP_PKEY* key) {
  require(::X509_sign(certificate, key, ::EVP_sha256()) > 0, "cannot sign");
}

}  // namespace

struct Authority::State {
  Key key = make_key();
  Certificate certificate;
  std::string pem;
};

Authority::Authority(const std::string& common_name) : state_(std::make_unique<State>()) {
  CertificateRequest request;
  request.common_name = common_name;
  state_->certificate = make_certificate(request, state_->key.get(), nullptr);
  auto* certificate = state_->certificate.get();
  add_extension(certificate, certificate, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate, certificate, NID_key_usage, "critical,keyCertSign,cRLSign,digitalSignature");
  sign(certificate, state_->key.get());
  state_->pem = keelson::testing::certificate_pem(certificate);
}

Authority::~Authority() = default;

const std::string& Authority::certificate_pem() const { return state_->pem; }

KeyPair Authority::issue(const CertificateRequest& request) const {
  auto key = make_key();
  auto* issuer = state_->certificate.get();
  auto certificate = make_certificate(request, key.get(), issuer);
  add_extension(certificate.get(), issuer, NID_authority_key_identifier, "keyid:always");
  add_extension(certificate.get(), issuer, NID_ext_key_usage, "serverAuth,clientAuth");
  std::string valid_for;
  for (const auto& name : request.names) valid_for += (valid_for.empty() ? "DNS:" : ",DNS:") + name;
  for (const auto& address : request.addresses) valid_for += (valid_for.empty() ? "IP:" : ",IP:") + address;
  if (!valid_for.empty()) add_extension(certificate.get(), issuer, NID_subject_alt_name, valid_for);
  sign(certificate.get(), state_->key.get());
  return {keelson::testing::certificate_pem(certificate.get()), keelson::testing::key_pem(key.get())};
}

KeyPair Authority::issue_for_loopback() const {
  CertificateRequest request;
  request.names = {"localhost"};
  request.addresses = {"127.0.0.1", "::1"};
  return issue(request);
}

}  // namespace keelson::testing
