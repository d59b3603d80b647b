"""usage: progress.py WEFT DATA

On a terminal the steps are shown in one line, which is never longer than the terminal is wide and
is taken away at the end. --quiet shows none.
"""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios

COLUMNS = 24


def shown(*command):
    """What a command writes to a terminal by standard error."""
    try:
        ours, its = pty.openpty()
    except OSError as error:  # in a chroot without /dev/pts
        print('skipped:', error)
        sys.exit(77)
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack('HHHH', 24, COLUMNS, 0, 0))
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
        assert process.wait() == 0, text
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
