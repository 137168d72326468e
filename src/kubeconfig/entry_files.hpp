// The files that an entry of a kubeconfig names: their paths, the check that they are readable, and their contents.
#pragma once

#include <string>
#include <vector>

#include "keelson/detail/kubeconfig/config.hpp"

namespace keelson::kube {

// filepath.Join: lexically cleaned, without access to the disk.
[[nodiscard]] std::string joined(const std::string& base, const std::string& path);

// Makes a relative path absolute.
void resolve_path(std::string& path, const std::string& directory);

// Adds client-go's error if the file cannot be read. `what` is its field, `owner` the name of the entry.
void check_readable(const std::string& path, const char* what, const std::string& owner, const ReadFile& read_file,
                    std::vector<std::string>& messages);

// The contents; kInvalid as in Go if there is no such file.
[[nodiscard]] Result<std::string> required_file(const std::string& path, const ReadFile& read_file);

// Inline data wins over the file.
[[nodiscard]] Result<std::string> data_or_file(const std::string& data, const std::string& path,
                                               const ReadFile& read_file);

}  // namespace keelson::kube
