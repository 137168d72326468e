// A file with certificates or a key, as a whole, with errors as Go words them: "open /certs/tls.crt: no such file or
// directory".
#pragma once

#include <string>

#include "keelson/base/result.hpp"

namespace keelson::net {

// Not parsed. An empty one is an error too: it is being written.
[[nodiscard]] Result<std::string> read_pem_file(const std::string& path);

}  // namespace keelson::net
