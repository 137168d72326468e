#include "keelson/detail/tls/client_authority.hpp"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "src/tls/certificate_request.hpp"
#include "src/tls/x509_parts.hpp"

namespace keelson::tls {

namespace {

using Extensions = Owned<STACK_OF(X509_EXTENSION), free_extensions>;

void add_to_name(X509_NAME* name, const char* kind, const std::string& value) {
  const auto* text = reinterpret_cast<const unsigned char*>(value.data());
  ::X509_NAME_add_entry_by_txt(name, kind, MBSTRING_UTF8, text, static_cast<int>(value.size()), -1, 0);
}

// "critical,digitalSignature,keyEncipherment"; empty: no extension.
std::string key_usage_of(const ClientAuthority::Usages& usages) {
  std::string text;
  if (usages.digital_signature) text += ",digitalSignature";
  if (usages.key_encipherment) text += ",keyEncipherment";
  return text.empty() ? text : "critical" + text;
}

std::string extended_usage_of(const ClientAuthority::Usages& usages) {
  if (usages.client_auth && usages.server_auth) return "serverAuth,clientAuth";
  return usages.client_auth ? "clientAuth" : usages.server_auth ? "serverAuth" : "";
}

void copy_alternative_names(X509_REQ* request, X509* certificate) {
  const Extensions all(::X509_REQ_get_extensions(request));
  const int at = all ? ::X509v3_get_ext_by_NID(all.get(), NID_subject_alt_name, -1) : -1;
  if (at >= 0) ::X509_add_ext(certificate, ::X509v3_get_ext(all.get(), at), -1);
}

}  // namespace

struct ClientAuthority::State {
  OwnedX509 certificate;
  OwnedKey key;

  // Adds the issuer and the purposes, and signs the certificate.
  [[nodiscard]] Result<std::string> signed_pem(X509* made, const Usages& usages) const {
    ::X509_set_issuer_name(made, ::X509_get_subject_name(certificate.get()));
    if (auto usage = key_usage_of(usages); !usage.empty()) add_extension(made, certificate.get(), NID_key_usage, usage);
    if (auto usage = extended_usage_of(usages); !usage.empty()) {
      add_extension(made, certificate.get(), NID_ext_key_usage, usage);
    }
    add_extension(made, certificate.get(), NID_basic_constraints, "critical,CA:FALSE");
    add_extension(made, certificate.get(), NID_authority_key_identifier, "keyid:always");
    if (::X509_sign(made, key.get(), ::EVP_sha256()) == 0) return openssl_error("cannot sign a certificate");
    return pem_of(made);
  }

  [[nodiscard]] CertificateValidity within(CertificateValidity validity) const {
    validity.until = std::min(validity.until, time_of(::X509_get0_notAfter(certificate.get())));
    return validity;
  }
};

ClientAuthority::ClientAuthority(std::shared_ptr<const State> state)
    : state_(std::move(state)), certificate_pem_(pem_of(state_->certificate.get())) {}

Result<ClientAuthority> ClientAuthority::make(const std::string& name, const CertificateValidity& validity) {
  OwnedKey key(::EVP_EC_gen("P-256"));
  if (!key) return openssl_error("cannot generate a key");
  KEELSON_LET(auto certificate, blank_certificate(validity));
  auto* made = certificate.get();
  ::X509_set_pubkey(made, key.get());
  add_to_name(::X509_get_subject_name(made), "CN", name);
  ::X509_set_issuer_name(made, ::X509_get_subject_name(made));
  add_extension(made, made, NID_subject_key_identifier, "hash");
  add_extension(made, made, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(made, made, NID_key_usage, "critical,digitalSignature,keyEncipherment,keyCertSign");
  if (::X509_sign(made, key.get(), ::EVP_sha256()) == 0) return openssl_error("cannot sign a certificate");
  return ClientAuthority(std::make_shared<const State>(State{std::move(certificate), std::move(key)}));
}

Result<ClientAuthority> ClientAuthority::from_pem(const std::string& certificate_pem, const std::string& key_pem) {
  auto certificate = certificate_in(certificate_pem);
  if (!certificate) return openssl_error("the authority's certificate cannot be read");
  auto key = private_key_in(key_pem);
  if (!key) return openssl_error("the authority's key cannot be read");
  if (::X509_check_private_key(certificate.get(), key.get()) != 1) {
    return openssl_error("the authority's key does not match its certificate");
  }
  return ClientAuthority(std::make_shared<const State>(State{std::move(certificate), std::move(key)}));
}

std::string ClientAuthority::key_pem() const { return pem_of(state_->key.get()); }

CertificateValidity ClientAuthority::validity() const {
  auto* certificate = state_->certificate.get();
  return {time_of(::X509_get0_notBefore(certificate)), time_of(::X509_get0_notAfter(certificate))};
}

Result<std::string> ClientAuthority::sign(const std::string& request_pem, const CertificateValidity& validity,
                                          const Usages& usages) const {
  KEELSON_LET(auto request, verified_request(request_pem));
  KEELSON_LET(auto certificate, blank_certificate(state_->within(validity)));
  auto* made = certificate.get();
  ::X509_set_subject_name(made, ::X509_REQ_get_subject_name(request.get()));
  ::X509_set_pubkey(made, ::X509_REQ_get0_pubkey(request.get()));
  copy_alternative_names(request.get(), made);
  return state_->signed_pem(made, usages);
}

Result<ClientAuthority::Issued> ClientAuthority::issue(const ClientSubject& subject,
                                                       const CertificateValidity& validity) const {
  const OwnedKey key(::EVP_EC_gen("P-256"));
  if (!key) return openssl_error("cannot generate a key");
  KEELSON_LET(auto certificate, blank_certificate(state_->within(validity)));
  auto* name = ::X509_get_subject_name(certificate.get());
  for (const auto& organization : subject.organizations) add_to_name(name, "O", organization);
  add_to_name(name, "CN", subject.common_name);
  ::X509_set_pubkey(certificate.get(), key.get());
  KEELSON_LET(auto pem, state_->signed_pem(certificate.get(),
                                           {.digital_signature = true, .key_encipherment = true, .client_auth = true}));
  return Issued{std::move(pem), pem_of(key.get())};
}

}  // namespace keelson::tls
