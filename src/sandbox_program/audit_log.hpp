// The file of --audit-log: a line for each request, readable by its owner only.
#pragma once

#include <memory>
#include <string>

#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"

namespace keelson::sandbox_program {

// Neither copied nor moved.
class AuditLog {
 public:
  // Appends to an existing file, or creates it with mode 0600.
  [[nodiscard]] static Result<std::unique_ptr<AuditLog>> open(const std::string& path, Logger log);
  AuditLog(int file, Logger log) : file_(file), log_(std::move(log)) {}
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;
  ~AuditLog();

  // `line` includes the newline. A line that cannot be written is lost; the first such error is logged.
  void append(const std::string& line);

 private:
  int file_;
  Logger log_;
  bool has_failed_ = false;
};

}  // namespace keelson::sandbox_program
