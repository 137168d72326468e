// Settings of the process that a static binary makes before anything else.
//
// keelson::run() and Operator::run() call it; a program with a main function of its own calls it first.
#pragma once

namespace keelson::program {

// - SIGPIPE is ignored: a broken pipe is an error of the write.
// - SIGCHLD is reset to its default, because an inherited SIG_IGN would hide the exit codes of exec plugins.
// - The limit of open files is raised to its hard limit, as Go does: each watch needs a descriptor.
// - Names are resolved with /etc/hosts and DNS only, because a static binary cannot load the NSS modules of the host.
// - OpenSSL ignores the host's openssl.cnf, because a static binary cannot load the providers that it may name.
// - Core dumps are disabled, because the memory contains keys and tokens. Other processes of the user cannot attach.
void prepare_process();

}  // namespace keelson::program
