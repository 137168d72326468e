// What a support bundle contains: the state of an installation as files, without secrets.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/detail/doctor/doctor.hpp"
#include "keelson/kube/client.hpp"
#include "src/program/commands/tar_gz.hpp"

namespace keelson::program {

// The parts of a bundle, each redacted and with a limited size.
class SupportBundle {
 public:
  // Adds a file; `content` is redacted, and the beginning of one with more than `limit` bytes is cut off.
  void add(const std::string& path, std::string_view content, std::size_t limit);
  void add(const std::string& path, std::string_view content);  // up to the limit of each file
  void add_object(const std::string& path, json::View object);
  // A part that could not be read, and why.
  void add_missing(const std::string& path, const std::string& reason);

  // All files, with a table of contents that lists what is missing.
  [[nodiscard]] std::vector<ArchivedFile> files(const std::string& folder) const;
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& missing() const { return missing_; }

 private:
  void store(const std::string& path, std::string content);

  std::vector<ArchivedFile> files_;
  std::vector<std::pair<std::string, std::string>> missing_;
  std::size_t bytes_ = 0;
};

// Reads everything through the API server: the report of doctor, the Deployment, and of each pod its object, its logs
// and its pages. Requests are sent one after another, each with a limit of time. Errors are parts that are missing.
// `version` is the text of version.txt. The references must outlive the coroutine; cancellation unwinds.
[[nodiscard]] boost::asio::awaitable<void> collect_bundle(kube::Client& client, async::Clock& clock,
                                                          doctor::Examined examined, std::string version,
                                                          SupportBundle& bundle, std::ostream& progress);

}  // namespace keelson::program
