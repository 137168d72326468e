// X.509 certificates created at run time: a CA for tests, and the certificates that it issues.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace keelson::testing {

struct KeyPair {
  std::string certificate_pem;
  std::string key_pem;
};

struct CertificateRequest {
  std::string common_name = "test";
  std::vector<std::string> names;      // the DNS names that it is valid for
  std::vector<std::string> addresses;  // the IP addresses that it is valid for
  // Relative to now, by the machine's clock, which TLS uses.
  std::chrono::hours valid_from = std::chrono::hours(-1);
  std::chrono::hours valid_until = std::chrono::hours(24);
};

class Authority {
 public:
  explicit Authority(const std::string& common_name = "test authority");
  Authority(const Authority&) = delete;
  Authority& operator=(const Authority&) = delete;
  ~Authority();

  [[nodiscard]] const std::string& certificate_pem() const;
  // Valid for servers and for clients.
  [[nodiscard]] KeyPair issue(const CertificateRequest& request) const;
  // Valid for localhost, 127.0.0.1 and ::1.
  [[nodiscard]] KeyPair issue_for_loopback() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace keelson::testing
