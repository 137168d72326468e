#include "src/program/process.hpp"

#include <nss.h>

#include <csignal>

namespace keelson::program {

void prepare_process() {
  std::signal(SIGPIPE, SIG_IGN);
  // Otherwise a statically linked resolver loads the host's NSS modules, made for another C library, and dies in them.
  ::__nss_configure_lookup("hosts", "files dns");
}

}  // namespace keelson::program
