// The addresses of this machine with a listener.
#pragma once

#include <string>
#include <vector>

namespace keelson::testing {

// The addresses on which this TCP port has a listener: "127.0.0.1", "0.0.0.0", "::".
[[nodiscard]] std::vector<std::string> listening_on(int port);

}  // namespace keelson::testing
