#include "keelson/detail/tls/pem_file.hpp"

#include <sys/resource.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>

#include "keelson/detail/base/limits.hpp"
#include "test/support/sanitizers.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::tls {
namespace {

TEST_CASE("a file of certificates is read completely, and one that cannot be read is an error with the reason") {
  testing::TemporaryFolder folder;
  const auto path = folder.file("tls.crt");
  CHECK(read_pem_file(path).error().text == "open " + path + ": no such file or directory");

  std::ofstream(path) << "";
  CHECK(read_pem_file(path).error().text == path + " is empty");

  std::ofstream(path) << "pem\n";
  CHECK(read_pem_file(path).value() == "pem\n");

  std::filesystem::resize_file(path, limits::kLocalFileBytes + 1);
  CHECK(read_pem_file(path).error().text == "read " + path + ": larger than 8388608 bytes");
}

#if !KEELSON_SANITIZED
TEST_CASE("a file that cannot be opened for lack of descriptors is not reported as empty") {
  testing::TemporaryFolder folder;
  const auto path = folder.file("tls.crt");
  std::ofstream(path) << "pem\n";
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit none = before;
  none.rlim_cur = 0;
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);

  const auto read = read_pem_file(path);
  ::setrlimit(RLIMIT_NOFILE, &before);

  REQUIRE_FALSE(read);
  CHECK(read.error().text == "open " + path + ": too many open files");
}
#endif

}  // namespace
}  // namespace keelson::tls
