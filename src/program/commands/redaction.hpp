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
// - private keys in PEM, and every PEM in base64;
// - user information in URLs, and their parameters that are signatures;
// - the value after the name of a secret (base/secret_names.hpp): after `=`, `:` or a blank of a flag, quoted or not,
//   also in JSON within JSON and in a block of YAML. That of a header Authorization or Cookie ends with its line, or
//   with the quotes or brackets in which it is.
// The library's own flags, such as --webhook-secret, have no secret value.
[[nodiscard]] std::string redacted(std::string_view text);

// The words of a command line, each redacted; the word after a flag that is named after a secret is its value.
[[nodiscard]] std::vector<std::string> redacted_arguments(std::vector<std::string> arguments);

// A Kubernetes object as JSON, without managedFields and the values of annotations, environment variables and the
// HTTP headers of probes; its arguments and all other texts are redacted.
[[nodiscard]] std::string redacted_object(json::View object);

}  // namespace keelson::program
