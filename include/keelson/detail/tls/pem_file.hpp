// Reads a file with certificates or a key, with Go's error texts: "open /certs/tls.crt: no such file or directory".
#pragma once

#include <string>

#include "keelson/base/result.hpp"

namespace keelson::tls {

// The contents of the file, not parsed. All errors are kInvalid. An empty file is an error, because another process is
// still writing it; so is a file above limits::kLocalFileBytes. Reads synchronously: for small local files only.
[[nodiscard]] Result<std::string> read_pem_file(const std::string& path);

}  // namespace keelson::tls
