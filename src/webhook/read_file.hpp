// A small local file as a whole, with errors as Go words them: "open /certs/tls.crt: no such file or directory".
#pragma once

#include <string>

#include "keelson/base/result.hpp"

namespace keelson::webhook {

// An empty one is an error too: it is being written.
[[nodiscard]] Result<std::string> read_file(const std::string& path);

}  // namespace keelson::webhook
