// What is to be done about certificate files after each look at them, as plain code.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/net/http_server.hpp"

namespace keelson::net {

class CertificateSteps {
 public:
  // What was found; an error names the file that cannot be read. True: it is new and is to be used.
  [[nodiscard]] bool is_new(const Result<ServerTls>& found) const;

  enum class Say { kNothing, kWaiting, kServing, kReloaded, kCannotListen, kFailed };
  struct Verdict {
    Say say;
    bool is_error;          // of the files, to be counted
    async::Duration again;  // when to look next
  };
  // After the look, and after using what was new (`used` is the outcome of that, else of the look). What went wrong
  // is said once, however often it goes wrong in the same way.
  [[nodiscard]] Verdict settle(const Result<ServerTls>& found, const Result<void>& used);

 private:
  std::optional<ServerTls> current_;
  std::string last_error_;
};

}  // namespace keelson::net
