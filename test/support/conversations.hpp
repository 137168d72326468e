// The conversations that every API server must pass, by topic.
#pragma once

#include <vector>

#include "test/support/conversation.hpp"

namespace keelson::testing {

// All conversations. Each needs a namespace of its own, which must exist.
[[nodiscard]] std::vector<Conversation> conversations();

[[nodiscard]] std::vector<Conversation> conversations_about_apply();
[[nodiscard]] std::vector<Conversation> conversations_about_kinds();
[[nodiscard]] std::vector<Conversation> conversations_about_many();  // lists, watches, owners, workloads

}  // namespace keelson::testing
