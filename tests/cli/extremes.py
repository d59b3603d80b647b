"""usage: extremes.py WEFT BACKEND...

Random lengths from denormals to overflow: boxes, linking lengths, softenings, coordinates. Each run
is right by brute force and all its numbers are finite, or ends with one sentence; none crashes.
"""
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

RUNS = {"serial": 160, "pthreads": 40, "opencl": 25, "checking": 25}
ENDS = [-323, -310, -308, -300, -200, -162, -155, -151, -150, -149, -100, 100, 140, 149, 150, 151, 154,
        160, 200, 290, 299]


def size(source):
    """A length of any magnitude, most of them ordinary or near where squares end."""
    kind = source.choice("ooosseed")
    if kind == "o":
        return 10.0 ** source.uniform(-3, 3)
    if kind == "s":
        return 10.0 ** source.uniform(-149, 149)
    if kind == "e":
        return 10.0 ** source.choice(ENDS)
    return 5e-324 * source.randint(1, 10)


def groups(points, length, box):
    """Labels by definition: the smallest index of each component."""
    label = list(range(len(points)))

    def root(i):
        while label[i] != i:
            i = label[i]
        return i

    for i, p in enumerate(points):
        for j in range(i):
            d2 = 0.0
            for a in range(3):
                d = p[a] - points[j][a]
                d = math.remainder(d, box) if box and math.isfinite(d) else d
                d2 += d * d
            if d2 <= length * length:
                first, second = sorted((root(i), root(j)))
                label[second] = first
    return [root(i) for i in range(len(points))]


def case(source):
    """Points, their linking length, the box or None, and the options that ask for all of it."""
    scale = size(source)
    low = source.choice([0, 0, -1])
    points = [[scale * source.uniform(low, 1) for _ in range(3)]
              for _ in range(source.choice([1, 2, 3, 10, 40]))]
    if source.random() < 0.1:
        points = [[size(source) * source.choice([-1, 1]) for _ in range(3)] for _ in points]
    length = scale * source.choice([0.01, 0.1, 0.3, 1, 10]) if source.random() < 0.7 else size(source)
    box = source.choice([None, scale, scale * 1.01, size(source)])
    options = ["--linking-length-absolute", repr(length), "--min-members", "1"]
    centers = source.choice(["none", "mbp", "mbp,mcp", "mbp,mcp,poisson"])
    options += ["--centers", centers]
    if box:
        options += ["--box", repr(box), "--periodic"]
    if centers != "none" and source.random() < 0.4:
        options += ["--softening", repr(source.choice([0.0, length * source.random(), size(source)]))]
    if source.random() < 0.2:
        options += ["--memory-limit", "100M"]
    return points, length, box, options


def run(weft, arguments):
    done = subprocess.run([weft] + arguments, capture_output=True, timeout=120, check=False)
    said = done.stderr.decode()
    if done.returncode not in (0, 1, 2):
        return f"status {done.returncode}: {said}", False
    if done.returncode != 0 and not said.startswith("weft "):
        return f"no sentence: {said}", False
    return "", done.returncode == 0


def judge(weft, backend, number):
    """What is wrong, or nothing; and whether it ran through."""
    points, length, box, options = case(random.Random(number))
    with open("points.csv", "w", encoding="ascii") as file:
        file.write("x,y,z\n" + "".join(",".join(map(repr, p)) + "\n" for p in points))
    wrong, ran = run(weft, ["halos", "points.csv", "-q", "--backend", backend, "--labels", "labels",
                            "-o", "halos.csv"] + options)
    if wrong or not ran:
        return wrong and " ".join(options) + ": " + wrong, False
    with open("labels", "rb") as file:
        labels = list(struct.unpack(f"<{len(points)}q", file.read()))
    wanted = groups(points, length, box)
    if labels != wanted:
        return f"{options}: {labels} and not {wanted}", True
    with open("halos.csv", encoding="ascii") as file:
        text = file.read()
    if "nan" in text or "inf" in text:
        return f"{options}: numbers that are not finite", True
    arguments = ["dbscan", "points.csv", "-q", "--backend", backend, "--eps", repr(length),
                 "--min-points", "1", "-o", "clusters.i64"] + (["--box", repr(box)] if box else [])
    wrong, ran = run(weft, arguments)
    if wrong or not ran:
        return f"{arguments}: {wrong or 'refused'}", True
    with open("clusters.i64", "rb") as file:
        clusters = struct.unpack(f"<{len(points)}q", file.read())
    names = {first: k for k, first in enumerate(sorted(set(wanted)))}
    return "" if list(clusters) == [names[w] for w in wanted] else f"{arguments}: other clusters", True


def main():
    weft, backends = os.path.abspath(sys.argv[1]), sys.argv[2:]
    failures = ran = runs = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for backend in backends:
            for number in range(RUNS.get(backend, 20)):
                wrong, through = judge(weft, backend, number)
                ran, runs = ran + through, runs + 1
                if wrong:
                    failures += 1
                    print(f"WRONG: {backend}, case {number}: {wrong}")
        os.chdir("/")
    print(f"{runs} cases, {ran} of them ran, {failures} wrong")
    sys.exit(failures > 0 or ran < runs // 4)


main()
