// The connection of a command that talks to the API server and then ends, such as `manager doctor` or `plan`.
//
// Ownership: the session owns the event loop, the client and everything that the client needs. `program` and `sink`
// must outlive it.
//
// Cancellation and threads: run() blocks its thread until `work` has ended. The first SIGINT or SIGTERM cancels `work`,
// whose destructors run; run() then returns kTimeout "canceled by a signal". A second signal ends the process.
//
// Errors: connect() fails if no kubeconfig is found or if it cannot be used (kInvalid). It sends nothing, so an API
// server that does not answer is an error of the first request.
//
// Example (test/examples/api_session.cpp#session):
//   // Prints the number of Pods in the cluster of the current kubeconfig.
//   keelson::Result<void> print_pods(const std::string& program, keelson::LogSink& log, std::ostream& out) {
//     KEELSON_LET(auto session, program::ApiSession::connect({.program = program}, log));
//     kube::Client& client = session->client();
//     return session->run([&client, &out] { return count_pods(client, out); });
//   }
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::program {

struct ApiSessionOptions {
  std::string program;           // the binary's own name, for the User-Agent: "manager"
  kube::OperatorName name = {};  // the field manager of writes
  std::string kubeconfig = {};   // the value of --kubeconfig; empty: KUBECONFIG, in-cluster, ~/.kube/config
  std::string server = {};       // "http://localhost:8081": this server, without credentials, instead of a kubeconfig's
  // Limit of one attempt of a request. A command that a person waits for gives up earlier than a manager does.
  async::Duration request_timeout = std::chrono::seconds(60);
};

// Neither copied nor moved.
class ApiSession {
 public:
  [[nodiscard]] static Result<std::unique_ptr<ApiSession>> connect(ApiSessionOptions options, LogSink& sink);
  ApiSession(const ApiSession&) = delete;
  ApiSession& operator=(const ApiSession&) = delete;
  ~ApiSession();

  // Runs `work` on the session's loop and returns its result. Call it once: an exec plugin is stopped at its end. What
  // `work` captures must outlive this call. An exception of `work` is a kInvalid error.
  [[nodiscard]] Result<void> run(std::function<Task<void>()> work);

  [[nodiscard]] kube::Client& client();
  [[nodiscard]] async::Clock& clock();
  [[nodiscard]] boost::asio::any_io_executor executor();
  [[nodiscard]] const std::string& ns() const;      // of the kubeconfig's context, or of the pod
  [[nodiscard]] const std::string& server() const;  // "https://10.96.0.1:443"
  [[nodiscard]] const std::string& source() const;  // "kubeconfig /home/me/.kube/config, context \"kind\""

 private:
  class State;
  explicit ApiSession(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace keelson::program
