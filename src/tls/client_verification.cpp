// Whether the certificate of a client is valid: verify_client_certificate().
#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/tls/client_authority.hpp"
#include "keelson/detail/tls/context.hpp"
#include "keelson/detail/tls/sha256.hpp"
#include "src/tls/certificate_request.hpp"
#include "src/tls/certificates.hpp"

namespace keelson::tls {

namespace {

void free_certificates(STACK_OF(X509) * all) { sk_X509_pop_free(all, ::X509_free); }

using RootStore = Owned<X509_STORE, ::X509_STORE_free>;
using Verification = Owned<X509_STORE_CTX, ::X509_STORE_CTX_free>;
using Certificates = Owned<STACK_OF(X509), free_certificates>;

std::string digest_of(X509* certificate) {
  unsigned char* der = nullptr;
  const int size = ::i2d_X509(certificate, &der);
  if (size < 0) return "";
  auto digest = base::to_hex(sha256({reinterpret_cast<char*>(der), static_cast<std::size_t>(size)}));
  ::OPENSSL_free(der);
  return digest;
}

// OpenSSL's own purpose would also demand key usages that Go ignores.
bool is_for_clients(X509_STORE_CTX* verification) {
  auto* chain = ::X509_STORE_CTX_get0_chain(verification);
  for (int i = 0; i < sk_X509_num(chain); ++i) {
    // All bits are set without the extension.
    const auto usages = ::X509_get_extended_key_usage(sk_X509_value(chain, i));
    if ((usages & (XKU_SSL_CLIENT | XKU_ANYEKU)) == 0) return false;
  }
  return true;
}

}  // namespace

Result<ClientIdentity> verify_client_certificate(const std::string& chain_pem, const std::string& authorities_pem,
                                                 async::WallTime now) {
  const auto leaf = certificate_in(chain_pem);
  if (!leaf) return openssl_error("the client's certificate cannot be read");
  const RootStore authorities(::X509_STORE_new());
  add_certificates(authorities.get(), authorities_pem);
  const Certificates others(sk_X509_new_null());
  for_each_certificate(chain_pem, [&others](X509* certificate) {
    ::X509_up_ref(certificate);
    sk_X509_push(others.get(), certificate);
  });
  const Verification verification(::X509_STORE_CTX_new());
  if (::X509_STORE_CTX_init(verification.get(), authorities.get(), leaf.get(), others.get()) != 1) {
    return openssl_error("cannot verify a certificate");
  }
  auto* parameters = ::X509_STORE_CTX_get0_param(verification.get());
  ::X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN);  // as Go: any certificate of the pool is a root
  ::X509_VERIFY_PARAM_set_time(parameters, seconds_of(now));
  const bool is_valid = ::X509_verify_cert(verification.get()) == 1;
  auto why = is_valid ? std::string() : describe_distrust(verification.get(), "");
  ::ERR_clear_error();
  if (!is_valid) return invalid_error(std::move(why));
  if (!is_for_clients(verification.get())) {
    return invalid_error("x509: certificate specifies an incompatible key usage");
  }
  return ClientIdentity{subject_of(::X509_get_subject_name(leaf.get())), digest_of(leaf.get())};
}

}  // namespace keelson::tls
