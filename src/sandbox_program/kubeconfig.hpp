// The kubeconfig of the sandbox, and its file, which only its owner can read.
#pragma once

#include <string>
#include <utility>

#include "keelson/base/result.hpp"

namespace keelson::sandbox_program {

struct KubeconfigParts {
  std::string server;  // https://127.0.0.1:6443
  std::string authority_pem;
  std::string token;
  // A client certificate of the same user.
  std::string certificate_pem;
  std::string key_pem;
};

// Cluster, context and file are called keelson-sandbox, the user kubernetes-admin, who has the token. The context
// keelson-sandbox-certificate has the certificate, which is not in the first one because a certificate precedes a token
// that the user of kubectl gives on its command line.
[[nodiscard]] std::string kubeconfig_text(const KubeconfigParts& parts);

// Replaces the file atomically: readers get the old or the new text. Its mode is 0600 from the first byte on.
[[nodiscard]] Result<void> write_private_file(const std::string& path, const std::string& text);

// A folder that only this user can read. The destructor removes it and its content.
class PrivateFolder {
 public:
  // In XDG_RUNTIME_DIR, which is in memory, else in TMPDIR, else in /tmp: the first that is set to an absolute path.
  [[nodiscard]] static Result<PrivateFolder> make();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  PrivateFolder(PrivateFolder&& other) noexcept;
  PrivateFolder& operator=(PrivateFolder&& other) = delete;
  ~PrivateFolder();

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;  // empty: moved from
};

}  // namespace keelson::sandbox_program
