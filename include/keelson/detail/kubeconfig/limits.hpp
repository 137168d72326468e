// Limits of room `kubeconfig`, each with the reason for its number.
#pragma once

#include <chrono>
#include <cstddef>

namespace keelson::limits {

// The output of an exec plugin: a token or a certificate chain takes a few KiB. And the timeout of a plugin, with a
// terminal at which the user may have to log in, and without one.
inline constexpr std::size_t kPluginBytes = std::size_t{1} << 20;
inline constexpr std::chrono::minutes kPluginTimeAtTerminal{10};
inline constexpr std::chrono::seconds kPluginTime{60};

// Logged lines of a plugin's standard error, per run: in verbose mode a plugin writes some dozens. The last lines are
// retained in any case, for the error.
inline constexpr std::size_t kToldErrorLines = 100;

}  // namespace keelson::limits
