#include "keelson/detail/cli/command_line.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

namespace keelson::cli {

namespace {

constexpr Flag kFlags[] = {{"output", "text|json", "The format."},
                           {"kubeconfig", "FILE", "The cluster."},
                           {"dry-run", "", "Store nothing.\nPrint it."}};
constexpr Command kCopy{"copy", "NAME", "Copies an object.", kFlags};

Result<Words> parse_command(const std::vector<std::string>& words) { return parse(words, kFlags, Form::kCommand); }

std::string error_of(const std::vector<std::string>& words) {
  const auto parsed = parse_command(words);
  REQUIRE_FALSE(parsed);
  return parsed.error().text;
}

struct Outcome {
  int code;
  std::string out;
  std::string errors;
};

Outcome run(const Command& command, const std::vector<std::string>& words) {
  std::ostringstream out;
  std::ostringstream errors;
  const int code = run_command({"ship", out, errors}, command, words, [&out](const Words& parsed) -> Result<int> {
    if (parsed.is_set("dry-run")) return invalid_error("nothing to do");
    out << "copied " << parsed.flag("output", "as text");
    return 7;
  });
  return {code, out.str(), errors.str()};
}

}  // namespace

TEST_CASE("flags of a command stand before, between and after its arguments") {
  const auto parsed = parse_command({"--output", "json", "memcached", "-kubeconfig=/k", "default/web"});

  REQUIRE(parsed);
  CHECK(parsed->arguments == std::vector<std::string>{"memcached", "default/web"});
  CHECK(parsed->flag("output") == "json");
  CHECK(parsed->flag("kubeconfig") == "/k");
  CHECK(parsed->flag("dry-run", "absent") == "absent");
  CHECK(parsed->given("dry-run") == nullptr);
}

TEST_CASE("the flags of a program end at its command, and --version is one of them") {
  const auto parsed = parse({"--dry-run", "copy", "--output"}, kFlags, Form::kProgram);
  const auto version = parse({"--dry-run", "--version", "--nonsense"}, kFlags, Form::kProgram);

  REQUIRE(parsed);
  CHECK(parsed->is_set("dry-run"));
  CHECK(parsed->arguments == std::vector<std::string>{"copy", "--output"});
  CHECK_FALSE(parsed->has_dashes);
  REQUIRE(version);
  CHECK(version->wants_version);
  CHECK(error_of({"--version"}) == "flag provided but not defined: -version");
}

TEST_CASE("words after two dashes are arguments, and so is a single dash") {
  const auto command = parse_command({"-", "--", "--output", "x"});
  const auto program = parse({"--dry-run", "--", "--output", "--"}, kFlags, Form::kProgram);

  REQUIRE(command);
  CHECK(command->arguments == std::vector<std::string>{"-", "--output", "x"});
  CHECK(command->flags.empty());
  REQUIRE(program);
  CHECK(program->has_dashes);
  CHECK(program->arguments == std::vector<std::string>{"--output", "--"});
}

TEST_CASE("the word after a flag is its value, whatever it begins with, as in Go") {
  const auto words = parse_command({"--kubeconfig", "--help", "--output", "json", "--output", "text"});
  REQUIRE(words);
  CHECK_FALSE(words->wants_help);
  CHECK(words->flag("kubeconfig") == "--help");
  CHECK(words->flag("output") == "text");
}

TEST_CASE("a boolean flag takes its value only after an equals sign, in Go's spellings") {
  const auto given = parse_command({"--dry-run", "all"});
  const auto off = parse_command({"--dry-run", "--dry-run=F"});

  REQUIRE(given);
  CHECK(given->is_set("dry-run"));
  CHECK(given->arguments == std::vector<std::string>{"all"});
  REQUIRE(off);
  CHECK_FALSE(off->is_set("dry-run"));
  CHECK(off->flag("dry-run") == "false");
}

TEST_CASE("errors of a command line have the texts of Go") {
  CHECK(error_of({"--outptu=x"}) == "flag provided but not defined: -outptu\ndid you mean --output?");
  CHECK(error_of({"--hel"}) == "flag provided but not defined: -hel\ndid you mean --help?");
  CHECK(error_of({"all", "-output"}) == "flag needs an argument: -output");
  CHECK(error_of({"--dry-run=maybe"}) == "invalid boolean value \"maybe\" for -dry-run: parse error");
  CHECK(error_of({"--=x"}) == "bad flag syntax: --=x");
  CHECK(error_of({"---output"}) == "bad flag syntax: ---output");
}

TEST_CASE("a flag whose values are listed accepts no other") {
  CHECK(error_of({"--output=yaml"}) == "invalid value \"yaml\" for flag -output: must be text or json");
  CHECK(check_choice("output", "", "a|b|c").error().text == "invalid value \"\" for flag -output: must be a, b or c");
  CHECK(check_choice("output", "c", "a|b|c"));
}

TEST_CASE("a command prints its help, rejects its command line, or returns the exit code of its work") {
  CHECK(run(kCopy, {"a", "--output=json"}).code == 7);
  CHECK(run(kCopy, {"a", "--output=json"}).out == "copied json");
  const auto help = run(kCopy, {"a", "--help", "--nonsense"});
  CHECK(help.code == 0);
  CHECK(help.out ==
        "Usage: ship copy NAME [flags]\n\nCopies an object.\n\nFlags:\n"
        "  --output text|json\n    \tThe format.\n  --kubeconfig FILE\n    \tThe cluster.\n"
        "  --dry-run\n    \tStore nothing.\n    \tPrint it.\n");
  const auto rejected = run(kCopy, {"--dry-run"});
  CHECK(rejected.code == kUsageError);
  CHECK(rejected.out.empty());
  CHECK(rejected.errors == "nothing to do\nRun 'ship copy --help' for usage.\n");
}

TEST_CASE("a command without arguments rejects them, and a required flag must be given") {
  constexpr Flag kRequired[] = {{"output", "DIR", "The folder.", true}};
  const Command command{"", "", "Writes a folder.", kRequired};

  CHECK(synopsis(kCopy) == "copy NAME [--output text|json] [--kubeconfig FILE] [--dry-run]");
  CHECK(synopsis({"write", "", "", kRequired}) == "write --output DIR");
  CHECK(run(command, {"x", "--output=y"}).errors == "unexpected argument \"x\"\nRun 'ship --help' for usage.\n");
  CHECK(run(command, {}).errors == "--output DIR is missing\nRun 'ship --help' for usage.\n");
  CHECK(run(command, {"--output=y"}).code == 7);
}

TEST_CASE("the error for an unknown command has the nearest one") {
  CHECK(unknown_command("cop", {"copy", "move"}).text == "unknown command \"cop\"\ndid you mean copy?");
  CHECK(unknown_command("frobnicate", {"copy", "move"}).text == "unknown command \"frobnicate\"");
}

}  // namespace keelson::cli
