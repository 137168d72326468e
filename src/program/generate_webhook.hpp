// config/webhook: the registrations of the kinds' webhooks, as kubebuilder writes them.
#pragma once

#include <vector>

#include "src/program/generate.hpp"

namespace keelson::program {

// Adds nothing if no definition has webhooks.
void generate_webhooks(const std::vector<controller::Definition>& definitions, const kube::OperatorName& name,
                       std::vector<GeneratedFile>& out);

}  // namespace keelson::program
