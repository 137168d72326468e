#include "src/program/commands/support_bundle_command.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/program/version.hpp"
#include "keelson/program/api_session.hpp"
#include "keelson/schema/time.hpp"
#include "src/program/commands/commands.hpp"
#include "src/program/commands/doctor_run.hpp"
#include "src/program/commands/support_bundle.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

constexpr cli::Flag kBundleFlags[] = {
    {"output", "FILE", "The file to create (default PROGRAM-support-TIME.tar.gz); an existing file is an error."},
    kKubeconfigFlag,
    kNamespaceFlag,
};

// "manager-support-20260102T150405Z"
std::string folder_name(const std::string& program, async::WallTime now) {
  auto time = kube::format_time(std::chrono::floor<std::chrono::seconds>(now));
  std::erase_if(time, [](char c) { return c == '-' || c == ':'; });
  return program.substr(0, 40) + "-support-" + time;
}

Task<void> fill_bundle(ApiSession& session, doctor::Examined examined, std::string version, SupportBundle& bundle,
                       std::ostream& progress) {
  co_await collect_bundle(session.client(), session.clock(), std::move(examined), std::move(version), bundle, progress);
  co_return Result<void>();
}

Result<void> write_bundle(const ProgramParts& parts, const cli::Words& words, std::ostream& out, std::ostream& errors) {
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

constexpr cli::Command kSupportBundleCommand{
    "support-bundle", "", "Write the state of the installation into one file without secrets, for a report of a bug.",
    kBundleFlags,
    R"(Writes the state of this operator's installation into one file, a tar.gz with mode 0600: version, the report of
doctor, the Deployment, and of each pod its object, the end of its log, /statusz, /flagz, /debug/objects and metrics.
Secrets are replaced by REDACTED; no Secret is included. contents.txt in it lists what could not be read, and why.)"};

int support_bundle_command(const ProgramParts& parts, const std::vector<std::string>& arguments, std::ostream& out,
                           std::ostream& errors) {
  const auto run = [&](const cli::Words& words) -> Result<int> {
    const auto written = write_bundle(parts, words, out, errors);
    if (written) return EXIT_SUCCESS;
    errors << parts.program << " support-bundle: " << base::for_terminal(written.error().message()) << "\n";
    return EXIT_FAILURE;
  };
  return cli::run_command({parts.program, out, errors}, kSupportBundleCommand, arguments, run);
}

}  // namespace keelson::program
