// Pods as an API server has them in production: about 11.7 KB of JSON each, half of it managedFields.
#pragma once

#include <string>

namespace keelson::bench {

inline constexpr int kPodNamespaces = 20;

[[nodiscard]] inline std::string pod_namespace(int index) {
  return "bench-pods-" + std::to_string(index % kPodNamespaces);
}
[[nodiscard]] inline std::string pod_name(int index) { return "web-5d4f8c7b9-" + std::to_string(100000 + index); }

[[nodiscard]] inline std::string pod_variables(int index, int count) {
  std::string env;
  for (int i = 0; i < count; ++i) {
    env += (i == 0 ? "" : ",") + std::string(R"({"name":"VARIABLE_)") + std::to_string(i) + R"(","value":"value of )" +
           std::to_string(index) + R"( with: {brackets}, \"quotes\""})";
  }
  return env;
}

// With an unknown scheduler, so that the pod does not change.
[[nodiscard]] inline std::string pod_body(int index) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + pod_name(index) +
         R"(","labels":{"app":"web","pod-template-hash":"5d4f8c7b9","tier":"front"},"annotations":)"
         R"({"example.com/checksum":"0123456789abcdef0123456789abcdef","example.com/scrape":"true"}},)"
         R"("spec":{"schedulerName":"none","containers":[{"name":"main","image":"registry.example.com/team/web:v1.2.3",)"
         R"("args":["--verbose","--port=8080"],"ports":[{"containerPort":8080,"name":"http"}],"env":[)" +
         pod_variables(index, 39) +
         R"(],"resources":{"limits":{"cpu":"500m","memory":"256Mi"},"requests":{"cpu":"100m","memory":"128Mi"}},)"
         R"("livenessProbe":{"httpGet":{"path":"/healthz","port":8080}},"volumeMounts":)"
         R"([{"name":"config","mountPath":"/etc/web"}]}],"volumes":[{"name":"config","configMap":{"name":"web"}}]}})";
}

// An apply of another field manager: no new fields, but shared ownership, which managedFields record.
[[nodiscard]] inline std::string pod_claim(int index) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + pod_name(index) +
         R"("},"spec":{"containers":[{"name":"main","image":"registry.example.com/team/web:v1.2.3","env":[)" +
         pod_variables(index, 15) + R"(]}]}})";
}

// The status that a kubelet would have written.
[[nodiscard]] inline std::string pod_status() {
  std::string conditions;
  for (const char* type : {"Initialized", "Ready", "ContainersReady", "PodScheduled", "PodReadyToStartContainers"}) {
    conditions += (conditions.empty() ? "" : ",") + std::string(R"({"type":")") + type +
                  R"(","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"})";
  }
  return R"({"status":{"phase":"Running","hostIP":"10.0.0.1","podIP":"10.1.2.3","podIPs":[{"ip":"10.1.2.3"}],)"
         R"("startTime":"2026-01-01T00:00:00Z","conditions":[)" +
         conditions +
         R"(],"containerStatuses":[{"name":"main","image":"registry.example.com/team/web:v1.2.3","imageID":"",)"
         R"("ready":true,"restartCount":0,"started":true,"state":{"running":{"startedAt":"2026-01-01T00:00:00Z"}}}]}})";
}

}  // namespace keelson::bench
