// One log line as zap's encoders write it, without its newline.
//
// JSON: {"level":"info","ts":"…","logger":"…","msg":"…",<values>}. Console: <ts>\t<LEVEL>\t<logger>\t<msg>\t{<values>}.
// Values come in the order they were bound, then the line's own, then "error". At most limits::kLogLineBytes:
// values that no longer fit are left out and "truncated": true says so; "error" always fits.
#pragma once

#include <string>

#include "keelson/base/log.hpp"

namespace keelson::base {

[[nodiscard]] std::string format_log_line(const LogSink::Line& line, LogOptions::WallTime when,
                                          LogOptions::Encoder encoder, LogOptions::TimeEncoding time_encoding);

}  // namespace keelson::base
