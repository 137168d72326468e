// What the files that create, sign and read certificates share: PEM texts, times, extensions and errors of OpenSSL.
#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <ctime>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/detail/tls/certificate_expiry.hpp"
#include "src/tls/openssl_owned.hpp"

namespace keelson::tls {

using OwnedKey = Owned<EVP_PKEY, ::EVP_PKEY_free>;
using OwnedX509 = Owned<X509, ::X509_free>;
using OwnedMemory = Owned<BIO, ::BIO_free_all>;

// The reason of OpenSSL's last error after `what`. Empties the error queue, which is per thread: a remaining error
// would be attributed to the next connection.
[[nodiscard]] Error openssl_error(const std::string& what);

[[nodiscard]] std::time_t seconds_of(async::WallTime time);
[[nodiscard]] async::WallTime time_of(const ASN1_TIME* time);

[[nodiscard]] std::string pem_of(X509* certificate);
[[nodiscard]] std::string pem_of(EVP_PKEY* key);  // PKCS 8, not encrypted
// A view of the text, which must outlive it.
[[nodiscard]] OwnedMemory reader_of(const std::string& pem);
// Null if the text has none. A key with a passphrase is not read.
[[nodiscard]] OwnedX509 certificate_in(const std::string& pem);
[[nodiscard]] OwnedKey private_key_in(const std::string& pem);

// Adds an extension in the syntax of OpenSSL's configuration. The value is a constant or has been checked: OpenSSL's
// rejection is a bug of Keelson.
void add_extension(X509* certificate, X509* issuer, int kind, const std::string& value);

// A certificate with a random serial number and no subject, key or signature. Fails only without randomness.
[[nodiscard]] Result<OwnedX509> blank_certificate(const CertificateValidity& validity);

}  // namespace keelson::tls
