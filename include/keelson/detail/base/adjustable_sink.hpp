// The sink of a program's log whose level can be changed while it runs.
#pragma once

#include <memory>

#include "keelson/base/log.hpp"

namespace keelson {

class AdjustableSink : public LogSink {
 public:
  // As LogOptions::verbosity. A change holds from the next line on, for all loggers.
  [[nodiscard]] virtual int verbosity() const = 0;
  virtual void set_verbosity(int verbosity) = 0;
};

// As make_stderr_sink(), which has the same lines.
[[nodiscard]] std::unique_ptr<AdjustableSink> make_adjustable_sink(LogOptions options);

}  // namespace keelson
