// Limits of data that rooms of every layer handle, each with the reason for its number.
#pragma once

#include <cstddef>

namespace keelson::limits {

// A read from a socket: a TLS record is at most 16 KiB, so a larger buffer gains nothing.
inline constexpr std::size_t kReadBytes = std::size_t{16} << 10;

// Kubeconfig and other small local files.
inline constexpr std::size_t kLocalFileBytes = std::size_t{8} << 20;

// A log line: container runtimes cut lines at 16 KiB, and half a JSON object cannot be parsed.
inline constexpr std::size_t kLogLineBytes = std::size_t{16} << 10;

// A value of a log line, so that a long text leaves room for the other values.
inline constexpr std::size_t kLogValueBytes = std::size_t{4} << 10;

// Messages whose rate is counted for sampling. Messages are constants, so there are fewer.
inline constexpr std::size_t kSampledMessages = 1024;

}  // namespace keelson::limits
