"""usage: test_examples.py BUILD/python LCDM64.hdf5 SCRIPTS/notebooks: examples run (halos.py is run with the README),
and notebooks are of their scripts."""

import os
import subprocess
import sys

build, snapshot, notebooks = sys.argv[1:4]
folder = os.path.join(os.path.dirname(notebooks), "..", "examples", "python")
environment = {**os.environ, "PYTHONPATH": build}
# scikit-learn would take most of the time.
without = "import runpy, sys; sys.modules['sklearn'] = None; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0])"


def output(name, *arguments):
    return subprocess.run([sys.executable, "-c", without, os.path.join(folder, name), *arguments], env=environment,
                          check=True, capture_output=True, text=True).stdout


assert "clusters of 250000 points" in output("clusters.py")
assert "all mass is there: True" in output("sheet.py", snapshot)
subprocess.run([sys.executable, notebooks, "--check"], check=True)
