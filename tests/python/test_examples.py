"""usage: test_examples.py BUILD/python SCRIPTS/notebooks: examples run (halos.py is run with the README),
and notebooks are of their scripts."""

import os
import subprocess
import sys
import tempfile

build, notebooks = sys.argv[1:3]
folder = os.path.join(os.path.dirname(notebooks), "..", "examples", "python")
environment = {**os.environ, "PYTHONPATH": build}
# scikit-learn would take most of the time.
without = "import runpy, sys; sys.modules['sklearn'] = None; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0])"


def output(name, *arguments):
    return subprocess.run([sys.executable, "-c", without, os.path.join(folder, name), *arguments], env=environment,
                          check=True, capture_output=True, text=True).stdout


assert "clusters of 250000 points" in output("clusters.py")
with tempfile.TemporaryDirectory() as own:
    small = os.path.join(own, "small.hdf5")
    subprocess.run([sys.executable, "-c", "import sys, weft; weft.ics(16, 60, z=0, output=sys.argv[1])", small],
                   env=environment, check=True)
    assert "all mass is there: True" in output("sheet.py", small)
subprocess.run([sys.executable, notebooks, "--check"], check=True)
