// The log of a simulated manager: it passes lines to the test's sink, and stores the last errors.
//
// An exception that left a reconciler or a watch handler is a problem of the operator.
#pragma once

#include <deque>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/detail/sandbox/problems.hpp"

namespace keelson::sandbox {

class ManagerLog final : public LogSink {
 public:
  struct Entry {
    async::WallTime time;
    std::string text;  // "Reconciler error: create Job default/web: … controller=cronjob name=web"
    std::size_t times = 1;
  };
  static constexpr std::size_t kMost = 10;

  ManagerLog(LogSink& inner, async::Clock& clock, Problems& problems)
      : inner_(inner), clock_(clock), problems_(problems) {}

  [[nodiscard]] bool enabled(Level level, int verbosity) const override {
    return level == Level::kError || inner_.enabled(level, verbosity);
  }
  void write(const Line& line) override;

  // The oldest first. A repeated text moves to the end.
  [[nodiscard]] const std::deque<Entry>& errors() const { return errors_; }

 private:
  void keep(std::string text);

  LogSink& inner_;
  async::Clock& clock_;
  Problems& problems_;
  std::deque<Entry> errors_;
};

}  // namespace keelson::sandbox
