# SPDX-License-Identifier: GPL-3.0-or-later
"""Sets PATHPROF_TEST for each test that Meson runs, to the name that Meson prints. Python imports this module at startup."""

import importlib
import importlib.util
import os
import sys


class MesonTests:
    """Importer that changes the module mesonbuild.mtest after it is imported."""

    def find_spec(self, name, path=None, target=None):
        if name != "mesonbuild.mtest":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            name_tests(module)

        spec.loader.exec_module = exec_module
        return spec


def name_tests(mtest):
    init = mtest.SingleTestRunner.__init__

    def named_init(self, test, env, name, options):
        env.setdefault("PATHPROF_TEST", name)
        init(self, test, env, name, options)

    mtest.SingleTestRunner.__init__ = named_init


def restore_python():
    """Undoes the change of PYTHONPATH for child processes, and imports the sitecustomize that this module hides."""
    own = os.path.dirname(__file__)
    rest = os.environ.get("PYTHONPATH", "").removeprefix(own).removeprefix(os.pathsep)
    if rest:
        os.environ["PYTHONPATH"] = rest
    else:
        os.environ.pop("PYTHONPATH", None)
    sys.path.remove(own)
    this = sys.modules.pop(__name__)
    try:
        importlib.import_module(__name__)
    except ImportError:
        sys.modules[__name__] = this


restore_python()
sys.meta_path.insert(0, MesonTests())
