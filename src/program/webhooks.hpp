// The webhooks of the running program: their server and the source of its certificate.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/lifecycle/health.hpp"
#include "keelson/detail/lifecycle/manager.hpp"
#include "keelson/detail/program/flags.hpp"
#include "keelson/detail/webhook/server.hpp"
#include "src/program/certificate_health.hpp"

namespace keelson::program {

class Webhooks {
 public:
  // If webhooks are off, it only logs the reason once. `ns` is the namespace of the manager.
  Webhooks(boost::asio::any_io_executor executor, controller::Context& context, net::ServerBudget& budget,
           const Options& options, std::string ns, const std::vector<webhook::Webhook>& webhooks);

  void add_to(lifecycle::Manager& manager, lifecycle::HealthChecks& checks);

  [[nodiscard]] const webhook::Server* server() const { return server_.get(); }  // null: off
  // Why the certificate cannot be read, renewed or published; null: it can, or webhooks are off.
  [[nodiscard]] const CertificateHealth::Problem* certificate_problem() const {
    return health_ && health_->problem() ? &*health_->problem() : nullptr;
  }
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::unique_ptr<webhook::Server> server_;  // null: off
  std::optional<CertificateHealth> health_;
  std::unique_ptr<async::Runnable> certificate_;
  std::vector<std::string> paths_;
  bool is_registration_ = false;  // certificate_ is for --webhook-url
};

}  // namespace keelson::program
