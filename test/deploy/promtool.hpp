// Runs Prometheus' own tool on a file.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "test/support/files.hpp"

namespace keelson::testing {

// Fails the test with the output of the tool if it rejects these rules.
inline void check_rules(const std::filesystem::path& rules) {
  REQUIRE(std::filesystem::exists(KEELSON_PROMTOOL));
  const auto said = std::filesystem::path(KEELSON_BINARY_DIR) / (rules.stem().string() + ".said");
  const auto command = "'" KEELSON_PROMTOOL "' check rules '" + rules.string() + "' > '" + said.string() + "' 2>&1";
  const int status = std::system(command.c_str());
  INFO(content_of(said));
  CHECK(status == 0);
}

}  // namespace keelson::testing
