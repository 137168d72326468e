// Requests for certificates (PKCS 10) as OpenSSL's objects.
#pragma once

#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <string>

#include "keelson/base/result.hpp"
#include "keelson/detail/tls/client_authority.hpp"
#include "src/tls/x509_parts.hpp"

namespace keelson::tls {

inline void free_extensions(STACK_OF(X509_EXTENSION) * all) { sk_X509_EXTENSION_pop_free(all, ::X509_EXTENSION_free); }

using OwnedRequest = Owned<X509_REQ, ::X509_REQ_free>;

// The request in the first block of the text, whose signature is correct. Errors as read_certificate_request().
[[nodiscard]] Result<OwnedRequest> verified_request(const std::string& pem);

[[nodiscard]] ClientSubject subject_of(const X509_NAME* name);

}  // namespace keelson::tls
