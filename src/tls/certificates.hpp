// X.509 certificates: parsing PEM, and finding the CAs of the system.
#pragma once

#include <openssl/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace keelson::tls {

// Calls `use` with every certificate of the text.
void for_each_certificate(std::string_view pem, const std::function<void(X509*)>& use);

// Adds every certificate of the text to the store and returns their number. Other blocks are skipped, as in Go's
// AppendCertsFromPEM.
std::size_t add_certificates(X509_STORE* store, std::string_view pem);

// SSL_CERT_FILE and SSL_CERT_DIR, else the first bundle and the directories that Go's crypto/x509 looks for on Linux.
void add_system_roots(X509_STORE* store);

// Lists the accepted CAs in the server's request for a client certificate.
void announce_authorities(SSL_CTX* context, std::string_view pem);

}  // namespace keelson::tls
