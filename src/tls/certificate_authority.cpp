#include "keelson/detail/tls/certificate_authority.hpp"

#include <openssl/ec.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"
#include "src/tls/x509_parts.hpp"

namespace keelson::tls {

namespace {

Result<OwnedX509> make_certificate(const ServingCertificateRequest& request, const std::string& common_name,
                                   EVP_PKEY* key, X509* issuer) {
  KEELSON_LET(auto certificate, blank_certificate({request.from, request.until}));
  auto* made = certificate.get();
  ::X509_set_pubkey(made, key);
  const auto* text = reinterpret_cast<const unsigned char*>(common_name.c_str());
  ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(made), "CN", MBSTRING_UTF8, text, -1, -1, 0);
  auto* from = issuer != nullptr ? issuer : made;
  ::X509_set_issuer_name(made, ::X509_get_subject_name(from));
  add_extension(made, from, NID_subject_key_identifier, "hash");
  return certificate;
}

Result<OwnedX509> make_authority(const ServingCertificateRequest& request, EVP_PKEY* key) {
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

Result<OwnedX509> make_leaf(const ServingCertificateRequest& request, EVP_PKEY* key, X509* authority,
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
  const OwnedKey authority_key(::EVP_EC_gen("P-256"));
  const OwnedKey key(::EVP_EC_gen("P-256"));
  if (!authority_key || !key) return openssl_error("cannot generate a key");
  KEELSON_LET(auto authority, make_authority(request, authority_key.get()));
  KEELSON_LET(auto leaf, make_leaf(request, key.get(), authority.get(), authority_key.get()));
  return ServingCertificate{pem_of(leaf.get()), pem_of(key.get()), pem_of(authority.get())};
}

Result<ServingCertificateFacts> examine_serving_certificate(const ServingCertificate& identity) {
  const auto leaf = certificate_in(identity.certificate_pem);
  if (!leaf) return openssl_error("the certificate cannot be read");
  const auto authority = certificate_in(identity.authority_pem);
  if (!authority) return openssl_error("the authority's certificate cannot be read");
  const auto key = private_key_in(identity.key_pem);
  if (!key) return openssl_error("the key cannot be read");
  if (::X509_check_private_key(leaf.get(), key.get()) != 1) {
    return openssl_error("the key does not match the certificate");
  }
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
