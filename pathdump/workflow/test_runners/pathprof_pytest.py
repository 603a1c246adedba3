# SPDX-License-Identifier: GPL-3.0-or-later
"""Plugin for pytest that sets PATHPROF_TEST while a test runs, and tells the runtime in this process, if there is one."""

import ctypes
import os

import pytest


def remove_from(variable, part, separator):
    """Removes the part that `pathprof record` added to a variable, so that child processes see the user's value."""
    rest = separator.join(word for word in os.environ.get(variable, "").split(separator) if word != part)
    if rest:
        os.environ[variable] = rest
    else:
        os.environ.pop(variable, None)


class TestNames:
    """Names the tests. Extension modules that contain the runtime are found among the mapped files of this process."""

    def __init__(self):
        self.files = set()  # mapped files that were already examined
        self.begin = None  # pathrt_test_begin

    def find_runtime(self):
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
            files = {line.rstrip("\n").split(maxsplit=5)[5] for line in maps if ".so" in line}
        for file in sorted(files - self.files):
            try:
                library = ctypes.CDLL(file, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
            except OSError:
                continue
            if hasattr(library, "pathrt_test_begin"):
                self.begin = library.pathrt_test_begin
                return
        self.files |= files

    def set_test(self, name):
        if name:
            os.environ["PATHPROF_TEST"] = name
        else:
            os.environ.pop("PATHPROF_TEST", None)
        if self.begin is None:
            self.find_runtime()
        if self.begin is not None:
            self.begin(os.fsencode(name))

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        # Until the first test, worker processes of pytest-xdist can start, which load this plugin, too.
        remove_from("PYTEST_ADDOPTS", "-ppathprof_pytest", " ")
        remove_from("PYTHONPATH", os.path.dirname(__file__), os.pathsep)
        self.set_test(item.nodeid)
        yield
        self.set_test("")


def pytest_configure(config):
    if "PATHPROF_TEST" not in os.environ:
        config.pluginmanager.register(TestNames(), "pathprof_test_names")
