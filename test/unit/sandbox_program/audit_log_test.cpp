#include "src/sandbox_program/audit_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::sandbox_program {
namespace {

TEST_CASE("a pipe as the audit log is an error without a reader, and is written with one") {
  const testing::TemporaryFolder folder;
  sandbox::loop::RecordingSink sink;
  const auto path = folder.file("audit");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);

  const auto unread = AuditLog::open(path, Logger(sink));
  REQUIRE_FALSE(unread);
  CHECK(unread.error().text == "cannot write " + path + ": no process reads this pipe");

  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  const auto log = AuditLog::open(path, Logger(sink));
  REQUIRE(log);
  (*log)->append("a line\n");
  std::array<char, 16> bytes{};
  const auto count = ::read(reader, bytes.data(), bytes.size());
  CHECK(std::string_view(bytes.data(), static_cast<std::size_t>(count)) == "a line\n");
  ::close(reader);
}

}  // namespace
}  // namespace keelson::sandbox_program
