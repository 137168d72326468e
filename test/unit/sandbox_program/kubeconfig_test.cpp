#include "src/sandbox_program/kubeconfig.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "keelson/detail/kubeconfig/config.hpp"
#include "test/support/files.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::sandbox_program {
namespace {

using testing::mode_of;

// Sets an environment variable until the destructor runs; null: unset.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* had = std::getenv(name)) before_ = had;
    set(value);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }

 private:
  void set(const char* value) const {
    if (value == nullptr) {
      ::unsetenv(name_);
    } else {
      ::setenv(name_, value, 1);
    }
  }
  const char* name_;
  std::optional<std::string> before_;
};

TEST_CASE("the kubeconfig has the connection as kubectl reads it") {
  testing::TemporaryFolder folder;
  const auto path = folder.file("kubeconfig");
  const std::string pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

  REQUIRE(write_private_file(path, kubeconfig_text({"https://[::1]:6443", pem, "a=b/c+d", "certificate", "key"})));
  auto config = kube::load_connection(path, kube::process_environment());

  INFO((config ? "" : config.error().text));
  REQUIRE(config);
  CHECK(config->server == "https://[::1]:6443");
  CHECK(config->token == "a=b/c+d");
  CHECK(config->tls.ca_pem == pem);
  CHECK(config->tls.certificate_pem.empty());
  CHECK(folder.read("kubeconfig").find("current-context: keelson-sandbox\n") != std::string::npos);
}

TEST_CASE("another context of the kubeconfig has the client certificate, and no token") {
  testing::TemporaryFolder folder;
  const auto path = folder.file("kubeconfig");
  auto text = kubeconfig_text({"https://127.0.0.1:6443", "", "secret", "certificate", "key"});
  const std::string current = "current-context: keelson-sandbox\n";
  text.replace(text.find(current), current.size(), "current-context: keelson-sandbox-certificate\n");

  REQUIRE(write_private_file(path, text));
  auto config = kube::load_connection(path, kube::process_environment());

  INFO((config ? "" : config.error().text));
  REQUIRE(config);
  CHECK(config->token.empty());
  CHECK(config->tls.certificate_pem == "certificate");
  CHECK(config->tls.key_pem == "key");
}

TEST_CASE("a private file is readable only by its owner, replaces an existing file, and leaves no draft") {
  testing::TemporaryFolder folder;
  const auto path = folder.write("kubeconfig", "old");
  std::filesystem::permissions(path, std::filesystem::perms::all);

  REQUIRE(write_private_file(path, "new"));

  CHECK(folder.read("kubeconfig") == "new");
  CHECK(mode_of(path) == 0600);
  auto files = std::filesystem::directory_iterator(folder.path());
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("the error about a private file that cannot be written names it") {
  testing::TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "taken");

  auto missing = write_private_file(folder.file("none/kubeconfig"), "x");
  auto taken = write_private_file(folder.file("taken"), "x");

  REQUIRE_FALSE(missing);
  CHECK(missing.error().text == "cannot write " + folder.file("none/kubeconfig") + ": no such file or directory");
  REQUIRE_FALSE(taken);
  CHECK(taken.error().text == "cannot write " + folder.file("taken") + ": is a directory");
  auto files = std::filesystem::directory_iterator(folder.path());
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("a link to a file remains a link, and a device is not replaced") {
  testing::TemporaryFolder folder;
  REQUIRE(write_private_file(folder.file("real"), "old"));
  std::filesystem::create_symlink(folder.file("real"), folder.path() / "link");
  std::filesystem::create_symlink("/dev/null", folder.path() / "null");

  CHECK(write_private_file(folder.file("link"), "new"));
  auto rejected = write_private_file(folder.file("null"), "x");

  CHECK(std::filesystem::is_symlink(folder.path() / "link"));
  CHECK(std::filesystem::file_size(folder.file("real")) == 3);
  CHECK(mode_of(folder.file("real")) == 0600);
  REQUIRE_FALSE(rejected);
  CHECK(rejected.error().text == "cannot write " + folder.file("null") + ": it is not a regular file");
  CHECK(std::filesystem::is_symlink(folder.path() / "null"));
}

TEST_CASE("a private folder is in the runtime folder, else in the temporary one, and is removed with its content") {
  testing::TemporaryFolder runtime;
  testing::TemporaryFolder temporary;
  const Variable tmpdir("TMPDIR", temporary.path().c_str());
  std::string path;
  {
    const Variable xdg("XDG_RUNTIME_DIR", runtime.path().c_str());
    auto folder = PrivateFolder::make();
    REQUIRE(folder);
    path = folder->path();
    CHECK(path.starts_with(runtime.path().string() + "/keelson-sandbox-"));
    CHECK(mode_of(path) == 0700);
    REQUIRE(write_private_file(path + "/kubeconfig", "x"));
  }
  const Variable no_xdg("XDG_RUNTIME_DIR", nullptr);
  auto folder = PrivateFolder::make();

  CHECK_FALSE(std::filesystem::exists(path));
  REQUIRE(folder);
  CHECK(folder->path().starts_with(temporary.path().string() + "/keelson-sandbox-"));
}

}  // namespace
}  // namespace keelson::sandbox_program
