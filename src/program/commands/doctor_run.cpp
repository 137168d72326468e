#include "src/program/commands/doctor_run.hpp"

#include <ostream>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/doctor/finding_tracker.hpp"
#include "keelson/detail/program/version.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

asio::awaitable<void> print_progress(async::Clock& clock, const doctor::Report& report, std::ostream& progress) {
  const auto begun = clock.now();
  while (true) {
    co_await async::sleep_for(clock, kDoctorProgress);
    const auto seconds = std::chrono::round<std::chrono::seconds>(clock.now() - begun);
    progress << report.program << " doctor: examining " << report.stage << ", " << seconds.count() << " s so far\n"
             << std::flush;
  }
}

}  // namespace

doctor::Examined examined_of(const ProgramParts& parts, const ApiSession& session, const std::string& ns) {
  return {.program = parts.program,
          .version = parts.additions.version.version,
          .server = session.server(),
          .name = parts.syntax.name,
          .controllers = parts.controllers,
          .webhooks = parts.additions.webhooks,
          .permissions = parts.additions.permissions,
          .ns = ns,
          .default_ns = session.ns(),
          .parse_flags = [&parts](const doctor::ManagerContainer& container) {
            return deployed_flags(parts.syntax, parts.controllers, container);
          }};
}

asio::awaitable<void> examine_with_progress(kube::Client& client, async::Clock& clock, doctor::Examined examined,
                                            doctor::Report& report, std::ostream& progress) {
  auto body = [&](async::TaskGroup& group) -> asio::awaitable<void> {
    group.spawn(print_progress(clock, report, progress));
    co_await doctor::examine(client, clock, std::move(examined), report);
    group.stop();
    co_await group.join();
  };
  co_await async::with_task_group(body);
}

Task<void> watch_findings(kube::Client& client, async::Clock& clock, doctor::Examined examined, DoctorWatch options,
                          std::optional<doctor::Report>& last, std::ostream& out, std::ostream& progress) {
  doctor::FindingTracker tracker;
  while (true) {
    doctor::Report report;
    co_await examine_with_progress(client, clock, examined, report, progress);
    const auto now = clock.wall_now();
    for (const auto& change : tracker.update(report, now)) {
      out << (options.wants_json ? change_json(change, now) : base::for_terminal(change_text(change, now)));
    }
    if (!last && !options.wants_json) {
      progress << report.program << " doctor: " << base::counted(report.findings.all().size(), "finding")
               << "; examining every " << base::format_go_duration(options.interval) << ", and printing changes\n"
               << std::flush;
    }
    out.flush();
    last = std::move(report);
    co_await async::sleep_for(clock, options.interval);
  }
}

}  // namespace keelson::program
