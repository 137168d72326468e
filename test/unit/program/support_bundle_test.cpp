#include "src/program/commands/support_bundle.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "keelson/sandbox/loop/test_loop.hpp"
#include "keelson/schema/time.hpp"
#include "test/support/temporary_folder.hpp"
#include "test/unit/program/examined_sea.hpp"

namespace keelson::program {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  CHECK(::pclose(pipe) == 0);
  return text;
}

const std::string* content_of(const std::vector<ArchivedFile>& files, const std::string& path) {
  for (const auto& file : files) {
    if (file.path == path) return &file.content;
  }
  return nullptr;
}

// An installation with one pod whose log, pages and arguments contain secrets. Anything else is 403.
class LeakyClient final : public kube::Client {
 public:
  Task<kube::ApiReply> send(kube::ApiRequest request) override {
    auto path = request.raw_path;
    if (path.empty()) path = request.resource.path(request.key.ns, request.key.name, request.subresource);
    for (const auto& [name, value] : request.query) {
      if (name == "tailLines" && !log_line.empty()) co_return kube::ApiReply{200, log_of(request, value)};
      if (name == "result") path += "?result=" + value;
    }
    for (const auto& [known, body] : replies) {
      if (known == path) co_return kube::ApiReply{200, body};
    }
    Error error(Error::Kind::kStatus, "Forbidden");
    error.code = 403;
    error.reason = "Forbidden";
    error.server_text = "x is forbidden: User \"u\" cannot get resource \"x\" in API group \"\"";
    co_return error;
  }
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest) override {
    Error error(Error::Kind::kStatus, "Forbidden");
    error.code = 403;
    error.reason = "Forbidden";
    error.server_text = "User \"u\" cannot get path \"/version\"";
    co_return error;
  }

  // As the API server: the last lines, of which the end is cut off.
  std::string log_of(const kube::ApiRequest& request, const std::string& tail) {
    std::size_t limit = 0;
    for (const auto& [name, value] : request.query) {
      if (name == "limitBytes") limit = std::stoul(value);
    }
    std::string log;
    for (auto line = kLines - std::stoul(tail); line < kLines && log.size() < limit; ++line) {
      log += std::to_string(line) + log_line + "\n";
    }
    return log.substr(0, limit);
  }

  static constexpr std::size_t kLines = 5000;
  std::vector<std::pair<std::string, std::string>> replies;
  std::string log_line = {};  // not empty: the logs have kLines of them
};

constexpr const char* kSecretWord = "hunter2hunter2hunter2";

LeakyClient leaky_client() {
  const std::string secret = kSecretWord;
  const auto pod =
      R"({"metadata":{"name":"sea-1","annotations":{"a":")" + secret +
      R"("}},"spec":{"serviceAccountName":"sailor","containers":[{"name":"manager","args":["--db-password=)" + secret +
      R"("],"env":[{"name":"A","value":")" + secret +
      R"("}],"ports":[{"name":"https","containerPort":8443}]}]},"status":{"phase":"Running",)"
      R"("containerStatuses":[{"name":"manager","restartCount":1}]}})";
  const std::string proxy = "/api/v1/namespaces/sea-system/pods/sea-1:8081/proxy";
  LeakyClient client;
  client.replies = {
      {"/api/v1/namespaces/sea-system/pods", R"({"items":[)" + pod + "]}"},
      {"/api/v1/namespaces/sea-system/pods/sea-1/log", "INFO started\nERROR Authorization: Bearer " + secret + "\n"},
      {proxy + "/statusz", "lastError: get https://u:" + secret + "@db/: EOF"},
      {proxy + "/flagz", "dsn=" + secret},
      {proxy + "/debug/objects?result=error", R"({"items":[],"continue":"250"})"},
      {"/api/v1/namespaces/sea-system/pods/https:sea-1:8443/proxy/metrics", "keelson_objects 3\n"},
  };
  return client;
}

void collect(LeakyClient& client, SupportBundle& bundle) {
  sandbox::loop::TestLoop loop;
  std::ostringstream progress;
  const auto examined = examined_sea();

  loop.run([&]() -> boost::asio::awaitable<void> {
    co_await collect_bundle(client, loop.clock(), examined, "sea-operator 1.4.0\n", bundle, progress);
  });
}

}  // namespace

TEST_CASE("an archive is read by tar, with its contents and modes") {
  testing::TemporaryFolder folder;
  const std::string large(100'000, 'x');

  const auto archive = tar_gz({{"s/a.txt", "one\n"}, {"s/b.txt", large}, {"s/empty.txt", ""}},
                              *kube::parse_time("2026-01-02T15:04:05Z"));

  const auto path = folder.file("a.tar.gz");
  std::ofstream(path, std::ios::binary) << archive;
  CHECK(output_of("tar xzOf " + path + " s/a.txt") == "one\n");
  CHECK(output_of("tar xzOf " + path + " s/b.txt") == large);
  CHECK(output_of("TZ=UTC tar tvzf " + path + " s/a.txt").starts_with("-rw------- 0/0"));
  CHECK(output_of("tar tzf " + path) == "s/a.txt\ns/b.txt\ns/empty.txt\n");
  CHECK(archive.size() < 2'000);
}

TEST_CASE("a bundle is a new file that only its owner reads, and an interrupted command leaves none") {
  testing::TemporaryFolder folder;
  const auto path = folder.file("bundle");
  {
    auto file = NewFile::create(path);
    REQUIRE(file);
    CHECK(::access(path.c_str(), F_OK) == 0);
  }
  CHECK(::access(path.c_str(), F_OK) != 0);
  auto file = NewFile::create(path);
  REQUIRE(file);
  REQUIRE(file->complete("content"));
  struct stat facts {};
  REQUIRE(::stat(path.c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  CHECK(facts.st_size == 7);

  const auto again = NewFile::create(path);
  REQUIRE_FALSE(again);
  CHECK(again.error().message() == path + " exists: give another file with --output");
  const auto nowhere = NewFile::create(folder.file("missing/bundle"));
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().message().find("/missing/bundle") != std::string::npos);
  CHECK(nowhere.error().message().find("no such file or directory") != std::string::npos);
}

TEST_CASE("a bundle has every part that could be read, without any secret, and the reasons of the others") {
  auto client = leaky_client();
  SupportBundle bundle;
  collect(client, bundle);

  const auto files = bundle.files("s");
  for (const char* path :
       {"s/contents.txt", "s/version.txt", "s/doctor.txt", "s/doctor.json", "s/pods/sea-1/pod.json",
        "s/pods/sea-1/log.txt", "s/pods/sea-1/previous-log.txt", "s/pods/sea-1/statusz.txt", "s/pods/sea-1/flagz.txt",
        "s/pods/sea-1/metrics.txt", "s/pods/sea-1/debug-objects-errors.json"}) {
    INFO(path);
    CHECK(content_of(files, path) != nullptr);
  }
  for (const auto& file : files) {
    INFO(file.path << "\n" << file.content);
    CHECK(file.content.find(kSecretWord) == std::string::npos);
  }
  CHECK(*content_of(files, "s/version.txt") == "sea-operator 1.4.0\n");
  const auto* contents = content_of(files, "s/contents.txt");
  REQUIRE(contents != nullptr);
  INFO(*contents);
  CHECK(contents->find("pods/sea-1/debug-objects-errors.json: only the first objects") != std::string::npos);
  CHECK(contents->find("pods/sea-1/debug-objects.json: ") != std::string::npos);
  CHECK(contents->find("get pods/proxy in the namespace sea-system") != std::string::npos);
}

TEST_CASE("the newest lines of a log are in the bundle, and its contents say which are not") {
  struct Row {
    std::size_t line_size;
    const char* said;
  };
  for (const auto& row : {Row{100, "Nothing"}, Row{2'000, "bytes were cut off"}, Row{20'000, "only the last 200 lines"},
                          Row{150'000, "only the last 20 lines"}}) {
    INFO(row.line_size);
    auto client = leaky_client();
    client.log_line = std::string(row.line_size, 'x');
    SupportBundle bundle;

    collect(client, bundle);

    const auto files = bundle.files("s");
    const auto* log = content_of(files, "s/pods/sea-1/log.txt");
    REQUIRE(log != nullptr);
    CHECK(log->size() <= std::size_t{1} << 20);
    CHECK(log->size() > 200'000);
    CHECK(log->find("\n4999x") != std::string::npos);
    CHECK(log->ends_with("x\n"));
    const auto& contents = *content_of(files, "s/contents.txt");
    const auto about = contents.find("pods/sea-1/log.txt: ");
    if (row.line_size == 100) {
      CHECK(about == std::string::npos);
    } else {
      REQUIRE(about != std::string::npos);
      CHECK(contents.find(row.said, about) != std::string::npos);
    }
  }
}

TEST_CASE("a log whose last lines exceed every limit is cut at its end, and the contents say so") {
  auto client = leaky_client();
  client.log_line = std::string(5'000'000, 'x');
  SupportBundle bundle;

  collect(client, bundle);

  const auto files = bundle.files("s");
  CHECK(content_of(files, "s/contents.txt")->find("the newest were cut off") != std::string::npos);
}

TEST_CASE("the parts of a bundle and all of it have a limit, and the end of a log is what stays") {
  SupportBundle bundle;
  std::string log;
  for (int i = 0; log.size() < std::size_t{6} << 20; ++i) log += "line " + std::to_string(i) + "\n";
  for (int i = 0; i < 12; ++i) bundle.add("log" + std::to_string(i), log);

  const auto files = bundle.files("s");

  std::size_t bytes = 0;
  for (const auto& file : files) bytes += file.content.size();
  CHECK(bytes <= std::size_t{33} << 20);
  CHECK(files.at(1).content.starts_with("line "));
  CHECK(files.at(1).content.ends_with(log.substr(log.size() - 100)));
  CHECK(bundle.missing().size() > 12);
}

}  // namespace keelson::program
