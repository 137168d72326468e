#include "src/tls/certificate_request.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>

#include "keelson/base/try.hpp"

namespace keelson::tls {

namespace {

using AllExtensions = Owned<STACK_OF(X509_EXTENSION), free_extensions>;
using AlternativeNames = Owned<GENERAL_NAMES, ::GENERAL_NAMES_free>;

// Every value of this kind in the name, as UTF-8.
std::vector<std::string> values_in(const X509_NAME* name, int kind) {
  std::vector<std::string> values;
  for (int at = ::X509_NAME_get_index_by_NID(name, kind, -1); at >= 0;
       at = ::X509_NAME_get_index_by_NID(name, kind, at)) {
    unsigned char* text = nullptr;
    const int length = ::ASN1_STRING_to_UTF8(&text, ::X509_NAME_ENTRY_get_data(::X509_NAME_get_entry(name, at)));
    if (length < 0) continue;
    values.emplace_back(reinterpret_cast<char*>(text), static_cast<std::size_t>(length));
    ::OPENSSL_free(text);
  }
  ::ERR_clear_error();
  return values;
}

void count_names(X509_REQ* request, CertificateRequestFacts& facts) {
  const AllExtensions all(::X509_REQ_get_extensions(request));
  auto* found = all ? ::X509V3_get_d2i(all.get(), NID_subject_alt_name, nullptr, nullptr) : nullptr;
  const AlternativeNames names(static_cast<GENERAL_NAMES*>(found));
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const int type = sk_GENERAL_NAME_value(names.get(), i)->type;
    if (type == GEN_DNS) ++facts.dns_names;
    if (type == GEN_IPADD) ++facts.addresses;
    if (type == GEN_EMAIL) ++facts.emails;
    if (type == GEN_URI) ++facts.uris;
  }
  ::ERR_clear_error();
}

}  // namespace

Result<OwnedRequest> verified_request(const std::string& pem) {
  // OpenSSL would also accept the older label "NEW CERTIFICATE REQUEST", and skip other blocks.
  const auto first = pem.find("-----BEGIN ");
  const bool is_request =
      first != std::string::npos && pem.compare(first, 35, "-----BEGIN CERTIFICATE REQUEST-----") == 0;
  OwnedRequest request(is_request ? ::PEM_read_bio_X509_REQ(reader_of(pem).get(), nullptr, nullptr, nullptr) : nullptr);
  ::ERR_clear_error();
  if (!is_request) return invalid_error("PEM block type must be CERTIFICATE REQUEST");
  if (!request) return invalid_error("asn1: structure error: malformed certificate request");
  auto* key = ::X509_REQ_get0_pubkey(request.get());
  const bool is_signed = key != nullptr && ::X509_REQ_verify(request.get(), key) == 1;
  ::ERR_clear_error();
  if (!is_signed) return invalid_error("x509: signature verification failed");
  return request;
}

ClientSubject subject_of(const X509_NAME* name) {
  ClientSubject subject;
  // Go's pkix.Name has the last one.
  if (auto names = values_in(name, NID_commonName); !names.empty()) subject.common_name = std::move(names.back());
  subject.organizations = values_in(name, NID_organizationName);
  return subject;
}

Result<CertificateRequestFacts> read_certificate_request(const std::string& pem) {
  KEELSON_LET(auto request, verified_request(pem));
  CertificateRequestFacts facts;
  facts.subject = subject_of(::X509_REQ_get_subject_name(request.get()));
  count_names(request.get(), facts);
  return facts;
}

}  // namespace keelson::tls
