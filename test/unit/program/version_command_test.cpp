#include "keelson/detail/program/version_command.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "keelson/detail/program/version.hpp"
#include "keelson/program/operator.hpp"
#include "src/program/notices.hpp"
#include "test/support/files.hpp"

namespace keelson {
namespace {

struct Outcome {
  int code;
  std::string out;
  std::string errors;
};

Outcome run(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream errors;
  const int code = program::version_command("manager", arguments, out, errors);
  return {code, out.str(), errors.str()};
}

TEST_CASE("version alone prints the versions") {
  const auto outcome = run({});

  CHECK(outcome.code == 0);
  CHECK(outcome.out == program::version_text());
}

TEST_CASE("version --licenses prints the third-party notices of the repository") {
  const auto notices = testing::content_of(KEELSON_SOURCE_DIR "/THIRD-PARTY-NOTICES");
  REQUIRE_FALSE(notices.empty());

  CHECK(run({"--licenses"}).out == notices);
  CHECK(run({"-licenses"}).out == notices);
}

TEST_CASE("version rejects other arguments") {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"--license"}, {"--licenses", "x"}, {"x"}}) {
    const auto outcome = run(arguments);

    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.errors.ends_with("\nRun 'manager version --help' for usage.\n"));
  }
}

TEST_CASE("version --help shows how to print the licenses") {
  const auto outcome = run({"--help"});

  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("--licenses") != std::string::npos);
}

// The first word of each line of `version_text()` after the four about the program itself.
std::vector<std::string> linked_libraries() {
  std::istringstream lines(program::version_text());
  std::vector<std::string> names;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    if (++number > 4) names.push_back(line.substr(0, line.find(' ')));
  }
  return names;
}

TEST_CASE("the third-party notices have a section with a license for every linked library and for no other") {
  const std::string notices(program::third_party_notices());
  const auto sections = notices.substr(0, notices.find("\n===="));

  auto names = linked_libraries();
  names.insert(names.end(), {"SQLite", "RE2"});  // only in keelson-sandbox
  std::size_t found = 0;
  for (const auto& name : names) {
    CAPTURE(name);
    const auto at = sections.find("\n\n" + name + "\n  License: ");
    CHECK(at != std::string::npos);
    found += at != std::string::npos ? 1 : 0;
  }

  std::size_t licenses = 0;
  for (auto at = sections.find("\n  License: "); at != std::string::npos; at = sections.find("\n  License: ", at + 1)) {
    ++licenses;
  }
  CHECK(found == licenses);
}

TEST_CASE("the third-party notices contain the license texts") {
  const std::string notices(program::third_party_notices());

  for (const auto* text : {"Permission is hereby granted, free of charge", "Boost Software License - Version 1.0",
                           "provided 'as-is', without any express or implied", "Apache License\n",
                           "GNU LESSER GENERAL PUBLIC LICENSE\n", "University of California"}) {
    CAPTURE(text);
    CHECK(notices.find(text) != std::string::npos);
  }
}

}  // namespace
}  // namespace keelson
