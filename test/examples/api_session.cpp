// A command that connects to the API server, sends a request and ends.
#include "keelson/program/api_session.hpp"

#include <ostream>

#include "keelson/api/core/v1/pod.hpp"
#include "keelson/base/try.hpp"
#include "keelson/kube/typed_object.hpp"

namespace keelson::examples {

Task<void> count_pods(kube::Client& client, std::ostream& out) {
  KEELSON_CO_LET(const auto pods, co_await kube::list<core::v1::Pod>(client, {}));
  out << pods.items.size() << " pods\n";
  co_return Result<void>();
}

// [session]
// Prints the number of Pods in the cluster of the current kubeconfig.
keelson::Result<void> print_pods(const std::string& program, keelson::LogSink& log, std::ostream& out) {
  KEELSON_LET(auto session, program::ApiSession::connect({.program = program}, log));
  kube::Client& client = session->client();
  return session->run([&client, &out] { return count_pods(client, out); });
}
// [end]

}  // namespace keelson::examples
