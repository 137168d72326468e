// A certificate that lives in memory alone, for a server whose clients have not been told whom to trust.
//
// Made at the start of the process and again long before it ends. Nobody can verify it: it keeps what is said from
// being read along, and no more.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/runnable.hpp"
#include "keelson/base/log.hpp"
#include "keelson/net/certificate_user.hpp"

namespace keelson::net {

// References must outlive it; `names` are host names and addresses. start() fails when the server cannot listen.
[[nodiscard]] std::unique_ptr<async::Runnable> make_memory_certificate(boost::asio::any_io_executor executor,
                                                                       async::Clock& clock, const Logger& log,
                                                                       std::vector<std::string> names,
                                                                       CertificateUser& user);

}  // namespace keelson::net
