"""usage: memory.py WEFT DATA BACKEND...

Any --memory-limit either works, with the result that there is without one and within the limit, or
is refused with the least that does; what no limit does is refused before particles are read, with what is
enough whatever the halos are.
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

LIMITS = ["1", "20K", "530K", "700K", "3M", "40M", "60M"]
STEPS = 3  # the smallest halo does not fit, the largest one does not, it runs
SPHERES = ["1", "44M"]


def run(weft, arguments):
    return subprocess.run([weft] + arguments, capture_output=True, timeout=300, check=False, text=True)


def sweep(weft, name, arguments, output, limits=None):
    """What is wrong."""
    wrong = []
    done = run(weft, arguments + ["-o", output])
    if done.returncode:
        return [f"{name}: {done.stderr}"]
    with open(output, "rb") as file:
        wanted = file.read()
    enough = None
    for first in (limits or LIMITS) + ["enough"]:
        limit = enough if first == "enough" else first
        if limit is None:
            continue
        for _ in range(STEPS):
            done = run(weft, arguments + ["-o", output, "--timings", "t.json", "--memory-limit", limit])
            if done.returncode == 0 or first == "enough":
                break
            least = re.search(r"the least that does is (\d+)|--memory-limit (\d+) is the least", done.stderr)
            if done.returncode != 1 or done.stderr.count("\n") != 1 or not least:
                break
            limit = least.group(1) or least.group(2)
            told = re.search(r"(\d+) is enough for any", done.stderr)
            enough = told.group(1) if told else enough
        if done.returncode:
            wrong.append(f"{name} {first}, {limit}: {done.stderr}")
            continue
        with open(output, "rb") as file:
            if file.read() != wanted:
                wrong.append(f"{name} {first}, {limit}: another result")
        with open("t.json", encoding="ascii") as file:
            peak = json.load(file)["peak_memory"]["device"]
        power = {"K": 1024, "M": 1 << 20}.get(limit[-1], 1)
        if peak > int(limit.rstrip("KM")) * power:
            wrong.append(f"{name} {first}: with {limit} the device held {peak} bytes")
    return wrong


def main():
    weft, data, backends = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/lcdm64.hdf5", sys.argv[3:]
    wrong = []
    os.environ["WEFT_NUM_THREADS"] = "16"  # each takes memory of its own
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for backend in backends:
            halos = ["halos", data, "-q", "--so", "none", "--backend", backend, "--centers"]
            for centers in ["none", "mbp,mcp"] + (["poisson"] if backend == backends[0] else []):
                wrong += sweep(weft, f"{backend} {centers}", halos + [centers], "halos.csv")
            if backend == backends[0]:
                spheres = ["halos", data, "-q", "--backend", backend, "--so", "200c", "--properties"]
                wrong += sweep(weft, f"{backend} spheres", spheres, "halos.csv", SPHERES)
                done = run(weft, ["halos", data, "-q", "--memory-limit", "16M", "-o", "default.csv"])
                if done.returncode != 1 or "--so none leaves them out" not in done.stderr or os.path.exists("default.csv"):
                    wrong.append(f"spheres left out without a word: {done.stderr}")
            dbscan = ["dbscan", data, "-q", "--backend", backend, "--eps", "0.2", "--min-points", "5"]
            wrong += sweep(weft, f"{backend} dbscan", dbscan, "labels.i64")
        # One of the positions is none, which is known once they are read.
        with open("nan.f32", "wb") as file:
            file.write(struct.pack("<3f", 1, 2, float("nan")))
        done = run(weft, ["halos", "nan.f32", "--linking-length-absolute", "1", "--memory-limit", "9K"])
        if done.returncode != 1 or "the least that does is" not in done.stderr:
            wrong.append(f"not refused at once: {done.stderr}")
        os.chdir("/")
    print("\n".join("WRONG: " + line for line in wrong))
    sys.exit(len(wrong) > 0)


main()
