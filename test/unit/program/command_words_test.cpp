#include "keelson/program/command_words.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>

namespace keelson::program {

namespace {

constexpr std::array kFlags = {CommandFlag{"output"}, CommandFlag{"kubeconfig"},
                               CommandFlag{"dry-run", CommandFlag::Type::kBool}};

std::string error_of(const std::vector<std::string>& words) {
  const auto parsed = parse_command_words(words, kFlags);
  REQUIRE_FALSE(parsed);
  return parsed.error().text;
}

}  // namespace

TEST_CASE("flags of a command stand before, between and after its arguments") {
  const auto parsed = parse_command_words({"--output", "json", "memcached", "-kubeconfig=/k", "default/web"}, kFlags);

  REQUIRE(parsed);
  CHECK(parsed->arguments == std::vector<std::string>{"memcached", "default/web"});
  CHECK(parsed->flag("output") == "json");
  CHECK(parsed->flag("kubeconfig") == "/k");
  CHECK(parsed->flag("dry-run", "absent") == "absent");
}

TEST_CASE("words after two dashes are arguments of a command, and so is a single dash") {
  const auto parsed = parse_command_words({"-", "--", "--output", "x"}, kFlags);

  REQUIRE(parsed);
  CHECK(parsed->arguments == std::vector<std::string>{"-", "--output", "x"});
  CHECK(parsed->flags.empty());
}

TEST_CASE("a boolean flag of a command takes its value only after an equals sign") {
  const auto given = parse_command_words({"--dry-run", "all"}, kFlags);
  const auto off = parse_command_words({"--dry-run=F"}, kFlags);

  REQUIRE(given);
  CHECK(given->is_set("dry-run"));
  CHECK(given->arguments == std::vector<std::string>{"all"});
  REQUIRE(off);
  CHECK_FALSE(off->is_set("dry-run"));
  CHECK(off->flag("dry-run") == "false");
}

TEST_CASE("errors in the flags of a command have the texts of Go") {
  CHECK(error_of({"--outptu=x"}) == "flag provided but not defined: -outptu\ndid you mean --output?");
  CHECK(error_of({"all", "-output"}) == "flag needs an argument: -output");
  CHECK(error_of({"--dry-run=maybe"}).starts_with("invalid boolean value \"maybe\" for -dry-run: "));
}

TEST_CASE("the output of a command is text unless json is requested") {
  CHECK(wants_json({}).value() == false);
  CHECK(wants_json({{}, {{"output", "json"}}}).value() == true);
  const auto wrong = wants_json({{}, {{"output", "yaml"}}});
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().text == "invalid value \"yaml\" for flag -output: must be text or json");
}

}  // namespace keelson::program
