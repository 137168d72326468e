// Names whose value is a secret: of flags, of fields in logs and objects, and of HTTP headers.
//
// A name is split at `-`, `_`, `.`, `/` and where a letter of upper case begins a word: `dbPassword`, `DB_PASSWORD` and
// `db-password` are the same. Only its last word says that the value is not the secret itself: `token-file` is a path
// and `secretName` a name, but `token-profile` is a secret.
#pragma once

#include <string_view>

namespace keelson::base {

// True for names with a token, password, secret, credential, cookie, authorization or key ("signing-key"). False for
// `key` alone, which is a field of many objects, and for names of API groups ("authorization.k8s.io").
[[nodiscard]] bool names_secret(std::string_view name);

// The same for the name of a flag, with or without its dashes, for which every `key` is one: "key", "ssh-key-base64".
[[nodiscard]] bool flag_names_secret(std::string_view name);

}  // namespace keelson::base
