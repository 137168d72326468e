#include "src/sandbox/simulation/observation.hpp"

#include <algorithm>

#include "keelson/base/limits.hpp"

namespace keelson::sandbox {

namespace {

std::vector<kube::Kind> all_kinds(const std::vector<controller::Definition>& definitions) {
  std::vector<kube::Kind> kinds;
  for (const auto& definition : definitions) {
    kinds.insert(kinds.end(), definition.kinds().begin(), definition.kinds().end());
  }
  return kinds;
}

}  // namespace

Observation::Observation(kube::Client& server, LogSink& sink, async::Clock& clock,
                         const std::vector<controller::Definition>& definitions)
    : log(sink, clock, problems), client(server, problems, all_kinds(definitions)) {}

void Observation::hear_warning(const RequestInfo& request, const std::string& warning) {
  client.hear_warning(request, warning);
  if (warnings_.size() >= limits::kServerWarnings || !warnings_.insert(warning).second) return;
  Logger(log).named("KubeAPIWarningLogger").info(warning);
}

void Observation::note_read(const kube::Resource& resource, const kube::Key& key) {
  auto read = std::pair(resource, key);
  if (reads.size() >= kMostReads || std::find(reads.begin(), reads.end(), read) != reads.end()) return;
  reads.push_back(std::move(read));
}

}  // namespace keelson::sandbox
