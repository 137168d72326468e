// A log line as zap's encoders write it, without its newline.
//
// JSON: {"level":"info","ts":"…","logger":"…","msg":"…",<values>}. Console: <ts>\t<LEVEL>\t<logger>\t<msg>\t{<values>}.
// The order is: bound values, the line's own values, "error". A line has at most limits::kLogLineBytes: values that do
// not fit are left out, and "truncated": true is added; "error" always fits.
#pragma once

#include <string>

#include "keelson/base/log.hpp"

namespace keelson::base {

[[nodiscard]] std::string format_log_line(const LogSink::Line& line, LogOptions::WallTime when,
                                          LogOptions::Encoder encoder, LogOptions::TimeEncoding time_encoding);

}  // namespace keelson::base
