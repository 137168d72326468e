#include "src/tls/certificates.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <boost/asio/ip/address.hpp>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "keelson/detail/base/local_file.hpp"
#include "keelson/detail/tls/context.hpp"
#include "src/tls/openssl_owned.hpp"

namespace keelson::tls {

namespace {

constexpr std::array kBundles = {"/etc/ssl/certs/ca-certificates.crt",
                                 "/etc/pki/tls/certs/ca-bundle.crt",
                                 "/etc/ssl/ca-bundle.pem",
                                 "/etc/pki/tls/cacert.pem",
                                 "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
                                 "/etc/ssl/cert.pem"};
constexpr std::array kDirectories = {"/etc/ssl/certs", "/etc/pki/tls/certs"};

using OwnedBio = Owned<BIO, ::BIO_free_all>;
using OwnedCertificate = Owned<X509, ::X509_free>;

std::size_t add_file(X509_STORE* store, const std::filesystem::path& path) {
  const auto pem = base::read_local_file(path.string());
  return pem && *pem ? add_certificates(store, **pem) : 0;
}

void add_directory(X509_STORE* store, const std::filesystem::path& path) {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(path, failed)) add_file(store, entry.path());
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string asn1_text(const ASN1_STRING* string) {
  auto* data = reinterpret_cast<const char*>(::ASN1_STRING_get0_data(string));
  return {data, static_cast<std::size_t>(::ASN1_STRING_length(string))};
}

std::string text_of_address(const ASN1_STRING* bytes) {
  auto* data = ::ASN1_STRING_get0_data(bytes);
  if (::ASN1_STRING_length(bytes) == 4) {
    boost::asio::ip::address_v4::bytes_type four;
    std::copy_n(data, 4, four.begin());
    return boost::asio::ip::address_v4(four).to_string();
  }
  if (::ASN1_STRING_length(bytes) != 16) return "?";
  boost::asio::ip::address_v6::bytes_type sixteen;
  std::copy_n(data, 16, sixteen.begin());
  return boost::asio::ip::address_v6(sixteen).to_string();
}

// The names and addresses that a certificate is valid for: "localhost, 127.0.0.1".
std::string subject_names(const X509* certificate) {
  auto* found = ::X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr);
  Owned<GENERAL_NAMES, ::GENERAL_NAMES_free> names(static_cast<GENERAL_NAMES*>(found));
  std::string text;
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const auto* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type != GEN_DNS && name->type != GEN_IPADD) continue;
    if (!text.empty()) text += ", ";
    text += name->type == GEN_DNS ? asn1_text(name->d.dNSName) : text_of_address(name->d.iPAddress);
  }
  return text;
}

}  // namespace

void for_each_certificate(std::string_view pem, const std::function<void(X509*)>& use) {
  OwnedBio text(::BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  char* name = nullptr;
  char* header = nullptr;
  unsigned char* data = nullptr;
  long length = 0;
  while (::PEM_read_bio(text.get(), &name, &header, &data, &length) == 1) {
    const unsigned char* at = data;
    if (std::string_view(name) == PEM_STRING_X509) {
      OwnedCertificate certificate(::d2i_X509(nullptr, &at, length));
      if (certificate) use(certificate.get());
    }
    ::OPENSSL_free(name);
    ::OPENSSL_free(header);
    ::OPENSSL_free(data);
  }
  ::ERR_clear_error();
}

std::size_t add_certificates(X509_STORE* store, std::string_view pem) {
  std::size_t added = 0;
  for_each_certificate(pem, [&](X509* certificate) {
    if (::X509_STORE_add_cert(store, certificate) == 1) ++added;
  });
  return added;
}

void add_system_roots(X509_STORE* store) {
  std::size_t added = 0;
  auto file = environment("SSL_CERT_FILE");
  if (!file.empty()) {
    added = add_file(store, file);
  } else {
    for (const auto* bundle : kBundles) {
      added = add_file(store, bundle);
      if (added > 0) break;
    }
  }
  auto directories = environment("SSL_CERT_DIR");
  if (directories.empty()) {
    // The default directories contain the same certificates as separate files: read only if there is no bundle.
    for (const auto* directory : kDirectories) {
      if (added == 0) add_directory(store, directory);
    }
  }
  for (std::size_t at = 0; at < directories.size();) {
    auto end = std::min(directories.find(':', at), directories.size());
    if (end > at) add_directory(store, directories.substr(at, end - at));
    at = end + 1;
  }
}

void announce_authorities(SSL_CTX* context, std::string_view pem) {
  for_each_certificate(pem, [&](X509* certificate) { ::SSL_CTX_add_client_CA(context, certificate); });
}

std::string describe_distrust(X509_STORE_CTX* chain, const std::string& server_name) {
  auto error = ::X509_STORE_CTX_get_error(chain);
  std::string reason = ::X509_verify_cert_error_string(error);
  switch (error) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: {
      auto names = subject_names(::X509_STORE_CTX_get0_cert(chain));
      if (names.empty()) names = "no name or address";
      return "x509: certificate is valid for " + names + ", not " + server_name;
    }
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "x509: certificate has expired or is not yet valid: " + reason;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return "x509: certificate signed by unknown authority (" + reason + ")";
    default:
      return "x509: " + reason;
  }
}

}  // namespace keelson::tls
