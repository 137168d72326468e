// A self-signed certificate in memory, for a server that has no certificate of its own: the default of the metrics
// server, as in controller-runtime.
//
// Clients cannot verify it (curl needs -k): the connection is encrypted, but a client cannot detect a
// man-in-the-middle. Each process makes a new one at its start and again after 180 days; it is valid for a year.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "keelson/detail/tls/certificate_user.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::tls {

// A service that passes the certificate to `user`. `names` are the host names and IP addresses of the certificate; not
// empty. start() fails if the server cannot listen on its address (kTransport). A later renewal that fails is logged
// and tried again every minute; the former certificate stays in use. Its expiry is exported as that of the use
// "metrics". The references must outlive the service.
[[nodiscard]] std::unique_ptr<async::Runnable> make_memory_certificate(boost::asio::any_io_executor executor,
                                                                       async::Clock& clock, const Logger& log,
                                                                       metrics::Registry& registry,
                                                                       std::vector<std::string> names,
                                                                       CertificateUser& user);

}  // namespace keelson::tls
