#include "src/program/process.hpp"

#include <nss.h>
#include <sys/resource.h>

#include <csignal>

namespace keelson::program {

void prepare_process() {
  std::signal(SIGPIPE, SIG_IGN);
  // Who started us may have ignored it, which we inherit: then the end of a child could not be read.
  std::signal(SIGCHLD, SIG_DFL);
  // As Go does: the soft limit of descriptors is for programs that use select(2), and each watch is a descriptor.
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
  }
  // Otherwise a statically linked resolver loads the host's NSS modules, made for another C library, and dies in them.
  ::__nss_configure_lookup("hosts", "files dns");
}

}  // namespace keelson::program
