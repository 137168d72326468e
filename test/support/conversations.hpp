// The conversations that every server of the API must hold alike, by what they are about.
#pragma once

#include <vector>

#include "test/support/conversation.hpp"

namespace keelson::test {

// All there are. Each wants a namespace of its own, which must exist.
[[nodiscard]] std::vector<Conversation> conversations();

[[nodiscard]] std::vector<Conversation> conversations_about_apply();
[[nodiscard]] std::vector<Conversation> conversations_about_kinds();
[[nodiscard]] std::vector<Conversation> conversations_about_many();  // lists, watches, owners, workloads

}  // namespace keelson::test
