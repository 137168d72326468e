import pytest


@pytest.fixture(scope="session")
def keelson_sandbox_arguments():
    return ["--speed=10"]
