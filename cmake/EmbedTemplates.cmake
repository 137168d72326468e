# Writes the templates of the program `keelson` as a C++ source to OUTPUT: the files in TEMPLATES, the files of config/ that
# are the same for every operator, and a table of the kinds in include/keelson/api. Run by KeelsonScaffold.cmake, which
# passes SOURCE_DIR.
set(templates "${SOURCE_DIR}/src/scaffold/templates")

# The files of config/ that `generate` does not write. default/kustomization.yaml begins without webhooks.
set(config_files
  certmanager/certificate-metrics.yaml certmanager/certificate-webhook.yaml certmanager/issuer.yaml certmanager/kustomization.yaml
  certmanager/kustomizeconfig.yaml
  default/cert_metrics_manager_patch.yaml default/kustomization.yaml default/manager_auth_proxy_patch.yaml
  default/manager_webhook_patch.yaml default/metrics_service.yaml default/webhook_cert_manager_patch.yaml default/webhook_secret.yaml
  default/webhook_self_signed_patch.yaml default/without_self_signed_patch.yaml
  manager/kustomization.yaml manager/manager.yaml
  network-policy/allow-metrics-traffic.yaml network-policy/allow-webhook-traffic.yaml network-policy/kustomization.yaml
  prometheus/kustomization.yaml prometheus/monitor.yaml prometheus/monitor_tls_patch.yaml
  webhook/kustomization.yaml webhook/service.yaml)

# replace_once(VARIABLE FROM TO): fails if the text is not there, so that a change of config/ cannot go unnoticed.
function(replace_once variable from to)
  string(FIND "${${variable}}" "${from}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "${path} does not contain '${from}': change cmake/EmbedTemplates.cmake with it")
  endif()
  string(REPLACE "${from}" "${to}" text "${${variable}}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

set(entries "")
function(embed path text)
  string(APPEND entries "    {\"${path}\", R\"~~(${text})~~\"},\n")
  set(entries "${entries}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE names RELATIVE "${templates}" "${templates}/*.in")
list(SORT names)
foreach(name IN LISTS names)
  file(READ "${templates}/${name}" text)
  string(REGEX REPLACE "[.]in$" "" path "${name}")
  embed("${path}" "${text}")
endforeach()

foreach(path IN LISTS config_files)
  file(READ "${SOURCE_DIR}/config/${path}" text)
  string(REPLACE "app.kubernetes.io/name: keelson" "app.kubernetes.io/name: {{name}}" text "${text}")
  if(path STREQUAL "default/kustomization.yaml")
    replace_once(text "namespace: keelson-system" "namespace: {{name}}-system")
    replace_once(text "namePrefix: keelson-" "namePrefix: {{name}}-")
    # `generate` writes ../crd only if the operator defines kinds.
    replace_once(text "- ../crd\n- ../rbac\n- ../manager\n" "- ../rbac\n- ../manager\n# [CRD] The kinds of the operator.\n- ../crd\n")
    replace_once(text " kustomize/components/names has both too: change\n# them together." "")
    replace_once(text " The comment of a tag\n# names the tags that belong to it. The overlays in kustomize/ do the same without changing this file." " The comment of a tag\n# names the tags that belong to it.")
    string(APPEND text "
# [NAMESPACED] The operator works only in its own namespace, with a Role instead of a ClusterRole. Webhooks apply to the whole
# cluster: to enable it, also disable [WEBHOOK] and [SELF-SIGNED].
#components:
#- ../namespaced
")
  elseif(path STREQUAL "default/webhook_secret.yaml")
    replace_once(text "keelson.dev/webhook-certificate" "{{name}}.keelson.dev/webhook-certificate")
  elseif(path STREQUAL "manager/manager.yaml")
    replace_once(text "For clusters with different nodes: the image is built for linux/amd64 and linux/arm64."
      "For clusters with different nodes: those that the image is built for.")
  elseif(path STREQUAL "prometheus/kustomization.yaml")
    replace_once(text "- alerts.yaml\n" "")
  endif()
  # Annotations and metrics have these names in every operator.
  string(REGEX REPLACE "keelson([.]dev/|_)" "" rest "${text}")
  if(rest MATCHES "keelson")
    message(FATAL_ERROR "config/${path} names keelson, which projects of other operators would copy: change cmake/EmbedTemplates.cmake")
  endif()
  embed("config/${path}" "${text}")
endforeach()

# The variant `namespaced` without its changes of webhooks, which `keelson edit` disables.
foreach(path manager_namespace_patch.yaml role_binding_patch.yaml role_patch.yaml)
  file(READ "${SOURCE_DIR}/kustomize/components/namespaced/${path}" text)
  embed("config/namespaced/${path}" "${text}")
endforeach()

set(kinds "")
file(GLOB headers "${SOURCE_DIR}/include/keelson/api/*/*/*.hpp")
list(SORT headers)
foreach(header IN LISTS headers)
  file(RELATIVE_PATH include "${SOURCE_DIR}/include" "${header}")
  file(READ "${header}" text)
  # A declaration may have several lines. Other headers have parts of kinds.
  if(NOT text MATCHES "kube::Identity kIdentity{([^}]*)}")
    continue()
  endif()
  set(declaration "${CMAKE_MATCH_1}")
  string(REGEX MATCH "\"([^\"]*)\",[ \n]*\"([^\"]*)\",[ \n]*\"([^\"]*)\"" found "${declaration}")
  set(identity "\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", \"${CMAKE_MATCH_3}\"")
  set(kind "${CMAKE_MATCH_3}")
  set(is_namespaced true)
  if(declaration MATCHES "kCluster")
    set(is_namespaced false)
  endif()
  # keelson/api/apps/v1/deployment.hpp has apps::v1::Deployment.
  string(REGEX REPLACE "^keelson/api/([^/]+)/([^/]+)/.*$" "\\1::\\2::${kind}" type "${include}")
  string(APPEND kinds "    {${identity}, \"${include}\", \"${type}\", ${is_namespaced}},\n")
endforeach()

file(WRITE "${OUTPUT}" "#include \"src/scaffold/template_files.hpp\"

namespace keelson::scaffold {

std::span<const TemplateFile> template_files() {
  static constexpr TemplateFile kFiles[] = {
${entries}  };
  return kFiles;
}

std::span<const KubernetesKind> kubernetes_kinds() {
  static constexpr KubernetesKind kKinds[] = {
${kinds}  };
  return kKinds;
}

}  // namespace keelson::scaffold
")
