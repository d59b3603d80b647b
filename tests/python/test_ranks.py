"""usage: test_ranks.py BUILD/python LCDM64.hdf5 MPIRUN: weft.halos on the ranks of mpi4py against one process. Itself
started again by MPIRUN, with RANK in its place."""

import os
import subprocess
import sys

build, snapshot, mpirun = sys.argv[1:4]
try:
    import mpi4py
    mpi4py.rc.initialize = mpirun == "RANK"
    from mpi4py import MPI
except ImportError:
    sys.exit(print("mpi4py is not installed: ranks were not tested"))
if mpirun != "RANK":
    if not os.path.exists(mpirun):
        sys.exit(print("mpirun is not there: ranks were not tested"))
    environment = {**os.environ, "WEFT_BACKEND": "serial", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    sys.exit(subprocess.run([mpirun, "--oversubscribe", "--bind-to", "none", "-n", "3", sys.executable, __file__, build,
                             snapshot, "RANK"], env=environment, timeout=280).returncode)

import numpy as np  # noqa: E402
from support import raises  # noqa: E402

sys.path.insert(0, build)
import weft  # noqa: E402

comm = MPI.COMM_WORLD


def share():
    """Of a clustered box, unequal shares in another order; one rank has none."""
    rng = np.random.default_rng(1)
    x = (rng.random((60, 1, 3)) + rng.normal(0, 0.01, (60, 100, 3))).reshape(-1, 3) % 1
    order = rng.permutation(len(x))
    mine = np.split(order, [4000, 4000])[comm.rank]
    return x, order, mine


def arrays():
    x, order, mine = share()
    v, m = np.sin(9 * x).astype("f4"), 1 + x[:, 0]
    options = {"box": 1, "centers": "mbp,mcp,poisson", "members": True, "labels": True, "min_friends": 1}
    for named in ({}, {"ids": np.arange(len(x)) * 3 + 5}):
        here = {name: numbers[mine] for name, numbers in named.items()}
        there = {name: numbers[order] for name, numbers in named.items()}
        found = weft.halos(x[mine], 0.3, velocities=v[mine], masses=m[mine], comm=comm, **options, **here)
        alone = weft.halos(x[order], 0.3, velocities=v[order], masses=m[order], **options, **there)
        begin = comm.exscan(len(mine)) or 0
        assert len(alone) > 20 and (found.labels == alone.labels[begin:begin + len(mine)]).all()
        assert len(found) == (len(alone) if comm.rank == 0 else 0)
        if comm.rank == 0:
            assert (found.members == alone.members).all() and list(found) == list(alone)
            for name in alone:
                assert (found[name] == alone[name]).all(), name


def snapshots():
    """Each rank reads its share."""
    found = weft.halos(snapshot, so="200c", comm=comm)
    if comm.rank == 0:
        alone = weft.halos(snapshot, so="200c")
        assert list(alone) == list(found) and all((found[name] == alone[name]).all() for name in alone)


def refusals():
    """All ranks end, and tell why."""
    x, _, mine = share()
    bad = x[mine].copy()
    if comm.rank == 0:
        bad[1, 1] = np.nan
    raises(ValueError, "particle 1" if comm.rank == 0 else "rank 0 failed", weft.halos, bad, box=1, comm=comm)
    raises(ValueError, "of shape", weft.halos, x[mine][:, :2] if comm.rank == 2 else x[mine], box=1, comm=comm)
    raises(ValueError, "all ranks ask for the same", weft.halos, x[mine].astype("f4" if comm.rank else "f8"), box=1,
           comm=comm)
    twice = np.arange(len(mine)) if comm.rank == 0 else np.arange(len(mine)) + 3999
    raises(ValueError, "3999", weft.halos, x[mine], box=1, ids=twice, comm=comm)
    raises(ValueError, "min_members: 21 on rank 1", weft.halos, x[mine], min_members=20 + comm.rank, box=1, comm=comm)
    raises(ValueError, "box: (2.0, 2.0, 2.0) on rank 2", weft.halos, x[mine], box=1 + comm.rank // 2, comm=comm)
    raises(ValueError, "h: 0.7 on rank 1", weft.halos, x[mine], h=0.7 * (comm.rank == 1), box=1, comm=comm)
    raises(ValueError, "at least 1", weft.halos, snapshot, min_members=comm.rank, comm=comm)

    def stop(line):
        if comm.rank == 1:
            raise LookupError(line)

    raises(LookupError if comm.rank == 1 else ValueError, "" if comm.rank == 1 else "rank 1 failed", weft.halos,
           x[mine], box=1, comm=comm, progress=stop)
    assert len(weft.halos(x, 0.3, box=1, comm=MPI.COMM_SELF)) > 20


for test in (arrays, snapshots, refusals):
    test()
