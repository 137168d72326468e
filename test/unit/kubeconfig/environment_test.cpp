#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <optional>
#include <string>

#include "keelson/detail/kubeconfig/config.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::kube {
namespace {

struct User {
  uid_t id = 0;
  std::string home;
};

// The user in the last line of /etc/passwd.
std::optional<User> last_user() {
  std::optional<User> last;
  ::setpwent();
  while (const passwd* entry = ::getpwent()) last = User{entry->pw_uid, entry->pw_dir};
  ::endpwent();
  return last;
}

TEST_CASE("without HOME the home directory is that of the process's user in /etc/passwd") {
  const auto user = last_user();
  REQUIRE(user);
  if (::getuid() != 0 && ::getuid() != user->id) SKIP("only root can become another user");

  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(5);
    ::unsetenv("HOME");
    if (::getuid() == 0 && ::setuid(user->id) != 0) ::_exit(2);
    ::_exit(process_environment().home == user->home ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);

  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("HOME has precedence over /etc/passwd") {
  const pid_t child = ::fork();
  if (child == 0) {
    ::setenv("HOME", "/elsewhere", 1);
    ::_exit(process_environment().home == "/elsewhere" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);

  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("a FIFO as a kubeconfig, token or certificate is an error, and does not block the program") {
  const testing::TemporaryFolder folder;
  const auto path = folder.file("token");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(5);
    ::_exit(process_environment().read_file(path) ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);

  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace keelson::kube
