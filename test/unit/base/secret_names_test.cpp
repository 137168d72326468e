#include "keelson/detail/base/secret_names.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::base {
namespace {

TEST_CASE("the name of a secret is recognized in every spelling") {
  for (const auto* name : {"token",
                           "api-token",
                           "apiToken",
                           "password",
                           "DB_PASSWORD",
                           "db-passwd",
                           "pass",
                           "smtp-pass",
                           "SMTP_PASS",
                           "requirepass",
                           "tls-passphrase",
                           "pwd",
                           "secret",
                           "clientSecret",
                           "client_secret",
                           "credentials",
                           "creds",
                           "db-cred",
                           "auth",
                           "basic-auth",
                           "Authorization",
                           "Proxy-Authorization",
                           "Cookie",
                           "set-cookie",
                           "client-key-data",
                           "accountkey",
                           "AccountKey",
                           "encryptionkey",
                           "signingKey",
                           "signing-key",
                           "X-Api-Key",
                           "APIKey",
                           "secretAccessKey",
                           "private_key",
                           "dsn",
                           "POSTGRES_DSN",
                           "token-profile",
                           "aws-profile-token",
                           "path-secret",
                           "--password",
                           "sig",
                           "X-Amz-Signature",
                           "DBPassword",
                           "spring.datasource.password"}) {
    INFO(name);
    CHECK(names_secret(name));
    CHECK(flag_names_secret(name));
  }
}

TEST_CASE("other names, and those of paths and names, have no secret value") {
  for (const auto* name :
       {"", "-", "token-file", "tokenFile", "Token_File", "key-path", "secret-dir", "secretName", "credentials-folder",
        "auth.path", "secret_namespace", "authorization.k8s.io", "subjectaccessreviews.authorization.k8s.io", "size",
        "redis-image", "author", "passive", "podsNotReady", "x-signatures"}) {
    INFO(name);
    CHECK_FALSE(names_secret(name));
    CHECK_FALSE(flag_names_secret(name));
  }
}

TEST_CASE("a key alone is a field of many objects, but a secret flag") {
  for (const auto* name : {"key", "topologyKey", "public-key", "tls.key", "keyspace", "ssh-key-base64"}) {
    INFO(name);
    CHECK_FALSE(names_secret(name));
    CHECK(flag_names_secret(name));
  }
}

}  // namespace
}  // namespace keelson::base
