// A server's certificate from files, as cert-manager and kubelets mount them: watched, and reloaded when it changes.
//
// The files are read every 10 s (controller-runtime's certwatcher), and every second while they are missing or
// invalid, because a kubelet may be replacing them. A pair that cannot be used leaves the current one in service;
// each read and each failure is counted (certificate_metrics.hpp), and each error is logged once until it changes.
// Polling, not inotify: it also works for mounted Secrets, whose files are replaced through symbolic links.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/tls/certificate_user.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::tls {

// Paths of PEM files.
struct CertificatePaths {
  std::string certificate;  // the leaf first, then its chain: tls.crt
  std::string key;          // tls.key
  std::string client_ca;    // the CA of client certificates; empty: the server requests none
};

// A service that passes the certificate to `user` at each change. `server` names the server in logs: "webhook",
// "metrics". start() reads the files once and then polls until stop(). Missing or invalid files do not fail start():
// the server begins to listen when they appear. start() fails only with kTransport, if the files are valid and the
// server cannot listen on its address. The references must outlive the service.
[[nodiscard]] std::unique_ptr<async::Runnable> make_certificate_files(boost::asio::any_io_executor executor,
                                                                      async::Clock& clock, const Logger& log,
                                                                      metrics::Registry& registry, std::string server,
                                                                      CertificatePaths paths, CertificateUser& user);

}  // namespace keelson::tls
