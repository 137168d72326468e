#include "src/sandbox_program/kubeconfig.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/text.hpp"

namespace keelson::sandbox_program {

namespace {

// Returns 0 or the error number. Closes the descriptor.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      int failed = errno;
      ::close(descriptor);
      return failed;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::close(descriptor) == 0 ? 0 : errno;
}

std::string folder_for_secrets() {
  for (const char* name : {"XDG_RUNTIME_DIR", "TMPDIR"}) {
    const char* value = std::getenv(name);
    if (value != nullptr && *value == '/') return value;
  }
  return "/tmp";
}

}  // namespace

std::string kubeconfig_text(const KubeconfigParts& parts) {
  return "apiVersion: v1\n"
         "kind: Config\n"
         "current-context: keelson-sandbox\n"
         "clusters:\n"
         "- name: keelson-sandbox\n"
         "  cluster:\n"
         "    server: " +
         parts.server + "\n    certificate-authority-data: " + base::base64_encode(parts.authority_pem) +
         "\n"
         "contexts:\n"
         "- name: keelson-sandbox\n"
         "  context:\n"
         "    cluster: keelson-sandbox\n"
         "    user: kubernetes-admin\n"
         "- name: keelson-sandbox-certificate\n"
         "  context:\n"
         "    cluster: keelson-sandbox\n"
         "    user: kubernetes-admin-certificate\n"
         "users:\n"
         "- name: kubernetes-admin\n"
         "  user:\n"
         "    token: \"" +
         parts.token +
         "\"\n"
         "- name: kubernetes-admin-certificate\n"
         "  user:\n"
         "    client-certificate-data: " +
         base::base64_encode(parts.certificate_pem) + "\n    client-key-data: " + base::base64_encode(parts.key_pem) +
         "\n";
}

Result<void> write_private_file(const std::string& path, const std::string& text) {
  auto why = [&path](int failed) {
    return invalid_error("cannot write " + path + ": " + base::words_of_errno(failed));
  };
  // A symbolic link remains a link, and a device such as /dev/stdout is not replaced by a file.
  std::error_code missing;
  auto target = std::filesystem::canonical(path, missing);
  const auto file = missing ? path : target.string();
  std::error_code unknown;
  auto type = std::filesystem::status(file, unknown).type();
  if (type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::regular &&
      type != std::filesystem::file_type::directory) {
    return invalid_error("cannot write " + path + ": it is not a regular file");
  }
  auto draft = file + ".XXXXXX";
  int descriptor = ::mkstemp(draft.data());  // mode 0600, regardless of the umask
  if (descriptor < 0) return why(errno);
  int failed = write_all(descriptor, text);
  if (failed == 0 && ::rename(draft.c_str(), file.c_str()) != 0) failed = errno;
  if (failed == 0) return {};
  ::unlink(draft.c_str());
  return why(failed);
}

Result<PrivateFolder> PrivateFolder::make() {
  auto path = folder_for_secrets() + "/keelson-sandbox-XXXXXX";
  if (::mkdtemp(path.data()) != nullptr) return PrivateFolder(std::move(path));
  return invalid_error("cannot create the folder " + path + ": " + base::words_of_errno(errno) +
                       ": set TMPDIR to a folder that you may write to, or give --kubeconfig-out");
}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, "")) {}

PrivateFolder::~PrivateFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace keelson::sandbox_program
