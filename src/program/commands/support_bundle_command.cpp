#include "src/program/commands/support_bundle_command.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ostream>

#include "keelson/base/go_text.hpp"
#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"
#include "keelson/program/api_session.hpp"
#include "keelson/program/command.hpp"
#include "keelson/program/command_words.hpp"
#include "keelson/program/version.hpp"
#include "keelson/schema/time.hpp"
#include "src/program/commands/doctor_run.hpp"
#include "src/program/commands/support_bundle.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

constexpr auto kBundleFlags = std::to_array<CommandFlag>({{"output"}, {"kubeconfig"}, {"namespace"}});

std::string bundle_usage(const std::string& program) {
  return "Usage: " + program + " support-bundle " + kSupportBundleArguments + R"(

Writes the state of this operator's installation into one file, a tar.gz with mode 0600: version, the report of doctor,
the Deployment, and of each pod its object, the end of its log, /statusz, /flagz, /debug/objects and metrics. Secrets are
replaced by REDACTED; no Secret is included. contents.txt in it lists what could not be read, and why.

  --output FILE          the file to create (default )" +
         program + R"(-support-TIME.tar.gz); an existing file is an error
  --kubeconfig FILE      the cluster; otherwise KUBECONFIG, the pod's service account, ~/.kube/config
  --namespace NAMESPACE  where the Deployment is; otherwise it is searched in all namespaces
)";
}

// "manager-support-20260102T150405Z"
std::string folder_name(const std::string& program, async::WallTime now) {
  auto time = kube::format_time(std::chrono::floor<std::chrono::seconds>(now));
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return program.substr(0, 40) + "-support-" + time;
}

asio::awaitable<Result<void>> fill_bundle(ApiSession& session, doctor::Examined examined, std::string version,
                                          SupportBundle& bundle, std::ostream& progress) {
  co_await collect_bundle(session.client(), session.clock(), std::move(examined), std::move(version), bundle, progress);
  co_return Result<void>();
}

Result<void> write_bundle(const DoctorParts& parts, const CommandWords& words, std::ostream& out,
                          std::ostream& errors) {
  const auto sink = make_stderr_sink({});
  KEELSON_LET(auto session, ApiSession::connect({.program = parts.program,
                                                 .name = parts.syntax.name,
                                                 .kubeconfig = words.flag("kubeconfig"),
                                                 .request_timeout = kDoctorRequestTimeout},
                                                *sink));
  const auto now = session->clock().wall_now();
  const auto folder = folder_name(parts.program, now);
  const auto path = words.flag("output", folder + ".tar.gz");
  KEELSON_LET(auto file, NewFile::create(path));
  SupportBundle bundle;
  auto examined = examined_of(parts, *session, words.flag("namespace"));
  auto version = version_text(parts.syntax.name.text(), parts.additions.version);
  KEELSON_TRY(
      session->run([&] { return fill_bundle(*session, std::move(examined), std::move(version), bundle, errors); }));
  const auto files = bundle.files(folder);
  KEELSON_TRY(file.complete(tar_gz(files, now)));
  out << "wrote " << path << " with " << files.size() << " files";
  if (!bundle.missing().empty()) out << "; " << bundle.missing().size() << " parts are missing, see contents.txt in it";
  out << "\n";
  return {};
}

}  // namespace

int support_bundle_command(const DoctorParts& parts, const std::vector<std::string>& arguments, std::ostream& out,
                           std::ostream& errors) {
  if (asks_for_help(arguments)) {
    out << bundle_usage(parts.program);
    return EXIT_SUCCESS;
  }
  auto words = parse_command_words(arguments, kBundleFlags);
  if (words && !words->arguments.empty()) {
    words = invalid_error("unexpected argument " + base::quote_go(words->arguments.front()));
  }
  if (!words) {
    errors << words.error().message() << "\nRun '" << parts.program << " support-bundle --help' for usage.\n";
    return kUsageError;
  }
  const auto written = write_bundle(parts, *words, out, errors);
  if (written) return EXIT_SUCCESS;
  errors << parts.program << " support-bundle: " << base::for_terminal(written.error().message()) << "\n";
  return EXIT_FAILURE;
}

}  // namespace keelson::program
