"""Ranks of a communicator of mpi4py, as the library asks for them."""

from __future__ import annotations

import contextlib
import ctypes
import traceback
from ctypes import CFUNCTYPE, POINTER, Structure, c_int, c_int32, c_int64, c_void_p

from . import _library

_reduce_type = CFUNCTYPE(None, c_void_p, c_int, c_int, c_int)
_share_type = CFUNCTYPE(None, c_void_p, c_int64, c_void_p)
_broadcast_type = CFUNCTYPE(None, c_int, c_void_p, c_int64)
_count_type = CFUNCTYPE(None, c_void_p, c_void_p)
_exchange_type = CFUNCTYPE(None, c_int, c_void_p, c_int64, c_int, c_void_p, c_int64)


class Ranks(Structure):
    _fields_ = [("rank", c_int32), ("size", c_int32), ("local", c_int32), ("together", c_int32),
                ("message", c_void_p), ("reduce", _reduce_type), ("share", _share_type),
                ("broadcast", _broadcast_type), ("count", _count_type), ("exchange", _exchange_type)]


_join = _library.function("weft_python_join", None, [POINTER(Ranks)])


def _memory(address, count: int):
    return (ctypes.c_char * count).from_address(address) if address and count else bytearray()


def _functions(comm):
    """What the library calls; a failure of MPI ends all ranks, as they could only wait."""
    from mpi4py import MPI

    def lasting(call):
        def guarded(*arguments):
            try:
                call(*arguments)
            except BaseException:
                traceback.print_exc()
                comm.Abort(1)
        return guarded

    @lasting
    def reduce(values, n, is_f64, operation):
        comm.Allreduce(MPI.IN_PLACE, [_memory(values, 8 * n), n, MPI.DOUBLE if is_f64 else MPI.INT64_T],
                       (MPI.SUM, MPI.MIN, MPI.MAX)[operation])

    @lasting
    def share(mine, count, every):
        comm.Allgather([_memory(mine, count), count, MPI.BYTE], [_memory(every, count * comm.size), count, MPI.BYTE])

    @lasting
    def broadcast(root, data, count):
        comm.Bcast([_memory(data, count), count, MPI.BYTE], root)

    @lasting
    def count(to, of):
        comm.Alltoall([_memory(to, 8 * comm.size), 1, MPI.INT64_T], [_memory(of, 8 * comm.size), 1, MPI.INT64_T])

    @lasting
    def exchange(to, send, n_send, of, receive, n_receive):
        comm.Sendrecv([_memory(send, n_send), n_send, MPI.BYTE], MPI.PROC_NULL if to < 0 else to, 0,
                      [_memory(receive, n_receive), n_receive, MPI.BYTE], MPI.PROC_NULL if of < 0 else of, 0)

    return (_reduce_type(reduce), _share_type(share), _broadcast_type(broadcast), _count_type(count),
            _exchange_type(exchange))


@contextlib.contextmanager
def joined(comm):
    """The library works on all ranks of a communicator together; None: on this one alone."""
    if comm is None or comm.size == 1:
        yield
        return
    from mpi4py import MPI

    own, machine = comm.Dup(), comm.Split_type(MPI.COMM_TYPE_SHARED)
    message = ctypes.create_string_buffer(1 << 24)
    ranks = Ranks(own.rank, own.size, machine.rank, machine.size, ctypes.addressof(message), *_functions(own))
    machine.Free()
    _join(ranks)
    try:
        yield
    finally:
        _join(None)
        own.Free()


def agree(comm, make):
    """The second of what `make` gives on this rank; where it raises on one, a ValueError on the
    others. The first is a dict of what must be the same on all."""
    if comm is None or comm.size == 1:
        return make()[1]
    made, trouble, exception = ({}, None), None, None
    try:
        made = make()
    except Exception as raised:
        trouble, exception = str(raised), raised
    told = comm.allgather((trouble, made[0]))
    if exception is not None:
        raise exception
    for rank, (sentence, _) in enumerate(told):
        if sentence is not None:
            raise ValueError(f"rank {rank}: {sentence}")
    for rank, (_, asked) in enumerate(told):
        for name, value in told[0][1].items():
            if asked[name] != value:
                raise ValueError(f"{name}: {asked[name]} on rank {rank} and {value} on rank 0: all ranks ask for the "
                                 "same")
    return made[1]
