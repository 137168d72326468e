// config/webhook: the webhook configurations, as kubebuilder writes them.
#pragma once

#include <vector>

#include "src/program/generate.hpp"

namespace keelson::program {

// Adds nothing if there are no webhooks.
void generate_webhooks(const Declarations& declared, std::vector<GeneratedFile>& out);

}  // namespace keelson::program
