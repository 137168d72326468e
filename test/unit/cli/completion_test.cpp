#include "keelson/detail/cli/completion.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <sstream>

#include "test/support/temporary_folder.hpp"

namespace keelson::cli {

namespace {

constexpr Flag kFlags[] = {{"config", "FILE", "The values of flags."}, {"leader-elect", "", "Elect a leader."}};
constexpr Flag kApiFlags[] = {{"output", "text|json", "The format."},
                              {"kind", "KIND", "The kind."},
                              {"namespaced", "", "Whether objects are in namespaces."}};
constexpr Command kCommands[] = {
    {"create api", "", "Adds a kind.", kApiFlags}, {"create webhook", "", "Adds webhooks.", {}}, {"edit", "", "", {}}};

// What bash offers at the last of the words, as it splits them; the first one is the program.
std::string completed(const std::string& words) {
  const testing::TemporaryFolder folder;
  const auto file = folder.write("script", bash_completion("my-shop", kFlags, kCommands) + "COMP_WORDS=(" + words +
                                               ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_complete_my_shop\n"
                                               "printf '%s' \"${COMPREPLY[*]}\"\n");
  std::string text;
  FILE* pipe = ::popen(("bash --norc " + file + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  CHECK(::pclose(pipe) == 0);
  return text;
}

}  // namespace

TEST_CASE("bash completes commands, also of two words") {
  CHECK(completed("my-shop ''") == "create edit");
  CHECK(completed("my-shop cr") == "create");
  CHECK(completed("my-shop create ''") == "api webhook");
  CHECK(completed("my-shop create w") == "webhook");
  CHECK(completed("my-shop edit ''").empty());
}

TEST_CASE("bash completes the flags of the program or of its command") {
  CHECK(completed("my-shop --") == "--config --leader-elect --version --help");
  CHECK(completed("my-shop --leader-elect --c") == "--config");
  CHECK(completed("my-shop create api --") == "--output --kind --namespaced --help");
  CHECK(completed("my-shop create api --kind Website --na") == "--namespaced");
  CHECK(completed("my-shop edit --") == "--help");
}

TEST_CASE("bash completes values from a list, and names of files for all others") {
  CHECK(completed("my-shop create api --output ''") == "text json");
  CHECK(completed("my-shop create api -output j") == "json");
  CHECK(completed("my-shop create api --output =") == "text json");
  CHECK(completed("my-shop create api --output = t") == "text");
  // No word: `complete -o default` then offers files.
  CHECK(completed("my-shop --config ''").empty());
  CHECK(completed("my-shop --config -").empty());
  CHECK(completed("my-shop create api --namespaced --o") == "--output");
}

TEST_CASE("text that bash would execute is not part of the script") {
  static constexpr Flag kBad[] = {{"a", "$(touch x)", ""}, {"`touch x`", "", ""}, {"b", "it's", ""}};
  static constexpr Command kBadCommands[] = {{"'; touch x", "", "", {}}, {"good", "", "", kBad}};
  const auto script = bash_completion("shop", {}, kBadCommands);
  CHECK(script.find("touch") == std::string::npos);
  CHECK(script.find("flags='a:VALUE b:VALUE '") != std::string::npos);
}

TEST_CASE("the script for zsh describes words, flags and values, and quotes what it would evaluate") {
  static constexpr Flag kHard[] = {{"output", "text|json", "It's [one]: of $(two).\nMore."},
                                   {"file", "FILE", ""},
                                   {"`touch x`", "", ""},
                                   {"force", "", "Do it."}};
  static constexpr Command kHardCommands[] = {{"get", "", "Gets: it's `one`.", kHard}, {"$(touch x)", "", "", {}}};
  const auto script = zsh_completion("my-shop", {}, kHardCommands);
  CHECK(script.find("    offered=( 'get:Gets\\: it'\\''s `one`' )\n") != std::string::npos);
  CHECK(script.find("    ('get '*) flags=( '--output=[It'\\''s \\[one\\]\\: of $(two)]:text|json:(text json)' "
                    "'--file=[]:FILE:_files' '--force[Do it]' ) ;;\n") != std::string::npos);
  CHECK(script.find("touch") == std::string::npos);
  CHECK(
      script.ends_with("compdef _complete_my_shop my-shop\n"
                       "if [[ $funcstack[1] == _my-shop ]]; then _complete_my_shop; fi\n"));
}

TEST_CASE("the script for fish describes words, flags and values, and quotes what it would evaluate") {
  static constexpr Flag kHard[] = {{"output", "text|json", "It's \\ (one).\nMore."},
                                   {"file", "FILE", ""},
                                   {"`touch x`", "", ""},
                                   {"force", "", "Do it."}};
  static constexpr Command kHardCommands[] = {{"get", "", "Gets it's.", kHard}, {"(touch x)", "", "", {}}};
  const auto script = fish_completion("my-shop", {}, kHardCommands);
  const std::string flag = R"(complete -c my-shop -n '_complete_my_shop \'get\'' -l )";
  CHECK(script.find(R"(complete -c my-shop -f -n '_complete_my_shop_at 1' -a get -d 'Gets it\'s')") !=
        std::string::npos);
  CHECK(script.find(flag + R"(output -x -a 'text json' -d 'It\'s \\ (one)')") != std::string::npos);
  CHECK(script.find(flag + "file -r -d ''\n") != std::string::npos);
  CHECK(script.find(flag + "force -d 'Do it'\n") != std::string::npos);
  CHECK(script.find("touch") == std::string::npos);
}

TEST_CASE("a value of several words is one entry of the script") {
  static constexpr Flag kWords[] = {{"lamps", "list of texts", ""}, {"two words", "", ""}, {"seed", "int", ""}};
  CHECK(bash_completion("shop", kWords, {}).find("flags='lamps:VALUE seed:int version:'") != std::string::npos);
}

TEST_CASE("the command names its shell") {
  std::ostringstream out;
  std::ostringstream errors;
  const Console console{"shop", out, errors};
  CHECK(completion_command(console, {"bash"}, kFlags, kCommands) == 0);
  CHECK(out.str() == bash_completion("shop", kFlags, kCommands));
  CHECK(completion_command(console, {"zsh"}, kFlags, kCommands) == 0);
  CHECK(completion_command(console, {"fish"}, kFlags, kCommands) == 0);
  CHECK(out.str() == bash_completion("shop", kFlags, kCommands) + zsh_completion("shop", kFlags, kCommands) +
                         fish_completion("shop", kFlags, kCommands));
  CHECK(completion_command(console, {"tcsh"}, kFlags, kCommands) == kUsageError);
  CHECK(completion_command(console, {}, kFlags, kCommands) == kUsageError);
  CHECK(errors.str().starts_with("name the shell: shop completion bash, zsh or fish\nRun 'shop completion --help'"));
}

}  // namespace keelson::cli
