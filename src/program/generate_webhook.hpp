// config/webhook: the registrations of the kinds' webhooks, as kubebuilder writes them.
#pragma once

#include <vector>

#include "src/program/generate.hpp"

namespace keelson::program {

// Nothing when no definition has webhooks.
void generate_webhooks(const std::vector<controller::Definition>& definitions, std::vector<GeneratedFile>& out);

[[nodiscard]] bool any_webhooks(const std::vector<controller::Definition>& definitions);

}  // namespace keelson::program
