#!/usr/bin/env python3
"""usage: genericio.py FILE...

Checks GenericIO files from the description of the format alone: that every checksum is
right, and that nothing lies between the header and the blocks or after them. Prints the
variables, one a line: name, flags, bytes, and the sum of their bytes. Of use to other scripts:
check(), which returns the rows, the box, and each variable's flags, bytes and sum by its name."""
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
    (before,) = struct.unpack_from("<Q", data, rank_start + 40)
    assert dx * dy * dz >= before + n_ranks if "#" in path else dx * dy * dz == n_ranks, "dims"
    box = struct.unpack_from("<3d", data, 128)
    assert struct.unpack_from("<2Q", data, 152)[1] == 0, "a table of blocks"
    variables, at, total = {}, size + 8, 0
    for k in range(n_vars):
        entry = var_start + k * var_size
        name = data[entry : entry + 256].rstrip(b"\0").decode()
        flags, row, element = struct.unpack_from("<3Q", data, entry + 256)
        assert row % element == 0, "the bytes of a row"
        variables[name] = [flags, row, element, 0]
    for k in range(n_ranks):
        entry = struct.unpack_from("<6Q", data, rank_start + k * rank_size)
        assert entry[4] == at and entry[5] == before + k, "the start of a rank"
        total += entry[3]
        for name, variable in variables.items():
            block = data[at : at + entry[3] * variable[1] + 8]
            assert crc64(block) == ONES, f"the checksum of {name} in rank {k}"
            variable[3] += sum(block[:-8])
            at += len(block)
    assert at == len(data) and total == rows, "bytes or rows left over"
    return rows, box, variables


def show(path):
    rows, box, variables = check(path)
    print(rows, "rows, box", *box)
    for name, (flags, row, _, total) in variables.items():
        print(name, flags, row, total)


if __name__ == "__main__":
    for path in sys.argv[1:]:
        try:
            show(path)
        except AssertionError as error:
            sys.exit(f"{path}: {error}")
