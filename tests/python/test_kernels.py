"""usage: test_kernels.py BUILD/python HEAT.py EXAMPLE-HEAT: kernels that are written in Python."""

import os
import shlex
import subprocess
import sys

import numpy as np

from support import raises

build, heat, example = sys.argv[1:4]
sys.path.insert(0, build)
import weft  # noqa: E402
from weft import _compile  # noqa: E402

scale = weft.kernel("void scale(index_t i, f32 a, GLOBAL const f32 *x, GLOBAL f32 *y) { y[i] = a * x[i]; }", out="y")
square = weft.kernel("i64 square(index_t i, GLOBAL const i64 *x) { return x[i] * x[i]; }")
add = weft.kernel("i64 add(i64 a, i64 b) { return a + b; }", identity=0)
join = weft.kernel("""
typedef struct range { i32 low, high; i64 sum[2]; } range;
/* Both ends, and two sums: { braces in a comment } */
static inline i32 join_least(i32 a, i32 b) { return a < b ? a : b; }
range join(range a, range b) {
    a.low = join_least(a.low, b.low);
    a.high = max(a.high, b.high);
    for (int k = 0; k < 2; k++)
        a.sum[k] += b.sum[k];
    return a;
}""", identity=(2**31 - 1, -2**31, [0, 0]))
count = weft.kernel("void count(index_t i, GLOBAL const u32 *x, GLOBAL u32 *bins) { atomic_add_u32(&bins[x[i]], 1u); }",
                    shared="bins", lengths={"bins": 5})
near = weft.kernel("i32 near(i32 sum, f64 p, f64 q, f64 reach) { return sum + (fabs(p - q) <= reach); }", initial=0)
shift = weft.kernel("""void shift(index_t i, GLOBAL const f32 *x, GLOBAL const f32 *by, GLOBAL f32 *y) {
    y[i] = by ? x[i] + by[0] : x[i];
}""", out="y", optional="by", lengths={"by": 1, "y": lambda n: n + 1})

BRANCH = """
typedef struct branch {
    GLOBAL const u32 *first, *end; /* of its leaves */
    GLOBAL const f64 *mass;
    GLOBAL const f64 *bonus;
    f64 factor;
    u32 leaves;
} branch;
static inline f64 weigh_one(index_t i, branch t) {
    f64 sum = t.bonus ? t.bonus[0] : 0;
    for (u32 k = t.first[i]; k < t.end[i] && k < t.leaves; k++)
        sum += t.factor * t.mass[k];
    return sum;
}
"""
WORDS = {"optional": "branch.bonus", "lengths": {"branch.mass": 4, "branch.bonus": 1}}
weigh = weft.kernel(BRANCH + """typedef struct sums { GLOBAL f64 *left, *both; } sums;
void weigh(index_t i, branch t, u32 skip, branch other, sums to) {
    if (i >= skip) {
        to.left[i] = weigh_one(i, t);
        to.both[i] += to.left[i] + weigh_one(i, other);
    }
}""", **WORDS)
weights = weft.kernel(BRANCH.replace("weigh_", "weights_") +
                      "f64 weights(index_t i, branch t) { return weights_one(i, t); }", **WORDS)
pull = weft.kernel(BRANCH.replace("weigh_", "pull_") +
                   "f64 pull(f64 sum, f64 p, f64 q, branch t) { return sum + t.factor * t.mass[0] * (p - q); }",
                   initial=0, **WORDS)
larger = weft.kernel("f64 larger(f64 a, f64 b) { return fmax(a, b); }", identity=0)


def bundles(n, is_host):
    """Arrays that are one parameter, of kernels, generators and pairs."""
    rng = np.random.default_rng(n)
    mass, first = rng.integers(0, 9, 4).astype("f8"), rng.integers(0, 4, n).astype("u4")
    end = first + 1
    one = {"first": first, "end": end, "mass": mass, "factor": 2, "leaves": 4}
    two = {**one, "bonus": np.array([0.5]), "factor": 1, "leaves": 2}
    left, both = np.full(n, -1.0), np.full(n, 10.0)
    weigh(n, t=one, skip=1, other=two, to={"left": left, "both": both})
    own, other = 2 * mass[first], 0.5 + mass[first] * (first < 2)
    assert (left[1:] == own[1:]).all() and (both[1:] == 10 + (own + other)[1:]).all()
    assert (left[:1] == -1).all() and (both[:1] == 10).all()
    assert (weights(n, t=two) == other).all()
    p = rng.integers(0, 9, n).astype("f8")
    long = {**one, **{name: np.zeros(max(n, 4), "u4") for name in ("first", "end")}}
    assert (pull([0, n], p=p, t=long) == 2 * mass[0] * (n * p - p.sum())).all()
    if not is_host:
        return
    on = {name: weft.array(given) if np.ndim(given) else given for name, given in two.items()}
    assert isinstance(weights(n, t=on), weft.Array) and (weights(n, t=on).numpy() == other).all()
    assert larger.reduce(weights.lazy(n, t=on)) == max(other, default=0) == larger.reduce(weights.lazy(n, t=two))


def kinds(n, is_host):
    rng = np.random.default_rng(n)
    bins, k = rng.integers(0, 5, n).astype("u4"), rng.integers(-10**9, 10**9, n)
    tally = np.zeros(5, "u4")
    count(n, x=bins, bins=tally)
    assert (tally == np.bincount(bins, minlength=5)).all()
    assert add.reduce(square.lazy(n, x=k)) == (k * k).sum() and (add.scan(k) == k.cumsum()).all()
    ranges = np.zeros(n, join.dtype)
    ranges["low"] = ranges["high"] = k
    ranges["sum"] = k[:, None] * [1, -1]
    whole = join.reduce(ranges)
    ends = (k.min(), k.max()) if n else (2**31 - 1, -2**31)
    assert (whole["low"], whole["high"]) == ends and (whole["sum"] == [k.sum(), -k.sum()]).all()
    if is_host:  # others take half a second for each
        more_kinds(n, rng, k)


def more_kinds(n, rng, k):
    x = rng.random(n, "f4")
    y = np.full(n, -1, "f4")
    scale(n, a=2.5, x=x, y=y)
    assert (y == np.float32(2.5) * x).all()
    on = weft.array(y)
    scale(n, a=2, x=on, y=on)  # where it is
    assert (on.numpy() == 2 * y).all()
    assert (square(n, x=k) == k * k).all() and isinstance(square(n, x=weft.array(k)), weft.Array)
    assert add.reduce(k) == k.sum() == add.reduce(weft.array(k))
    assert (add.scan(k, exclusive=True) == k.cumsum() - k).all()
    assert (add.scan(weft.array(k)).numpy() == k.cumsum()).all()
    p, offsets = rng.random(n), np.array([0, n // 3, n // 3, n])
    found = near(offsets, p=p, reach=0.25)
    for begin, end in zip(offsets, offsets[1:]):
        inside = p[begin:end]
        assert (found[begin:end] == (abs(inside[:, None] - inside) <= 0.25).sum(1)).all()
    longer = np.full(n + 1, 7, "f4")
    shift(n, x=x, y=longer)
    assert (longer[:n] == x).all()
    shift(n, x=x, y=longer, by=np.array([1], "f4"))
    assert (longer[:n] == x + np.float32(1)).all()


def refusals():
    x = np.zeros(3, "f4")
    raises(TypeError, "'y' is missing", scale, 3, a=1, x=x)
    raises(TypeError, "no parameter 'z'", scale, 3, a=1, x=x, y=x, z=x)
    raises(TypeError, "x: float32, not float64", scale, 3, a=1, x=np.zeros(3), y=x)
    raises(TypeError, "x: float32, not float64", scale, 3, a=1, x=memoryview(np.zeros(3)), y=x)
    both = weft.kernel("f32 both(f32 a, f32 b) { return a + b; }", identity=0)
    raises(TypeError, "both: numbers: float32, not float64", both.reduce, np.zeros(3))
    raises(TypeError, "both: numbers: float32, not float64", both.scan, np.zeros(3))
    assert both.reduce(np.ones(3, "f2")) == 3 and both.reduce([1, 2.5]) == 3.5
    raises(TypeError, "writable", scale, 3, a=1, x=x, y=np.zeros(6, "f4")[::2])
    raises(ValueError, "a: 'two' is no float32", scale, 3, a="two", x=x, y=x)
    raises(ValueError, "x", scale, 4, a=1, x=x, y=x)
    raises(ValueError, "y: masked elements", scale, 3, a=1, x=x, y=np.ma.array(x, mask=[0, 1, 0]))
    raises(ValueError, "y", shift, 3, x=x, y=x)
    raises(ValueError, "1.5 is no uint32", weft.kernel("void f(index_t i, u32 n, GLOBAL u32 *x) { x[i] = n; }"), 1, n=1.5,
           x=np.zeros(1, "u4"))
    raises(ValueError, "-1 is no uint32", weft.kernel("void f(index_t i, u32 n, GLOBAL u32 *x) { x[i] = n; }"), 1, n=-1,
           x=np.zeros(1, "u4"))
    raises(TypeError, "reduce() and scan()", add, 3)
    raises(TypeError, "not an operator", scale.reduce, x)
    raises(ValueError, "no function", weft.kernel, "f32 x;")
    raises(ValueError, "none of the four kinds", weft.kernel, "f32 f(f32 a) { return a; }")
    raises(ValueError, "size_t is not", weft.kernel, "void f(index_t i, GLOBAL size_t *x) { x[i] = 0; }")
    raises(ValueError, "no parameter z", weft.kernel, "void f(index_t i, GLOBAL f32 *x) { x[i] = 0; }", out="z")
    raises(ValueError, "cannot be out", weft.kernel, "void f(index_t i, GLOBAL const f32 *x) { }", out="x")
    bundle = {"first": np.zeros(3, "u4"), "end": np.zeros(3, "u4"), "mass": np.ones(4), "factor": 1, "leaves": 0}
    raises(TypeError, "weights: 't' is missing", weights, 3)
    raises(TypeError, "t: a dict of what branch has", weights, 3, t=x)
    raises(TypeError, "'t.mass' is missing", weights, 3, t={**bundle, "mass": None})
    raises(TypeError, "no parameter 't.weight'", weights, 3, t={**bundle, "weight": 1})
    raises(TypeError, "t.mass: float64, not int64", weights, 3, t={**bundle, "mass": np.ones(4, int)})
    raises(ValueError, "t.leaves: -1 is no uint32", weights, 3, t={**bundle, "leaves": -1})
    raises(ValueError, "'t.mass' has 3 elements, at least 4", weights, 3, t={**bundle, "mass": np.ones(3)})
    raises(ValueError, "'t.first'", weights, 4, t=bundle)
    raises(TypeError, "to.left: a C-contiguous, writable", weigh, 3, t=bundle, other=bundle, skip=0,
           to={"left": [1.0] * 3, "both": np.ones(3)})
    raises(ValueError, "branch: has no member all", weft.kernel, BRANCH + "f64 f(index_t i, branch t) { return 0; }",
           out="branch.all")
    raises(ValueError, "mass is declared as in", weft.kernel, BRANCH + "f64 f(index_t i, branch t) { return 0; }",
           out="branch.mass")
    raises(ValueError, "no parameter branch.mass", weft.kernel, BRANCH + "f64 f(index_t i) { return 0; }",
           optional="branch.mass")
    raises(ValueError, "no array branch.factor", weft.kernel, BRANCH + "f64 f(index_t i, branch t) { return 0; }",
           lengths={"branch.factor": 2})
    raises(ValueError, "branch is not", weft.kernel, BRANCH + "void f(index_t i, GLOBAL branch *t) { }")
    raises(ValueError, "more than 48", weft.kernel,
           f"void f(index_t i, {', '.join(f'f32 x{k}' for k in range(49))}) {{ }}")
    raises(ValueError, "have an identity", weft.kernel, "f32 f(f32 a, f32 b) { return a; }")


def mistakes():
    """Errors name the line of this file."""
    def line(words):
        return next(k for k, text in enumerate(open(__file__), 1) if words in text and "line(" not in text)

    wrong = weft.kernel("""
        void wrong(index_t i, GLOBAL f32 *x) {
            x[i] = unknown_word;
        }""")
    raises(weft.Error, f"{__file__}:{line('= unknown_word')}:20: error:", wrong, 1, x=np.zeros(1, "f4"))
    raises(weft.Error, f"{__file__}:{line('{ x[i] = sqrtf')}: 'sqrtf' is no function of OpenCL",
           lambda: weft.kernel("void f(index_t i, GLOBAL f32 *x) { x[i] = sqrtf(x[i]); }"))
    far = weft.kernel("void far(index_t i, GLOBAL f32 *x) { x[i + 1] = 0; }")
    with weft.Device("checking"):
        raises(weft.Error, "wrote beyond the end of array 'x'", far, 3, x=weft.array([1, 2, 3], "f4"))


def without_a_compiler(there):
    """Devices of OpenCL need none, hosts say so."""
    there_is, _compile.compiler = _compile.compiler, lambda: None  # (PoCL's own linker is found by PATH)
    unheard = "void unheard(index_t i, GLOBAL u32 *x) { x[i] += 3; }"
    wrong = "void unheard(index_t i, GLOBAL u32 *x) {\n    x[i] = nobody_knows;\n}"
    try:
        with weft.Device("serial"):
            raises(weft.Error, "unheard: no C compiler is there", weft.kernel(unheard), 1, x=np.zeros(1, "u4"))
        if "opencl:0" in there:
            with weft.Device("opencl:0"):
                x = np.arange(4, dtype="u4")
                weft.kernel(unheard)(4, x=x)
                assert (x == [3, 4, 5, 6]).all()
                raises(weft.Error, "unheard.kernel.h:2:", weft.kernel(wrong), 4, x=x)
    finally:
        _compile.compiler = there_is


if _compile.compiler() is None:
    sys.exit(print("skipped: there is no C compiler") or 77)
os.environ["CC"] = shlex.join([*_compile.compiler(), "-O0"])  # soon compiled
there = {info.name for info in weft.devices()}
for backend in ("serial", "pthreads", "checking", "opencl:0"):
    if backend in there:
        with weft.Device(backend) as device:
            for n in (0, 1, 1000):
                kinds(n, device.is_host)
                bundles(n, device.is_host)
refusals()
mistakes()
without_a_compiler(there)
if os.path.exists(example):
    told = [subprocess.run(words, env={**os.environ, "PYTHONPATH": build, "WEFT_BACKEND": "serial"}, check=True,
                           capture_output=True, text=True).stdout.splitlines()[-1]
            for words in ([sys.executable, heat], [example])]
    assert told[0] == told[1], told
