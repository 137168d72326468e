// Reads a local file that a user, a kubeconfig or a flag names, without ever waiting for long.
//
// A FIFO blocks a plain open() until another process writes to it, and the loop with it. Here, a named FIFO or a socket
// is an error. A pipe that the caller of the program has opened, as in `--kubeconfig <(command)` or /dev/stdin, is
// read, but a writer that sends nothing for kPipeWait is an error.
//
// It reads synchronously: for small files only.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/detail/base/limits.hpp"

namespace keelson::base {

// A command such as `aws eks` or `vault` that prints a kubeconfig takes a few seconds.
inline constexpr std::chrono::seconds kPipeWait{10};

// The contents; nullopt if the file does not exist. All errors are kInvalid, with Go's texts: "open /certs/tls.crt:
// permission denied". A file with more than `limit` bytes is an error; its size may be unknown before.
[[nodiscard]] Result<std::optional<std::string>> read_local_file(const std::string& path,
                                                                 std::size_t limit = limits::kLocalFileBytes,
                                                                 std::chrono::milliseconds pipe_wait = kPipeWait);

}  // namespace keelson::base
