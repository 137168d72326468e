"""The fixtures of deploy/sandbox/python with the official client of Kubernetes."""

import pytest
from kubernetes import client, config, watch

CRD = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.example.com"},
    "spec": {
        "group": "example.com",
        "names": {"kind": "Widget", "plural": "widgets"},
        "scope": "Namespaced",
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
            "type": "object", "properties": {"spec": {"type": "object", "properties": {
                "size": {"type": "integer", "default": 3, "maximum": 9}}}}}}}],
    },
}


@pytest.fixture
def api(keelson_sandbox):
    return config.new_client_from_config(keelson_sandbox.kubeconfig)


def test_objects_are_stored(api):
    core = client.CoreV1Api(api)
    core.create_namespaced_config_map("default", client.V1ConfigMap(
        metadata=client.V1ObjectMeta(name="a"), data={"key": "value"}))
    assert core.read_namespaced_config_map("a", "default").data == {"key": "value"}


def test_a_deployment_becomes_available(api):
    labels = {"app": "web"}
    pod = client.V1PodTemplateSpec(metadata=client.V1ObjectMeta(labels=labels), spec=client.V1PodSpec(
        containers=[client.V1Container(name="web", image="nginx")]))
    apps = client.AppsV1Api(api)
    apps.create_namespaced_deployment("default", client.V1Deployment(
        metadata=client.V1ObjectMeta(name="web"), spec=client.V1DeploymentSpec(
            replicas=2, selector=client.V1LabelSelector(match_labels=labels), template=pod)))
    for event in watch.Watch().stream(apps.list_namespaced_deployment, "default", timeout_seconds=60):
        if event["object"].status.available_replicas == 2:
            return
    pytest.fail("no two replicas are available after 60 s")


def test_custom_resources_are_validated_and_defaulted(api):
    extensions = client.ApiextensionsV1Api(api)
    extensions.create_custom_resource_definition(CRD)
    for event in watch.Watch().stream(extensions.list_custom_resource_definition, timeout_seconds=60):
        conditions = event["object"].status.conditions or []
        if any(each.type == "Established" and each.status == "True" for each in conditions):
            break
    widgets = client.CustomObjectsApi(api)
    path = ("example.com", "v1", "default", "widgets")
    widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {}}
    assert widgets.create_namespaced_custom_object(*path, widget)["spec"]["size"] == 3
    widget = {**widget, "metadata": {"name": "b"}, "spec": {"size": 10}}
    with pytest.raises(client.ApiException) as rejected:
        widgets.create_namespaced_custom_object(*path, widget)
    assert rejected.value.status == 422


def test_a_new_server_has_no_objects_of_other_tests(new_keelson_sandbox):
    core = client.CoreV1Api(config.new_client_from_config(new_keelson_sandbox.kubeconfig))
    assert "a" not in [each.metadata.name for each in core.list_namespaced_config_map("default").items]
