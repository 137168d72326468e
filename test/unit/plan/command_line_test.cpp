#include "src/plan/command_line.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::plan {
namespace {

Result<CommandLine> parse(const std::vector<std::string>& arguments) {
  return parse_command_line(
      "plan", arguments, {},
      {{}, {controller::make_flag<std::int64_t>("lamp-seed", std::monostate{}, "Of the lamps.")}, {}});
}

TEST_CASE("the arguments of a manager's Deployment are valid") {
  const auto line = parse({"--leader-elect", "--metrics-bind-address=:8443", "--controllers", "a,b", "--lamp-seed=7",
                           "--watch-namespaces=x", "--kubeconfig", "/k"});
  REQUIRE(line);
  CHECK(line->format == Format::kText);
  CHECK(line->options.controllers == "a,b");
  CHECK(line->options.kubeconfig == "/k");
  CHECK(line->options.watch_namespaces == std::vector<std::string>{"x"});
  CHECK(line->options.own_flags.at("lamp-seed") == controller::FlagValue(std::int64_t{7}));
  CHECK_FALSE(line->answer);
}

TEST_CASE("the format of a plan is text or JSON, at any position of the flag") {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"-o", "json"}, {"--output=json", "--leader-elect"}, {"--leader-elect", "-output", "json"}}) {
    const auto line = parse(arguments);
    REQUIRE(line);
    CHECK(line->format == Format::kJson);
  }
  CHECK(parse({"-o", "text"})->format == Format::kText);
}

TEST_CASE("of several formats the last one counts, whichever name the flag has") {
  CHECK(parse({"-o", "json", "--output", "text"})->format == Format::kText);
  CHECK(parse({"--output", "text", "-o", "json"})->format == Format::kJson);
  CHECK(parse({"-o", "text", "-o", "json"})->format == Format::kJson);
}

TEST_CASE("the format hides a flag of the operator with the same name") {
  const auto line = parse_command_line(
      "plan", {"--output=json"}, {},
      {{}, {controller::make_flag<std::string>("output", std::monostate{}, "The folder of the lamps.")}, {}});
  REQUIRE(line);
  CHECK(line->format == Format::kJson);
  CHECK(line->options.own_flags.empty());
}

TEST_CASE("an invalid argument is an error that names it") {
  CHECK(parse({"-o", "yaml"}).error().text == R"(invalid value "yaml" for flag -o: must be text or json)");
  CHECK(parse({"--output"}).error().text == "flag needs an argument: -output");
  CHECK(parse({"apply"}).error().text == R"(unexpected argument "apply")");
  CHECK(parse({"--kubeconfg=x"}).error().text.ends_with("did you mean --kubeconfig?"));
}

TEST_CASE("the flags that have an effect are those of plans and of the operator") {
  const program::Syntax syntax{
      {}, {controller::make_flag<std::int64_t>("lamp-seed", std::monostate{}, "Of the lamps.")}, {}};
  std::vector<std::string_view> names;
  for (const auto& flag : used_flags(syntax)) names.push_back(flag.name);
  CHECK(names == std::vector<std::string_view>{"kubeconfig", "controllers", "watch-namespaces", "output", "lamp-seed"});
}

TEST_CASE("the values of the operator's flags have the names that its own help has") {
  const program::Syntax syntax{
      {},
      {controller::make_flag<bool>("lit", std::monostate{}, "Whether it is lit."),
       controller::make_flag<std::vector<std::string>>("lamps", std::monostate{}, "The lamps."),
       controller::make_flag<std::string>("color", std::monostate{}, "Of the lamps.")},
      {}};
  std::vector<std::string_view> values;
  for (const auto& flag : used_flags(syntax)) values.push_back(flag.value);
  CHECK(std::vector(values.end() - 3, values.end()) == std::vector<std::string_view>{"", "list", "string"});
}

TEST_CASE("help and version are printed instead of a plan") {
  const auto help = parse({"--help"});
  REQUIRE(help);
  REQUIRE(help->answer);
  CHECK(help->answer->find("--lamp-seed int\n    \tOf the lamps.") != std::string::npos);
  const auto version = parse({"--version"});
  REQUIRE(version);
  CHECK(version->answer);
}

}  // namespace
}  // namespace keelson::plan
