"""usage: memory.py WEFT DATA BACKEND...

Any --memory-limit either works, with the result that there is without one and within the limit, or
is refused with the least that does, before particles are read. Halos and spheres that do not fit are worked on
in a file, whatever the limit is above that least; what the disk has no room for is said.
"""
import json
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile

LIMITS = ["1", "700K", "1050K", "3M", "60M"]  # refused; the largest of lcdm64's halos takes 1099K
SPHERES = ["1", "44M"]
WIDE = ["40M"]  # 59,232 particles around one halo take 43M


def run(weft, arguments, **how):
    return subprocess.run([weft] + arguments, capture_output=True, timeout=300, check=False, text=True, **how)


def sweep(weft, name, arguments, output, limits, spilled=None):
    """What is wrong; each limit works but "1", in whose place the least that does works. Those of
    `spilled` use a file, and no others."""
    wrong = []
    done = run(weft, arguments + ["-o", output])
    if done.returncode:
        return [f"{name}: {done.stderr}"]
    with open(output, "rb") as file:
        wanted = file.read()
    for first in limits:
        with_limit = arguments + ["-o", output, "--timings", "t.json", "--memory-limit"]
        limit = first
        done = run(weft, with_limit + [limit])
        if first == "1":
            least = re.search(r"the least that does is (\d+)|--memory-limit (\d+) is the least", done.stderr)
            if done.returncode != 1 or done.stderr.count("\n") != 1 or not least:
                wrong.append(f"{name} {first}: not refused: {done.stderr}")
                continue
            limit = least.group(1) or least.group(2)
            done = run(weft, with_limit + [limit])
        if done.returncode:
            wrong.append(f"{name} {first}, {limit}: {done.stderr}")
            continue
        if spilled is not None and (" are in a file without a name in " in done.stderr) != (first in spilled):
            wrong.append(f"{name} {first}: a file or none: {done.stderr}")
        with open(output, "rb") as file:
            if file.read() != wanted:
                wrong.append(f"{name} {first}, {limit}: another result")
        with open("t.json", encoding="ascii") as file:
            peak = json.load(file)["peak_memory"]["device"]
        power = {"K": 1024, "M": 1 << 20}.get(limit[-1], 1)
        if peak > int(limit.rstrip("KM")) * power:
            wrong.append(f"{name} {first}: with {limit} the device held {peak} bytes")
    return wrong


def without_room(weft, arguments):
    """Files of 20,000 bytes at most."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))  # Python ignores its signal, and so does weft
    done = run(weft, arguments + ["--memory-limit", "700K", "-o", "full.csv"], preexec_fn=limit, restore_signals=False)
    left = [name for name in os.listdir(".") if "spill" in name or name == "full.csv"]
    if done.returncode != 1 or "--memory-limit does not hold, in .: File too large" not in done.stderr or left:
        return [f"a full disk: {done.returncode}, {left}: {done.stderr}"]
    return []


def main():
    weft, data, backends = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + "/lcdm64.hdf5", sys.argv[3:]
    wrong = []
    os.environ["WEFT_NUM_THREADS"] = "5"  # each takes memory of its own
    # Thousands of files without a name, which a disk's journal takes a minute for.
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        os.chdir(folder)
        for backend in backends:
            halos = ["halos", data, "--backend", backend, "--so"]
            spilled = ["1", "700K", "1050K"]
            wrong += sweep(weft, f"{backend} none", halos + ["none", "--centers", "none"], "halos.csv", ["1"], spilled)
            wrong += sweep(weft, f"{backend} mbp,mcp", halos + ["none", "--centers", "mbp,mcp"], "halos.csv", LIMITS, spilled)
            if backend == backends[0]:
                wrong += sweep(weft, "poisson", halos + ["none", "--centers", "poisson"], "halos.csv", ["1"])
                wrong += sweep(weft, "spheres", halos + ["200c", "--properties"], "halos.csv", SPHERES, [])
                wrong += sweep(weft, "wide spheres", halos + ["2m", "--min-members", "1500"], "halos.csv", WIDE, WIDE)
                wrong += without_room(weft, halos + ["none", "--centers", "none"])
                done = run(weft, ["halos", data, "-q", "--memory-limit", "16M", "-o", "default.csv"])
                if done.returncode != 1 or "--so none leaves them out" not in done.stderr or os.path.exists("default.csv"):
                    wrong.append(f"spheres left out without a word: {done.stderr}")
            dbscan = ["dbscan", data, "-q", "--backend", backend, "--eps", "0.2", "--min-points", "5"]
            wrong += sweep(weft, f"{backend} dbscan", dbscan, "labels.i64", ["1", "3M"])
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
