// Remembers since when the source of a server's certificate fails, for /statusz.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "keelson/async/clock.hpp"
#include "keelson/detail/tls/certificate_user.hpp"

namespace keelson::program {

// Passes everything on to the server.
class CertificateHealth final : public tls::CertificateUser {
 public:
  struct Problem {
    std::string error;      // of the last attempt
    async::WallTime since;  // the first failure after the last success
  };
  // Both must outlive it.
  CertificateHealth(async::Clock& clock, tls::CertificateUser& server) : clock_(clock), server_(server) {}

  [[nodiscard]] Result<void> use(tls::ServerTls tls) override { return server_.use(std::move(tls)); }
  void wait_because(const Error& reason) override { server_.wait_because(reason); }
  void note_attempt(const Error* problem) override {
    if (problem == nullptr) return problem_.reset();
    problem_ = {problem->message(), problem_ ? problem_->since : clock_.wall_now()};
  }
  [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }

 private:
  async::Clock& clock_;
  tls::CertificateUser& server_;
  std::optional<Problem> problem_;
};

}  // namespace keelson::program
