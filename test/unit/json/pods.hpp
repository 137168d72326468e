// Pods as an API server lists them: compact, and half of their bytes are managedFields.
#pragma once

#include <string>

namespace keelson::json::fixtures {

// About `11.7 KB` like the measured average; `index` makes names, uids and versions differ.
[[nodiscard]] inline std::string make_pod(int index) {
  const std::string n = std::to_string(index);
  const auto managed = [&](const std::string& manager, int fields) {
    std::string entry =
        R"({"manager":")" + manager +
        R"(","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1",)"
        R"("fieldsV1":{"f:metadata":{"f:annotations":{".":{},"f:example.com/a":{}},"f:labels":{".":{})";
    for (int i = 0; i < 4; ++i) entry += R"(,"f:app.kubernetes.io/label-)" + std::to_string(i) + R"(":{})";
    entry += R"(}},"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{})";
    for (int i = 0; i < fields; ++i) {
      entry += R"(,"k:{\"name\":\"VARIABLE_)" + std::to_string(i) + R"(\"}":{".":{},"f:name":{},"f:value":{}})";
    }
    return entry + R"(,"f:image":{},"f:imagePullPolicy":{}}}}}})";
  };
  std::string env;
  for (int i = 0; i < 38; ++i) {
    env += (i == 0 ? "" : ",") + std::string(R"({"name":"VARIABLE_)") + std::to_string(i) +
           R"(","value":"some value of )" + n + R"( with: {brackets}, and \"quotes\""})";
  }
  std::string conditions;
  for (const char* type : {"Initialized", "Ready", "ContainersReady", "PodScheduled", "PodReadyToStartContainers"}) {
    conditions +=
        (conditions.empty() ? "" : ",") + std::string(R"({"type":")") + type +
        R"(","status":"True","observedGeneration":1,"lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z"})";
  }
  const auto container = [&](const std::string& name) {
    return R"({"name":")" + name + R"(","image":"registry.example.com/team/)" + name +
           R"(:v1.2.3","args":["--verbose","--port=8080"],"ports":[{"containerPort":8080,"protocol":"TCP"}],"env":[)" +
           env +
           R"(],"resources":{"limits":{"cpu":"500m","memory":"256Mi"},"requests":{"cpu":"100m","memory":"128Mi"}},)"
           R"("volumeMounts":[{"name":"kube-api-access","readOnly":true,"mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],)"
           R"("livenessProbe":{"httpGet":{"path":"/healthz","port":8080,"scheme":"HTTP"},"timeoutSeconds":1,"periodSeconds":10},)"
           R"("terminationMessagePath":"/dev/termination-log","imagePullPolicy":"IfNotPresent"})";
  };
  return R"({"metadata":{"name":"pod-)" + n + R"(","generateName":"pod-","namespace":"team-)" +
         std::to_string(index % 50) + R"(","uid":"00000000-0000-4000-8000-)" + std::to_string(100000000000 + index) +
         R"(","resourceVersion":")" + std::to_string(1000 + index) +
         R"(","generation":1,"creationTimestamp":"2026-01-01T00:00:00Z",)"
         R"("labels":{"app":"web","pod-template-hash":"5d4f8c7b9","tier":"front"},)"
         R"("annotations":{"example.com/a":"b","kubectl.kubernetes.io/last-applied-configuration":"{\"kind\":\"Pod\",\"spec\":{}}\n"},)"
         R"("ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-5d4f8c7b9","uid":"owner-)" +
         std::to_string(index % 100) + R"(","controller":true,"blockOwnerDeletion":true}],"managedFields":[)" +
         managed("kubectl-client-side-apply", 32) + "," + managed("kube-controller-manager", 24) + "," +
         managed("kubelet", 16) +
         R"(]},"spec":{"volumes":[{"name":"kube-api-access","projected":{"sources":[{"serviceAccountToken":)"
         R"({"expirationSeconds":3607,"path":"token"}}],"defaultMode":420}}],"containers":[)" +
         container("main") +
         R"(],"restartPolicy":"Always","terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",)"
         R"("nodeName":"node-)" +
         std::to_string(index % 200) +
         R"(","tolerations":[{"key":"node.kubernetes.io/not-ready",)"
         R"("operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],"priority":0},"status":{"phase":"Running",)"
         R"("conditions":[)" +
         conditions + R"(],"hostIP":"10.0.0.1","podIP":"10.1.)" + std::to_string(index % 250) +
         R"(.7","startTime":"2026-01-01T00:00:00Z","containerStatuses":[{"name":"main","ready":true,"restartCount":0,)"
         R"("started":true,"state":{"running":{"startedAt":"2026-01-01T00:00:00Z"}}}],"qosClass":"Burstable"}})";
}

}  // namespace keelson::json::fixtures
