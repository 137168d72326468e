#include "src/sandbox_program/audit_log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "keelson/detail/base/text.hpp"

namespace keelson::sandbox_program {

Result<std::unique_ptr<AuditLog>> AuditLog::open(const std::string& path, Logger log) {
  // O_NONBLOCK only for open(), which would wait for a reader of a FIFO.
  int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0 && errno == ENXIO) return invalid_error("cannot write " + path + ": no process reads this pipe");
  if (file < 0 || ::fcntl(file, F_SETFL, O_APPEND) != 0) {
    return invalid_error("cannot write " + path + ": " + base::words_of_errno(errno));
  }
  return std::make_unique<AuditLog>(file, std::move(log));
}

AuditLog::~AuditLog() { ::close(file_); }

void AuditLog::append(const std::string& line) {
  auto written = ::write(file_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size()) || has_failed_) return;
  has_failed_ = true;
  log_.error(invalid_error(base::words_of_errno(written < 0 ? errno : ENOSPC)),
             "Audit log write failed; requests are missing from the file");
}

}  // namespace keelson::sandbox_program
