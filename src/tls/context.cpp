#include "keelson/detail/tls/context.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509err.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/tls/handshake_limit.hpp"
#include "src/tls/certificates.hpp"
#include "src/tls/x509_parts.hpp"

namespace keelson::tls {
namespace asio = boost::asio;
using boost::system::error_code;
using Context = std::shared_ptr<asio::ssl::context>;

namespace {

constexpr std::string_view kProtocol("\x08http/1.1", 9);

// Go's suites of TLS 1.2 with authenticated encryption; those of TLS 1.3 all are.
constexpr const char* kCiphers =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
// OpenSSL's defaults contain ffdhe8192, which costs a server 127 ms for each ClientHello; P-384 costs 1.5 ms.
constexpr const char* kServerGroups = "X25519:P-256:P-384";
// Go's client offers P-521 too: a server that requires it slows down only its own connections.
constexpr const char* kClientGroups = "X25519:P-256:P-384:P-521";

// OpenSSL's own default asks on the terminal for the password of an encrypted key.
int no_password(char*, int, int, void*) { return 0; }

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                    unsigned int offered_length, void*) {
  auto* ours = reinterpret_cast<const unsigned char*>(kProtocol.data());
  unsigned char* found = nullptr;
  auto result = ::SSL_select_next_proto(&found, length, ours, kProtocol.size(), offered, offered_length);
  if (result != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_NOACK;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

Context make_context(asio::ssl::context::method method, const char* groups) {
  ignore_host_configuration();
  auto context = std::make_shared<asio::ssl::context>(method);
  auto* native = context->native_handle();
  ::SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  ::SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  ::SSL_CTX_set_default_passwd_cb(native, no_password);
  KEELSON_ASSERT(::SSL_CTX_set_cipher_list(native, kCiphers) == 1);
  KEELSON_ASSERT(SSL_CTX_set1_groups_list(native, groups) == 1);
  return context;
}

// The error texts of Go's tls.X509KeyPair, which users of kubeconfigs know.
Result<void> use_key_pair(asio::ssl::context& context, const std::string& certificate, const std::string& key) {
  error_code failed;
  context.use_certificate_chain(asio::buffer(certificate), failed);
  if (failed) {
    return invalid_error("tls: failed to find any PEM data in certificate input: " + describe_tls_failure(failed));
  }
  context.use_private_key(asio::buffer(key), asio::ssl::context::pem, failed);
  if (!failed) return {};
  bool mismatch = ERR_GET_REASON(static_cast<unsigned long>(failed.value())) == X509_R_KEY_VALUES_MISMATCH;
  if (mismatch) return invalid_error("tls: private key does not match public key");
  return invalid_error("tls: failed to find any PEM data in key input: " + describe_tls_failure(failed));
}

Result<void> use_roots(asio::ssl::context& context, const TlsOptions& options, Roots roots) {
  auto* store = ::SSL_CTX_get_cert_store(context.native_handle());
  // Go trusts every certificate of the pool as it is, an intermediate or the server's own too.
  ::X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  if (!options.ca_pem || roots == Roots::kGivenAndSystem) add_system_roots(store);
  if (!options.ca_pem) return {};
  if (options.ca_pem->empty() || add_certificates(store, *options.ca_pem) > 0) return {};
  return invalid_error("unable to load root certificates: unable to parse bytes as PEM block");
}

// The handshake continues with any certificate: it proves only that the client has its key.
int accept_certificate(X509_STORE_CTX*, void*) { return 1; }

Result<void> ask_for_client_certificates(asio::ssl::context& context, const ServerTls& options) {
  auto* native = context.native_handle();
  auto* store = ::SSL_CTX_get_cert_store(native);
  ::X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  if (add_certificates(store, options.client_ca_pem) == 0) {
    return invalid_error("client CA: unable to parse bytes as PEM block");
  }
  announce_authorities(native, options.client_ca_pem);
  // OpenSSL allocates the size that a certificate message announces; HandshakeLimit cannot read an encrypted message.
  ::SSL_CTX_set_max_cert_list(native, kClientHandshakeBytes);
  const bool is_required = options.client_certificates == ClientCertificates::kRequired;
  ::SSL_CTX_set_verify(native, SSL_VERIFY_PEER | (is_required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), nullptr);
  if (!is_required) ::SSL_CTX_set_cert_verify_callback(native, accept_certificate, nullptr);
  return {};
}

bool is_address(const std::string& name) {
  error_code failed;
  asio::ip::make_address(name, failed);
  return !failed;
}

}  // namespace

void ignore_host_configuration() { ::OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr); }

Result<Context> make_client_context(const TlsOptions& options, Roots roots) {
  auto context = make_context(asio::ssl::context::tls_client, kClientGroups);
  if (!options.insecure_skip_verify) {
    KEELSON_TRY(use_roots(*context, options, roots));
  }
  bool has_certificate = !options.certificate_pem.empty();
  if (has_certificate != !options.key_pem.empty()) {
    return invalid_error("could not load client key/cert: both a certificate and a key are required, one is missing");
  }
  if (has_certificate) {
    KEELSON_TRY(use_key_pair(*context, options.certificate_pem, options.key_pem));
  }
  auto* protocol = reinterpret_cast<const unsigned char*>(kProtocol.data());
  ::SSL_CTX_set_alpn_protos(context->native_handle(), protocol, kProtocol.size());
  return context;
}

Result<Context> make_server_context(const ServerTls& options) {
  auto context = make_context(asio::ssl::context::tls_server, kServerGroups);
  KEELSON_TRY(use_key_pair(*context, options.certificate_pem, options.key_pem));
  // OpenSSL rejects resumed sessions of clients with certificates unless a session id context is set: no resumption.
  ::SSL_CTX_set_session_cache_mode(context->native_handle(), SSL_SESS_CACHE_OFF);
  ::SSL_CTX_set_options(context->native_handle(), SSL_OP_NO_TICKET);
  ::SSL_CTX_set_num_tickets(context->native_handle(), 0);
  ::SSL_CTX_set_alpn_select_cb(context->native_handle(), choose_protocol, nullptr);
  if (!options.client_ca_pem.empty()) {
    KEELSON_TRY(ask_for_client_certificates(*context, options));
  }
  return context;
}

Result<void> expect_server_name(SSL* connection, const std::string& name, bool verified) {
  auto* wanted = ::SSL_get0_param(connection);
  bool address = is_address(name);
  if (!address && ::SSL_set_tlsext_host_name(connection, name.c_str()) != 1) {
    ::ERR_clear_error();
    return invalid_error("tls: invalid server name " + name);
  }
  if (!verified) return {};
  // The common name of the subject does not count, as in Go.
  ::X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  int set = address ? ::X509_VERIFY_PARAM_set1_ip_asc(wanted, name.c_str())
                    : ::X509_VERIFY_PARAM_set1_host(wanted, name.data(), name.size());
  if (set == 1) return {};
  ::ERR_clear_error();
  return invalid_error("tls: invalid server name " + name);
}

std::string peer_chain(SSL* connection) {
  std::string chain;
  // At a server, OpenSSL's chain lacks the client's own certificate.
  const OwnedX509 leaf(::SSL_get1_peer_certificate(connection));
  if (!leaf) return chain;
  chain = pem_of(leaf.get());
  auto* others = ::SSL_get_peer_cert_chain(connection);
  for (int i = 0; others != nullptr && i < sk_X509_num(others); ++i) chain += pem_of(sk_X509_value(others, i));
  return chain;
}

std::string describe_tls_failure(error_code failed) {
  if (failed.category() != asio::error::get_ssl_category()) return base::with_lower_first(failed.message());
  auto code = static_cast<unsigned long>(failed.value());
  if (ERR_GET_REASON(code) == SSL_R_WRONG_VERSION_NUMBER) return "first record does not look like a TLS handshake";
  const char* reason = ::ERR_reason_error_string(code);
  return reason != nullptr ? reason : "TLS error " + std::to_string(code);
}

}  // namespace keelson::tls
