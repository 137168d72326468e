// X.509 certificates: reading PEM, finding the system's roots, and saying why one is not trusted.
#pragma once

#include <openssl/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace keelson::net {

// Adds every certificate of the text to the store and says how many there were; what is no certificate is skipped,
// as Go's AppendCertsFromPEM does.
std::size_t add_certificates(X509_STORE* store, std::string_view pem);

// SSL_CERT_FILE and SSL_CERT_DIR, else the first bundle and the directories that Go's crypto/x509 looks for on Linux.
void add_system_roots(X509_STORE* store);

// Names the authorities that client certificates may come from in the server's request for one.
void announce_authorities(SSL_CTX* context, std::string_view pem);

}  // namespace keelson::net
