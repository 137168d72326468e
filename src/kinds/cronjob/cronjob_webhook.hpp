// The webhooks of CronJob: its defaults, and its validation with the error texts of Kubernetes. Rules that a schema can
// express are in cronjob_types.cpp instead; only the length of the name and `TZ` are in both, because a cluster without
// webhooks must reject them, and with webhooks their errors have the texts of Kubernetes. Without webhooks,
// cronjob_policy.cpp reports invalid schedules and zones in the conditions.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/schema/describe.hpp"
#include "keelson/webhook/admission.hpp"
#include "src/kinds/cronjob/cronjob.hpp"

namespace keelson::kinds {

// Sets absent fields: Allow, false, 3 and 1.
void default_cronjob(CronJobSpec& spec);

// The parts of a job template that are validated, as JSON; empty: absent. A template can have megabytes, so it is
// scanned and not parsed.
struct TemplateParts {
  std::string_view selector;
  std::string_view manual_selector;
  std::string_view pod;
  std::string_view restart_policy;
};
// Their paths in the spec, and the parts from the values at these paths.
[[nodiscard]] std::vector<std::vector<std::string>> template_paths();
[[nodiscard]] TemplateParts template_parts(const std::vector<std::string_view>& values);

// The errors, of the name before those of the spec. `old_spec` is that of an update; its violations are tolerated where
// Kubernetes tolerates them.
[[nodiscard]] std::vector<kube::FieldError> validate_cronjob(std::string_view name, const CronJobSpec& spec,
                                                             const std::optional<CronJobSpec>& old_spec,
                                                             const TemplateParts& parts);

[[nodiscard]] std::unique_ptr<webhook::Defaulter<CronJobSpec>> make_cronjob_defaulter();
[[nodiscard]] std::unique_ptr<webhook::Validator<CronJobSpec>> make_cronjob_validator();

}  // namespace keelson::kinds
