#include "src/sandbox/simulation/observation.hpp"

#include <algorithm>

#include "keelson/detail/kube/limits.hpp"

namespace keelson::sandbox {

Observation::Observation(kube::Client& server, LogSink& sink, async::Clock& clock,
                         const std::vector<controller::Definition>& definitions, UnknownFields unknown_fields,
                         kube::OperatorName name)
    : log(sink, clock, problems), client(server, problems, definitions, unknown_fields, std::move(name)) {}

void Observation::hear_warning(const RequestInfo& request, const std::string& warning) {
  client.hear_warning(request, warning);
  if (warnings_.size() >= limits::kServerWarnings || !warnings_.insert(warning).second) return;
  Logger(log).named("KubeAPIWarningLogger").info(warning);
}

void Observation::note_read(const kube::Resource& resource, const kube::Key& key) {
  auto read = std::pair(resource, key);
  if (reads.size() >= kMostReads || std::ranges::find(reads, read) != reads.end()) return;
  reads.push_back(std::move(read));
}

}  // namespace keelson::sandbox
