// What a user of a simulated cluster asks for, and how a test waits for the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "keelson/kube/client.hpp"
#include "keelson/sandbox/api_server.hpp"
#include "keelson/testing/test_loop.hpp"

namespace keelson::sandbox {

template <class T>
boost::asio::awaitable<void> store_outcome(boost::asio::awaitable<T> task, std::optional<T>& outcome) {
  outcome = co_await std::move(task);
}

// Runs it to its end and returns what it came to.
template <class T>
T outcome_of(testing::TestLoop& loop, boost::asio::awaitable<T> task) {
  std::optional<T> outcome;
  loop.run(store_outcome(std::move(task), outcome));
  return std::move(*outcome);
}

inline constexpr const char* kSimulatedUser = "user";

// JSON or YAML. JSON is taken as it is, to the last digit.
[[nodiscard]] Result<kube::Object> create_as_user(testing::TestLoop& loop, ApiServer& server,
                                                  const kube::Resource& resource, std::string ns,
                                                  std::string_view object);
[[nodiscard]] Result<kube::Object> patch_as_user(testing::TestLoop& loop, ApiServer& server,
                                                 const kube::Resource& resource, const kube::Key& key,
                                                 std::string_view merge_patch);

}  // namespace keelson::sandbox
