// Runs the checks of doctor on a session, for the commands `doctor` and `support-bundle`.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <iosfwd>
#include <optional>
#include <string>

#include "keelson/base/task.hpp"
#include "keelson/detail/doctor/doctor.hpp"
#include "keelson/program/api_session.hpp"
#include "src/program/commands/doctor_command.hpp"

namespace keelson::program {

// An engineer on call waits for the reply.
inline constexpr std::chrono::seconds kDoctorRequestTimeout{10};
// Lines of progress on standard error begin after so long, and follow in this interval.
inline constexpr std::chrono::seconds kDoctorProgress{2};

// `parts` must outlive the result. `ns` is the value of --namespace; empty: the Deployment is searched.
[[nodiscard]] doctor::Examined examined_of(const ProgramParts& parts, const ApiSession& session, const std::string& ns);

// Fills the report, and prints what is being examined to `progress` while it takes long.
[[nodiscard]] boost::asio::awaitable<void> examine_with_progress(kube::Client& client, async::Clock& clock,
                                                                 doctor::Examined examined, doctor::Report& report,
                                                                 std::ostream& progress);

// Options of --watch.
struct DoctorWatch {
  async::Duration interval{0};
  bool wants_json = false;
};

// Examines again and again, and prints what was found and what has cleared, until it is canceled. `last` is the last
// complete report.
[[nodiscard]] Task<void> watch_findings(kube::Client& client, async::Clock& clock, doctor::Examined examined,
                                        DoctorWatch options, std::optional<doctor::Report>& last, std::ostream& out,
                                        std::ostream& progress);

}  // namespace keelson::program
