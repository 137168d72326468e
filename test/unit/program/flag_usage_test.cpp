#include <catch2/catch_test_macros.hpp>
#include <string>

#include "keelson/detail/program/flags.hpp"
#include "src/program/flags/flag_table.hpp"

using keelson::program::flag_table;

TEST_CASE("usage is printed as Go's PrintDefaults prints it") {
  auto text = keelson::program::usage("/manager");

  CHECK(text.starts_with(
      "Usage of /manager:\n\nCommands (without a command, the controllers run):\n  version [--licenses]\n    \tPrint"));
  CHECK(text.find("\n  generate crd|rbac|samples|webhook|all|kube-state-metrics --output DIR\n") != std::string::npos);
  CHECK(text.find("\n\nFlags:\n  -config string\n    \tA YAML file") != std::string::npos);
  CHECK(text.find("\n  -enable-http2\n    \tAccepted for compatibility with existing manifests; the servers use "
                  "HTTP/1.1 in any case.\n  -enable-leader-election\n    \tThe former name of --leader-elect.\n") !=
        std::string::npos);
  CHECK(text.find("\n  -kubeconfig string\n    \tPaths to a kubeconfig. Only required if out-of-cluster.\n") !=
        std::string::npos);
  CHECK(text.find("\n  -max-concurrent-reconciles int\n    \tMaximum number of objects that each controller reconciles "
                  "at the same time. (default 16)\n") != std::string::npos);
  CHECK(text.find("Use 0 to disable it. (default \":8080\")\n") != std::string::npos);
  CHECK(text.find("0 means never. (default 10h0m0s)\n") != std::string::npos);
  CHECK(text.find("\n  -zap-encoder value\n    \tZap log encoding (one of 'json' or 'console')\n") !=
        std::string::npos);
  CHECK(text.find("samples equal messages. (default true)\n") != std::string::npos);
}

TEST_CASE("the flags are sorted and unique, and each has a help text without backquotes") {
  // Go takes a back-quoted word of the help for the name of the value.
  std::string_view before;
  for (const auto& flag : flag_table()) {
    INFO(flag.name);
    CHECK(before < flag.name);
    CHECK_FALSE(flag.help.empty());
    CHECK(flag.help.find('`') == std::string_view::npos);
    before = flag.name;
  }
}

TEST_CASE("the documentation has a row for every flag") {
  auto text = keelson::program::flags_markdown();

  CHECK(text.starts_with("| flag | type | default | |\n|---|---|---|---|\n| `--config` | string |  | "));
  CHECK(text.find("| `--sync-period` | duration | `10h0m0s` | Interval in which every object is reconciled without a "
                  "change; 0 means never. |\n") != std::string::npos);
  for (const auto& flag : flag_table()) {
    CHECK(text.find("\n| `--" + std::string(flag.name) + "` | ") != std::string::npos);
  }
}

TEST_CASE("a flag of a controller is listed among the others in the usage and in the documentation") {
  using keelson::controller::make_flag;
  const keelson::program::Syntax own{
      {},
      {make_flag<std::int64_t>("jazz-seed", std::monostate{}, "Seed of the song."),
       make_flag<std::vector<std::string>>("keys", std::vector<std::string>{"c", "d"}, "Keys."),
       make_flag<std::string>("key-of-all", std::string("c"), "Key."),
       make_flag<std::chrono::nanoseconds>("keep", std::chrono::nanoseconds(std::chrono::seconds(90)), "Keep."),
       make_flag<bool>("keen", true, "Keen.")},
      {}};

  auto text = keelson::program::usage("/manager", own);
  auto documentation = keelson::program::flags_markdown(own);

  CHECK(text.find("\n  -jazz-seed int\n    \tSeed of the song.\n  -keen\n    \tKeen. (default true)\n"
                  "  -keep duration\n    \tKeep. (default 1m30s)\n  -key-of-all string\n    \tKey. (default \"c\")\n"
                  "  -keys list\n    \tKeys. (default \"c,d\")\n  -kubeconfig string\n") != std::string::npos);
  CHECK(
      documentation.find("\n| `--jazz-seed` | int |  | Seed of the song. |\n| `--keen` | bool | `true` | Keen. |\n") !=
      std::string::npos);
}
