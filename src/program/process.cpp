#include "keelson/detail/program/process.hpp"

#include <nss.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>

#include "keelson/detail/tls/context.hpp"

namespace keelson::program {

namespace {

// A core dump would contain keys and tokens. RLIMIT_CORE does not prevent it: the kernel ignores that limit where
// core_pattern is a pipe, as on most nodes. Other processes of this user cannot read our memory either (ptrace,
// /proc/PID/mem). What the metrics read of /proc/self stays readable, because a process may always read its own.
void forbid_core_dumps() {
#if !defined(__SANITIZE_ADDRESS__) && !(defined(__has_feature) && __has_feature(address_sanitizer))
  // The leak checker attaches to its own process, which this would forbid.
  ::prctl(PR_SET_DUMPABLE, 0);
#endif
}

}  // namespace

void prepare_process() {
  forbid_core_dumps();
  std::signal(SIGPIPE, SIG_IGN);
  // An ignored SIGCHLD is inherited from the parent process; the exit code of a child could not be read then.
  std::signal(SIGCHLD, SIG_DFL);
  // Raises the soft limit of descriptors, as Go does: it is meant for programs that use select(2), and each watch is a
  // descriptor.
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  // Otherwise a statically linked resolver loads the NSS modules of the host, which another C library needs, and
  // crashes.
  ::__nss_configure_lookup("hosts", "files dns");
  tls::ignore_host_configuration();
}

}  // namespace keelson::program
