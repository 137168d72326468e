// What went wrong in the world outside this process: the one error type of every Result.
//
// Our words and the server's are kept apart: `text` is ours and safe to match on, `server_text` may
// contain what a user typed. A value type: copy it freely, it refers to nothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace keelson {

struct Error {
  enum class Kind {
    kInvalid,    // input that can never work: a bad flag, a bad kubeconfig, an undeclared path
    kTransport,  // no answer: connect, TLS, reset, a stream that broke off
    kTimeout,    // no answer in time
    kMalformed,  // an answer that cannot be understood
    kStatus,     // an answer that says no: `code`, `reason` and `status_body` are the API server's
    kTerminal,   // a reconciler's "do not try again" (controller-runtime's TerminalError)
    kFenced,     // a write that was not sent because this process no longer leads
  };

  Error(Kind k, std::string message) : kind(k), text(std::move(message)) {}

  Kind kind;
  std::string text;
  std::string server_text;
  // For kStatus: the HTTP status, metav1.Status.reason, and the whole Status object as it came.
  int code = 0;
  std::string reason;
  std::string status_body;
  // How long the server asks us to stay away (Retry-After), on any verb.
  std::optional<std::chrono::seconds> retry_after;

  // "get pods default/a: Forbidden: pods is forbidden: …": one line for a log.
  [[nodiscard]] std::string message() const;

  // Adds context once, where it is known: `return std::move(error).within("watch pods");`
  [[nodiscard]] Error within(std::string_view context) &&;
};

[[nodiscard]] Error invalid(std::string text);
[[nodiscard]] Error transport(std::string text);
[[nodiscard]] Error timeout(std::string text);
[[nodiscard]] Error malformed(std::string text);
[[nodiscard]] Error terminal(Error cause);

}  // namespace keelson
