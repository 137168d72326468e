// What a CronJob's webhooks do: the defaults they fill in, and what they refuse in Kubernetes' words.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "keelson/kube/describe.hpp"
#include "keelson/webhook/admission.hpp"
#include "src/controllers/cronjob/cronjob_types.hpp"

namespace keelson::controllers {

// Fills in what is absent: Allow, false, 3 and 1.
void default_cronjob(CronJobSpec& spec);

// Name before spec. `old_spec`: of an update; what it had is tolerated where Kubernetes tolerates it.
[[nodiscard]] std::vector<kube::FieldError> validate_cronjob(std::string_view name, const CronJobSpec& spec,
                                                             const std::optional<CronJobSpec>& old_spec);

[[nodiscard]] std::unique_ptr<webhook::Defaulter<CronJobSpec>> make_cronjob_defaulter();
[[nodiscard]] std::unique_ptr<webhook::Validator<CronJobSpec>> make_cronjob_validator();

}  // namespace keelson::controllers
