"""usage: progress.py WEFT DATA

On a terminal the steps are shown in one line, which is never longer than the terminal is wide and
is taken away at the end. Stages in pieces tell how much is done (progress_left.c: and the time that
is left); several snapshots their number. --quiet shows none.
"""
import fcntl
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

COLUMNS = 24


def shown(*command, columns=COLUMNS, status=0):
    """What a command writes to a terminal by standard error."""
    try:
        ours, its = pty.openpty()
    except OSError as error:  # in a chroot without /dev/pts
        print('skipped:', error)
        sys.exit(77)
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=its)
        os.close(its)
        text = b''
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # nobody writes to it any more
                break
            if not piece:
                break
            text += piece
        assert process.wait() == status, text
    os.close(ours)
    return text.decode()


weft, snapshot = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]) + '/lcdm64.hdf5'
halos = weft, 'halos', snapshot, '--backend', 'serial'
lines = shown(*halos).split('\r\033[K')
assert lines[0] == '' and lines[-1] == '', lines
assert any(line.startswith('linking friends') for line in lines), lines
assert all(len(line) < COLUMNS for line in lines), lines
assert any(len(line) == COLUMNS - 1 for line in lines), lines
assert shown(*halos, '--quiet') == ''

# Percentages never fall within a stage, and are of the work.
def percentages(stage, lines):
    parts = [int(re.search(r': (\d+) %', line)[1]) for line in lines
             if line.startswith(stage) and '%' in line]
    assert parts == sorted(parts) and parts[-1] <= 100, (stage, lines)
    return parts


lines = shown(*halos, '--memory-limit', '60M', '--so', 'none', columns=100).split('\r\033[K')
assert percentages('reading 262144', lines)[-1] == 100, lines
assert percentages('halos and their centers', lines)[-1] == 100, lines
# (In many pieces.)
lines = shown(*halos, '--memory-limit', '4M', '--so', 'none', columns=100).split('\r\033[K')
assert len(percentages('linking friends', lines)) > 3, lines
# A halo that the limit does not hold is worked on in a file, which a note tells once.
lines = shown(*halos, '--memory-limit', '1050K', '--so', 'none', columns=200).split('\r\033[K')
assert sum('are in a file without a name' in line for line in lines) == 1, lines
assert percentages('halos and their centers', lines)[-1] == 100, lines
# Stages that are one call of the library tell of its inside: parts of it, and of each in turn.
lines = shown(*halos, '--so', '200c', '--properties', '--profiles', columns=100).split('\r\033[K')
for stage in 'linking', 'mbp', 'spherical', 'inside spherical overdensities, profiles':
    assert len(percentages(stage, lines)) > 3, (stage, lines)
lines = shown(*halos, '--members', columns=100).split('\r\033[K')
assert any(line.startswith('writing') and '%' in line for line in lines), lines
narrow = shown(*halos, '--memory-limit', '60M', '--so', 'none').split('\r\033[K')
assert any(line.endswith('%') for line in narrow), narrow
assert all(len(line) < COLUMNS for line in narrow), narrow

with tempfile.TemporaryDirectory() as folder:
    other = folder + '/other.hdf5'
    shutil.copyfile(snapshot, other)
    lines = shown(*halos, other, columns=100).split('\r\033[K')
    for number in '[1/2] ', '[2/2] ':
        assert any(line.startswith(number + 'linking') for line in lines), lines
