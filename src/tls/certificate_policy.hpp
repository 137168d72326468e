// The decisions about certificate files after each read, without I/O.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/detail/tls/options.hpp"

namespace keelson::tls {

class CertificatePolicy {
 public:
  // True if `found`, the result of reading the files, is a new pair that must be used.
  [[nodiscard]] bool is_new(const Result<ServerTls>& found) const;

  enum class Say { kNothing, kWaiting, kServing, kReloaded, kCannotListen, kFailed };
  struct Verdict {
    Say say;
    bool is_error;          // the files are missing or invalid; counted in a metric
    async::Duration again;  // the delay before the next read
  };
  // Call it after each read. `used` is the result of using a new pair, or else of the read. A repeated error is logged
  // once.
  [[nodiscard]] Verdict settle(const Result<ServerTls>& found, const Result<void>& used);

 private:
  std::optional<ServerTls> current_;
  std::string last_error_;
};

}  // namespace keelson::tls
