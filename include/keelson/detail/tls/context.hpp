// TLS settings of new connections, from PEM texts, and OpenSSL's errors with the texts of Go's crypto packages.
#pragma once

#include <boost/system/error_code.hpp>
#include <memory>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/detail/tls/options.hpp"

namespace boost::asio::ssl {
class context;
}
struct ssl_st;
struct x509_store_ctx_st;

namespace keelson::tls {

// The host's openssl.cnf is not read unless OpenSSL was used before: a static binary cannot load the providers that it
// may name. program::prepare_process() calls it, and so does each new context.
void ignore_host_configuration();

// The CAs that a client trusts: those of TlsOptions (or the system's without `ca_pem`), or those and the system's.
enum class Roots { kGiven, kGivenAndSystem };
// Make the context of connections: TLS 1.2 and later, ALPN http/1.1; the host's openssl.cnf is ignored. Fail with
// kInvalid for invalid PEM, and for a key that does not fit its certificate. The context of a client has the CAs, but
// verifies nothing by itself: set SSL_VERIFY_PEER and expect_server_name() on each connection.
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> make_client_context(const TlsOptions& options,
                                                                                     Roots roots = Roots::kGiven);
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> make_server_context(const ServerTls& options);

// Sets the name or address that the peer's certificate must be valid for, if `verified`. A name is sent as SNI in any
// case. Call it before the handshake. Fails with kInvalid for a name that OpenSSL does not accept.
[[nodiscard]] Result<void> expect_server_name(ssl_st* connection, const std::string& name, bool verified);

// Why the verification of the peer's certificate failed: "x509: certificate signed by unknown authority (self-signed
// certificate)". `server_name` is the expected name, for the text.
[[nodiscard]] std::string describe_distrust(x509_store_ctx_st* chain, const std::string& server_name);

// The certificate of a server's client with its chain, as PEM; empty: the client has sent none.
[[nodiscard]] std::string peer_chain(ssl_st* connection);

// The text of an error of a TLS or plain connection, without the library's function names.
[[nodiscard]] std::string describe_tls_failure(boost::system::error_code failed);

}  // namespace keelson::tls
