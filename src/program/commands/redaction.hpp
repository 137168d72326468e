// Removes secrets from texts that are given to others: logs, pages and objects in a support bundle.
//
// Redaction is a table of forms in which secrets are written. A secret without any of these forms, such as a bare word
// in a message, cannot be recognized.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::program {

inline constexpr std::string_view kRedactedText = "REDACTED";

// `text` in which these are replaced by REDACTED:
// - what follows `Bearer` or `Basic`, JSON web tokens, and tokens with the prefix of a well-known service;
// - private keys in PEM;
// - user information in URLs, and their parameters that are signatures;
// - the value after a name that contains token, passw, pwd, secret, credential, apikey, accesskey, privatekey,
//   authorization, cookie or dsn, in any case and with any of `-`, `_` and `.` in it: after `=`, `:` or a blank of a
//   flag, quoted or not, also in JSON within JSON. A name that ends with file, path, dir, folder, name or namespace has
//   no secret value.
[[nodiscard]] std::string redacted(std::string_view text);

// The words of a command line, each redacted; the word after a flag that is named after a secret is its value.
[[nodiscard]] std::vector<std::string> redacted_arguments(std::vector<std::string> arguments);

// A Kubernetes object as JSON, without managedFields and the values of annotations and environment variables; its
// arguments and all other texts are redacted.
[[nodiscard]] std::string redacted_object(json::View object);

}  // namespace keelson::program
