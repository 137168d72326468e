"""The fixtures of keelson-sandbox for pytest, which loads them itself when the package is installed."""

import pytest

from keelson_sandbox import Sandbox


def pytest_addoption(parser):
    parser.getgroup("keelson-sandbox").addoption(
        "--keelson-sandbox", metavar="PROGRAM", help="the program keelson-sandbox (default: the variable KEELSON_SANDBOX, or in PATH)")


@pytest.fixture(scope="session")
def keelson_sandbox_arguments():
    """The flags of the server. Override this fixture in conftest.py to change them."""
    return []


@pytest.fixture(scope="session")
def keelson_sandbox(request, keelson_sandbox_arguments):
    """A server for all tests of the session, or of a worker of pytest-xdist."""
    with Sandbox(*keelson_sandbox_arguments, binary=request.config.getoption("--keelson-sandbox")) as sandbox:
        yield sandbox


@pytest.fixture
def new_keelson_sandbox(request, keelson_sandbox_arguments):
    """A server for a single test, without objects of other tests."""
    with Sandbox(*keelson_sandbox_arguments, binary=request.config.getoption("--keelson-sandbox")) as sandbox:
        yield sandbox
