// The API server over HTTPS, with a certificate of its own authority, one administrator, and limits.
//
// Without a data file everything is in memory. The server listens from its construction on, and answers from start()
// on. Neither copied nor moved.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string>

#include "keelson/base/log.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox_data/data_file.hpp"
#include "src/sandbox_program/audit_log.hpp"
#include "src/sandbox_program/credentials.hpp"
#include "src/sandbox_program/fast_clock.hpp"
#include "src/sandbox_program/flags.hpp"

namespace keelson::sandbox_program {

// The files that a server writes.
struct Stores {
  std::unique_ptr<sandbox_data::DataFile> data;  // null: without --data
  std::unique_ptr<AuditLog> audit;               // null: without --audit-log
};

class Server {
 public:
  // Fails if the server cannot listen at the address or cannot use the files. The references must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<Server>> make(const boost::asio::any_io_executor& executor,
                                                            async::Clock& clock, base::Random& random, Logger log,
                                                            const Settings& settings);
  Server(async::Clock& clock, base::Random& random, const Settings& settings, Credentials credentials, Stores stores);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void start() { http_->start(); }
  // https://127.0.0.1:6443, for clients on this machine.
  [[nodiscard]] std::string address() const;
  [[nodiscard]] std::string kubeconfig() const;

  // Ends the watches cleanly, lets other requests finish for a few seconds, then closes all connections.
  [[nodiscard]] boost::asio::awaitable<void> stop();

 private:
  [[nodiscard]] Result<void> listen(const boost::asio::any_io_executor& executor, async::Clock& clock, Logger log);

  Settings settings_;
  Credentials credentials_;
  FastClock controller_clock_;
  Stores stores_;
  sandbox::ApiServer api_;
  net::ServerBudget budget_;
  std::unique_ptr<net::HttpServer> http_;
};

}  // namespace keelson::sandbox_program
