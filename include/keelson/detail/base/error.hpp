// Error: a failure of the environment, and the only error type of Result.
//
// It stores our text and the server's text separately: `text` is written by this program and safe to match on,
// `server_text` may contain user input. It is a value that refers to nothing: copy it freely.
//
// Create one with the function of its kind. A text says what failed, on what, why, and what to do.
//
// Example (test/examples/base.cpp#error):
//   Result<int> port_of_flag(std::string_view name, std::string_view value) {
//     if (value == "0") return invalid_error("--port: 0 is not a port; use 1 to 65535");
//     auto port = parse_port(value);
//     if (!port) return std::move(port).error().with_context("--" + std::string(name));
//     return *port;
//   }
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace keelson {

struct Error {
  // Callers branch on the kind, never on the text.
  enum class Kind {
    kInvalid,    // input that can never work: an invalid flag or kubeconfig, an undeclared path
    kTransport,  // no response: connect, TLS or reset failed, or a stream ended early
    kTimeout,    // no response in time
    kMalformed,  // a response, or another text, that cannot be parsed
    kStatus,     // an error response of the API server: `code`, `reason` and `status_body` are its own
    kTerminal,   // a reconciler's error that a retry cannot fix (controller-runtime's TerminalError)
    kFenced,     // a write that was not sent because this process is no longer the leader
    // Of a Pass (controller/pass.hpp):
    kNotOwned,       // the object that has a child's name is not owned, so it was not changed
    kChildDeleting,  // the object that has a child's name is being deleted; the pass is repeated soon
    kSuperseded,     // the object has changed since the pass began; the next pass follows immediately
  };

  Error(Kind k, std::string message) : kind(k), text(std::move(message)) {}

  Kind kind;
  // Our text, with its context: "get pods default/a: Forbidden".
  std::string text;
  // The server's text, or that of a library; empty if there is none. It may contain user input.
  std::string server_text;
  // Of kStatus only: the HTTP status (kMalformed: 413 if too large), metav1.Status.reason, the Status as received.
  int code = 0;
  std::string reason;
  std::string status_body;
  // The delay before a retry that the server requests (Retry-After), on any verb.
  std::optional<std::chrono::seconds> retry_after;

  // `text` and `server_text` in one line, for a log: "get pods default/a: Forbidden: pods is forbidden: …".
  [[nodiscard]] std::string message() const;

  // Prepends context to `text`. Add it once, where it is known.
  [[nodiscard]] Error with_context(std::string_view context) &&;
};

// An error of the kind with that name.
[[nodiscard]] Error invalid_error(std::string text);
[[nodiscard]] Error transport_error(std::string text);
[[nodiscard]] Error timeout_error(std::string text);
[[nodiscard]] Error malformed_error(std::string text);
// `cause` as a kTerminal error: its text gets the prefix "terminal error: ", and its other members stay.
[[nodiscard]] Error terminal_error(Error cause);

}  // namespace keelson
