// Requests of the user of a simulated cluster, and functions that wait for the reply.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::sandbox {

template <class T>
boost::asio::awaitable<void> store_outcome(boost::asio::awaitable<T> task, std::optional<T>& outcome) {
  outcome = co_await std::move(task);
}

// Runs the task to its end and returns its result.
template <class T>
T outcome_of(sandbox::loop::TestLoop& loop, boost::asio::awaitable<T> task) {
  std::optional<T> outcome;
  loop.run(store_outcome(std::move(task), outcome));
  return std::move(*outcome);
}

inline constexpr const char* kSimulatedUser = "user";

// `object` and `merge_patch` are JSON or YAML. JSON is sent unchanged, with all digits of its numbers.
[[nodiscard]] Result<kube::Object> create_as_user(sandbox::loop::TestLoop& loop, ApiServer& server,
                                                  const kube::Resource& resource, std::string ns,
                                                  std::string_view object);
[[nodiscard]] Result<kube::Object> patch_as_user(sandbox::loop::TestLoop& loop, ApiServer& server,
                                                 const kube::Resource& resource, const kube::Key& key,
                                                 std::string_view merge_patch, std::string subresource = "");

}  // namespace keelson::sandbox
