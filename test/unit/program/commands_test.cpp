#include "src/program/commands/commands.hpp"

#include <catch2/catch_test_macros.hpp>
#include <iostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

#include "keelson/program/operator.hpp"
#include "test/support/temporary_folder.hpp"

namespace {

// Takes over std::cout and std::cerr for as long as it lives.
class Captured {
 public:
  Captured() : out_before_(std::cout.rdbuf(out_.rdbuf())), errors_before_(std::cerr.rdbuf(errors_.rdbuf())) {}
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;
  ~Captured() {
    std::cout.rdbuf(out_before_);
    std::cerr.rdbuf(errors_before_);
  }
  [[nodiscard]] std::string out() const { return out_.str(); }
  [[nodiscard]] std::string errors() const { return errors_.str(); }

 private:
  std::ostringstream out_;
  std::ostringstream errors_;
  std::streambuf* out_before_;
  std::streambuf* errors_before_;
};

// A standard output to which nothing can be written, as /dev/full.
class FullDevice final : public std::streambuf {
  int_type overflow(int_type) override { return traits_type::eof(); }
  int sync() override { return -1; }
};

struct Outcome {
  int code;
  std::string out;
  std::string errors;
};

Outcome run(std::vector<std::string> words, std::vector<keelson::controller::Definition> definitions = {}) {
  words.insert(words.begin(), "/usr/bin/manager");
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  Captured captured;
  auto code = keelson::run("keelson", static_cast<int>(pointers.size()), pointers.data(), std::move(definitions));
  return {code, captured.out(), captured.errors()};
}

std::string rejection(const std::vector<std::string>& rest) {
  return keelson::program::unexpected_words(rest).message();
}

}  // namespace

TEST_CASE("a word that is not a flag is rejected, and the nearest command is suggested") {
  CHECK(rejection({"verison", "--kubeconfig=X"}) == "unknown command \"verison\"\ndid you mean version?");
  CHECK(rejection({"generat"}) == "unknown command \"generat\"\ndid you mean generate?");
  CHECK(rejection({"frobnicate"}) == "unknown command \"frobnicate\"");
  CHECK(rejection({"version"}) == "the command \"version\" must come first");
}

TEST_CASE("a misspelled command does not start the controllers") {
  auto outcome = run({"verison", "--kubeconfig=/nonexistent"});

  INFO(outcome.errors);
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.errors == "unknown command \"verison\"\ndid you mean version?\nRun 'manager --help' for usage.\n");
}

TEST_CASE("an invalid flag prints its error and how to get the usage, not the usage itself") {
  auto outcome = run({"--metrics-bind-adress=:8080"});

  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.errors ==
        "flag provided but not defined: -metrics-bind-adress\ndid you mean --metrics-bind-address?\n"
        "Run 'manager --help' for usage.\n");
}

TEST_CASE("a command whose output cannot be written fails with an error") {
  const auto check = [](std::vector<std::string> words) {
    FullDevice device;
    auto before = std::cout.rdbuf(&device);
    std::ostringstream errors;
    auto errors_before = std::cerr.rdbuf(errors.rdbuf());
    words.insert(words.begin(), "/usr/bin/manager");
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());

    auto code = keelson::run("keelson", static_cast<int>(pointers.size()), pointers.data(), {});

    std::cout.rdbuf(before);
    std::cerr.rdbuf(errors_before);
    std::cout.clear();
    INFO(words[1]);
    CHECK(code == 1);
    CHECK(errors.str().starts_with("write to standard output failed"));
  };

  check({"version"});
  check({"--version"});
  check({"help"});
  check({"generate", "--help"});
}

TEST_CASE("a program with a definition without a reconciler does not start, and the error names the controller") {
  const keelson::testing::TemporaryFolder folder;
  const auto kubeconfig = folder.write("config",
                                       "{clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}], "
                                       "contexts: [{name: c, context: {cluster: c}}], current-context: c}");
  keelson::kube::Kind kind;
  kind.resource = keelson::kube::Resource("demo.example.com", "v1", "Greeting", "greetings");
  kind.singular = "greeting";

  auto outcome = run({"--kubeconfig=" + kubeconfig, "--metrics-bind-address=0", "--health-probe-bind-address=0"},
                     {keelson::controller::define(kind)});

  CHECK(outcome.code == 1);
}

TEST_CASE("a program with a kind that the API server would reject does not start, and the error has the fix") {
  keelson::kube::Kind kind;
  kind.resource = keelson::kube::Resource("demo.example.com", "v1", "Greeting", "greetings");
  kind.singular = "greeting";
  kind.short_names = {"GR"};

  auto outcome = run({"generate", "crd"}, {keelson::controller::define(kind)});

  CHECK(outcome.code == 1);
  CHECK(outcome.errors == "kind Greeting: the short name \"GR\" must be in lower case: write \"gr\"\n");
}

TEST_CASE("the command and the flag for help print to standard output") {
  auto command = run({"help"});
  auto flag = run({"--help"});

  CHECK(command.code == 0);
  CHECK(command.out.starts_with("Usage of manager:\n"));
  CHECK(command.errors.empty());
  CHECK(flag.code == 0);
  CHECK(flag.out == command.out);
  CHECK(flag.errors.empty());
}

TEST_CASE("the command and the flag for the version print it") {
  auto command = run({"version"});
  auto flag = run({"--kubeconfig=/nonexistent", "--version"});

  INFO(flag.errors);
  CHECK(command.code == 0);
  CHECK_FALSE(command.out.empty());
  CHECK(flag.code == 0);
  CHECK(flag.out == command.out);
  CHECK(flag.errors.empty());
}

TEST_CASE("completion prints a script with the commands and flags of the program") {
  const auto [code, script, errors] = run({"completion", "bash"});

  CHECK(code == 0);
  CHECK(script.starts_with("# Use it in ~/.bashrc: source <(manager completion bash)\n"));
  CHECK(script.find("completion doctor explain generate help install") != std::string::npos);
  CHECK(script.find("'explain '*) flags='") != std::string::npos);
  CHECK(script.find(" leader-elect: ") != std::string::npos);
  CHECK(script.find(" webhook-port:int ") != std::string::npos);
  CHECK(run({"completion", "tcsh"}).code == 2);
}
