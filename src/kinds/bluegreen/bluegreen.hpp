// The kind BlueGreen: its spec, its status, and its columns in kubectl.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "keelson/controller/custom_resource.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/schema/condition.hpp"

namespace keelson::kinds {

// The colors, as in routeTo and in the label app.kubernetes.io/phase.
inline constexpr std::string_view kBlue = "Blue";
inline constexpr std::string_view kGreen = "Green";
inline constexpr std::array kColors{kBlue, kGreen};

// False for other texts: objects of an earlier CRD, without validation, may have any text as a color.
[[nodiscard]] constexpr bool is_color(std::string_view text) { return text == kBlue || text == kGreen; }

inline constexpr std::string_view kImmediate = "Immediate";
inline constexpr std::string_view kWhenReady = "WhenReady";

struct BlueGreenSpec {
  std::string route_to;
  kube::RawJson blue_spec;  // PodSpecs, as the received bytes; empty: no such color
  kube::RawJson green_spec;
  std::optional<std::string> switch_policy;  // absent: Immediate
  bool operator==(const BlueGreenSpec&) const = default;

  [[nodiscard]] const std::string& pod_spec(std::string_view color) const {
    return color == kBlue ? blue_spec.text : green_spec.text;
  }
  [[nodiscard]] bool has(std::string_view color) const { return !pod_spec(color).empty() && pod_spec(color) != "null"; }
};

struct ColorStatus {
  std::int32_t ready_replicas = 0;
  bool operator==(const ColorStatus&) const = default;
};

struct BlueGreenStatus {
  std::string route_to;             // the color that the Service selects, or selected last; empty: there was no Service
  std::optional<ColorStatus> blue;  // absent: there is no Deployment
  std::optional<ColorStatus> green;
  std::int64_t observed_generation = 0;
  std::vector<kube::Condition> conditions;  // kConditions below, and Ready, Reconciling, Stalled
  bool operator==(const BlueGreenStatus&) const = default;
};

void describe(kube::Description& d, BlueGreenSpec& spec);
void describe(kube::Description& d, ColorStatus& status);
void describe(kube::Description& d, BlueGreenStatus& status);

struct BlueGreen : CustomResource<BlueGreenSpec, BlueGreenStatus> {
  static constexpr kube::Identity kIdentity{"app.demo.kakao.com", "v1", "BlueGreen"};
  static constexpr auto kConditions =
      std::to_array<std::string_view>({"Available", "Progressing", "Degraded", "TrafficSwitched"});
  static void describe_kind(kube::Kind& kind);
};

// The BlueGreen controller: two Deployments and a Service that sends traffic to one of them.
[[nodiscard]] controller::Definition bluegreen();

}  // namespace keelson::kinds
