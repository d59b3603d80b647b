#!/usr/bin/env python3
"""usage: genericio.py FILE...

Checks GenericIO files from the description of the format alone: that every checksum is
right, and that nothing lies between the header and the blocks or after them. Prints the
variables, one a line: name, flags, bytes, and the sum of their bytes."""
import struct
import sys

POLYNOMIAL = 0xC96C5795D7870F42
ONES = (1 << 64) - 1


def make_table():
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (POLYNOMIAL if crc & 1 else 0)
        table.append(crc)
    return table


TABLE = make_table()


def crc64(data):
    crc = ONES
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ ONES


def check(path):
    data = open(path, "rb").read()
    assert data[:8] == b"HACC01L\0", "magic"
    (size,) = struct.unpack_from("<Q", data, 8)
    assert crc64(data[: size + 8]) == ONES, "the header's checksum"
    (rows, dx, dy, dz, n_vars, var_size, var_start, n_ranks, rank_size, rank_start,
     global_size) = struct.unpack_from("<11Q", data, 16)
    assert (var_size, rank_size, global_size) == (280, 48, 168), "sizes"
    assert dx * dy * dz == n_ranks, "dims"
    box = struct.unpack_from("<3d", data, 128)
    assert struct.unpack_from("<2Q", data, 152)[1] == 0, "a table of blocks"
    variables, sums, at, total = [], [], size + 8, 0
    for k in range(n_vars):
        entry = var_start + k * var_size
        name = data[entry : entry + 256].rstrip(b"\0").decode()
        variables.append((name,) + struct.unpack_from("<3Q", data, entry + 256))
        sums.append(0)
    for k in range(n_ranks):
        entry = struct.unpack_from("<6Q", data, rank_start + k * rank_size)
        assert entry[4] == at and entry[5] == k, "the start of a rank"
        total += entry[3]
        for v, (name, _, row, element) in enumerate(variables):
            assert row == element, "one number a row"
            block = data[at : at + entry[3] * row + 8]
            assert crc64(block) == ONES, f"the checksum of {name} in rank {k}"
            sums[v] += sum(block[:-8])
            at += len(block)
    assert at == len(data) and total == rows, "bytes or rows left over"
    print(rows, "rows, box", *box)
    for (name, flags, row, _), total in zip(variables, sums):
        print(name, flags, row, total)


for path in sys.argv[1:]:
    try:
        check(path)
    except AssertionError as error:
        sys.exit(f"{path}: {error}")
