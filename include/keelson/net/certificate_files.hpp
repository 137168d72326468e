// Certificates from files, as cert-manager and kubelets write them: read again when they change, waited for when
// missing.
//
// Every ten seconds the files are looked at, every second while something is wrong with them. A pair that cannot be
// used leaves the old one in service and is counted.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/base/log.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/net/certificate_user.hpp"

namespace keelson::net {

struct CertificatePaths {
  std::string certificate;
  std::string key;
  std::string client_ca;  // empty: no client certificates are asked for
};

// References must outlive it; `server` is for logs: "webhook", "metrics". start() fails only when the server cannot
// listen although the files are good.
[[nodiscard]] std::unique_ptr<async::Runnable> make_certificate_files(boost::asio::any_io_executor executor,
                                                                      async::Clock& clock, const Logger& log,
                                                                      metrics::Registry& registry, std::string server,
                                                                      CertificatePaths paths, CertificateUser& user);

}  // namespace keelson::net
