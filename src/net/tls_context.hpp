// TLS settings of connections to come, from PEM text, and what OpenSSL says in the words of Go's crypto packages.
#pragma once

#include <openssl/types.h>

#include <boost/system/error_code.hpp>
#include <memory>
#include <string>

#include "keelson/net/http_client.hpp"
#include "keelson/net/http_server.hpp"

namespace boost::asio::ssl {
class context;
}

namespace keelson::net {

// TLS 1.2 and later, ALPN http/1.1, nothing of the host's openssl.cnf. Fail with kInvalid on unusable PEM.
enum class Roots { kGiven, kGivenAndSystem };
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> make_client_context(const TlsOptions& options,
                                                                                     Roots roots = Roots::kGiven);
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> make_server_context(const ServerTls& options);

// What the peer's certificate must be valid for, a name or an address; names are sent as SNI too.
[[nodiscard]] Result<void> expect_server_name(SSL* connection, const std::string& name, bool verified);

// "x509: certificate signed by unknown authority (self-signed certificate)".
[[nodiscard]] std::string describe_distrust(X509_STORE_CTX* chain, const std::string& server_name);

// The text of an error of a TLS or plain connection, without the library's function names.
[[nodiscard]] std::string describe_tls_failure(boost::system::error_code failed);

}  // namespace keelson::net
