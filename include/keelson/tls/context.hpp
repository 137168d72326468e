// TLS settings of new connections, from PEM texts, and OpenSSL's errors with the texts of Go's crypto packages.
#pragma once

#include <boost/system/error_code.hpp>
#include <memory>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/tls/options.hpp"

namespace boost::asio::ssl {
class context;
}
struct ssl_st;
struct x509_store_ctx_st;

namespace keelson::tls {

// TLS 1.2 and later, ALPN http/1.1; the host's openssl.cnf is ignored. Invalid PEM is kInvalid.
enum class Roots { kGiven, kGivenAndSystem };
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> make_client_context(const TlsOptions& options,
                                                                                     Roots roots = Roots::kGiven);
[[nodiscard]] Result<std::shared_ptr<boost::asio::ssl::context>> make_server_context(const ServerTls& options);

// Sets the name or address that the peer's certificate must be valid for. Names are also sent as SNI.
[[nodiscard]] Result<void> expect_server_name(ssl_st* connection, const std::string& name, bool verified);

// "x509: certificate signed by unknown authority (self-signed certificate)".
[[nodiscard]] std::string describe_distrust(x509_store_ctx_st* chain, const std::string& server_name);

// The text of an error of a TLS or plain connection, without the library's function names.
[[nodiscard]] std::string describe_tls_failure(boost::system::error_code failed);

}  // namespace keelson::tls
