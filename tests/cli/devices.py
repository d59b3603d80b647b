"""usage: devices.py WEFT SNAPSHOTS DOCUMENTATION MPIRUN|none BACKENDS...

--devices: the same bytes from a rank on each device as from one process, by a terminal, files and pipes that are
those of the command itself; what ends one ends the other; and one sentence where there is nothing to start. PoCL
plays two devices.
"""
import errno
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time

weft, snapshots, manual = (os.path.abspath(path) for path in sys.argv[1:4])
mpirun, backends = sys.argv[4], sys.argv[5:]
os.chdir(tempfile.mkdtemp())
subprocess.run([snapshots], check=True, stdout=subprocess.DEVNULL)
ALLOWED = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1'}
os.environ.update(ALLOWED, POCL_DEVICES='pthread pthread')
for name in 'WEFT_BACKEND', 'WEFT_DEVICE', 'WEFT_NUM_THREADS':
    os.environ.pop(name, None)
HALOS = 'halos', 'small.hdf5', '--linking-length-absolute', '0.4', '--so', 'none'


def run(*arguments, status=0, before=(), environment=None, **more):
    done = subprocess.run([*before, weft, *arguments], env={**os.environ, **(environment or {})},
                          stdout=more.pop('stdout', subprocess.PIPE), stderr=subprocess.PIPE, timeout=300, **more)
    assert done.returncode == status, (arguments, done)
    return done


def told(words, *arguments, status=1, **more):
    """One sentence of the command, with these words; and no file is left."""
    files = sorted(os.listdir())
    error = run(*arguments, status=status, **more).stderr.decode()
    first = error.split('\n')[0]
    assert words in first and first.startswith('weft ') and error.count('weft halos: ') <= 1, error
    assert (error.count('\n') == 1) == (status == 1), error
    assert files == sorted(os.listdir()), os.listdir()
    return error


told("'many' is neither all nor a whole number", *HALOS, '--devices', 'many', status=2)
told("'0' is neither all nor a whole number", *HALOS, '--devices', '0', status=2)
told('--devices and --device exclude each other', *HALOS, '--devices', '2', '--device', '0', status=2)
told('--devices and --threads exclude each other', *HALOS, '--devices', '2', '--threads', '2', status=2)
told('--devices is for the backend opencl', *HALOS, '--devices', '2', '--backend', 'serial', status=2)
told('--devices and --no-mpi exclude each other', *HALOS, '--devices', 'all', '--no-mpi', status=2)
if 'opencl' not in backends:
    told("no backend 'opencl' is built in", *HALOS, '--devices', 'all', status=2)
    sys.exit()
listed = run('devices').stdout.decode()
if listed.count('pthread-') != 2 or re.search(r'^ +a GPU', listed, re.M):
    print('skipped: no two devices by PoCL')
    sys.exit(77)

told('--devices 3: there are 2', *HALOS, '--devices', '3')
told('--devices 2: there is 1', *HALOS, '--devices', '2', environment={'POCL_DEVICES': 'pthread'})
told('there is no OpenCL device', *HALOS, '--devices', 'all', environment={'POCL_DEVICES': 'none'})
if mpirun == 'none':
    told('this build is without MPI', *HALOS, '--devices', 'all')
    sys.exit()
told('which is not in PATH', *HALOS, '--devices', 'all', environment={'PATH': '/nowhere'})
if os.geteuid() == 0:
    told('set OMPI_ALLOW_RUN_AS_ROOT=1 and', *HALOS, '--devices', 'all',
         environment={'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': ''})
os.mkdir('bin')
with open('bin/mpirun', 'w', opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
    file.write('#!/bin/sh\necho it is another\nexit 3\n')
error = run(*HALOS, '--devices', 'all', status=1, environment={'PATH': os.getcwd() + '/bin'}).stderr
assert error == b'weft halos: --devices: of 2 ranks mpirun started 0\nit is another\n', error
# Ranks may see fewer than the command did, which does not ask the driver where GPUs have files.
os.mkdir('fewer')
with open('fewer/mpirun', 'w', opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
    file.write(f'#!/bin/sh\nPOCL_DEVICES=pthread exec {mpirun} "$@"\n')
told('--devices 2: there is 1', *HALOS, '--devices', '2',
     environment={'PATH': os.getcwd() + '/fewer:' + os.environ['PATH']})
for number in '1', '2':
    error = run(*HALOS, '--devices', '2', status=2, before=(mpirun, '--oversubscribe', '-n', number)).stderr
    assert error.count(b'weft halos: --devices starts ranks by itself') == 1, error

# The command of docs/distributed.md, and what it writes without the option.
with open(manual) as file:
    line = next(line.split() for line in file if line.startswith('    weft halos SNAPSHOT --devices'))
assert line[1:3] == ['halos', 'SNAPSHOT'], line
run(*HALOS, '--backend', 'opencl', '-o', 'one.csv', '--labels', 'one.i64')
done = run(*HALOS, *line[3:], '-o', 'two.csv', '--labels', 'two.i64', environment={'WEFT_DEVICE': '1'})
assert done.stdout.count(b'2 ranks') == 1 and b'opencl' in done.stdout and not done.stderr, done
for kind in 'csv', 'i64':
    with open('one.' + kind, 'rb') as one, open('two.' + kind, 'rb') as two:
        assert one.read() == two.read(), kind
with open('one.csv', 'rb') as file:
    catalogue = file.read()
alone = run(*HALOS, '--devices', '1', '-o', '-')
assert alone.stdout == catalogue and not alone.stderr, alone

# Files and pipes are those of the command.
assert run(*HALOS, '--devices', '2', '-o', '-').stdout == catalogue
with open('log', 'wb') as log:
    log.write(b'before\n')
with open('log', 'ab') as log:
    run(*HALOS, '--devices', '2', '-o', '-', stdout=log)
with open('log', 'rb') as log:
    assert log.read() == b'before\n' + catalogue
kept = os.open('third.i64', os.O_CREAT | os.O_WRONLY)
run(*HALOS, '--devices', '2', '-o', 'third.csv', '--labels', f'/dev/fd/{kept}', pass_fds=[kept])
with open('third.i64', 'rb') as third, open('one.i64', 'rb') as one:
    assert third.read() == one.read()
if os.path.exists('/dev/full'):
    with open('/dev/full', 'wb') as full:
        told('No space left', *HALOS, '--devices', '2', '-o', '-', stdout=full)
run('convert', 'small.hdf5', 'points.npy', '-q')
points = '--linking-length-absolute', '0.4', '-o', '-'
wanted = run('halos', 'points.npy', *points, '--backend', 'opencl').stdout
for source in 'file', 'pipe':
    with open('points.npy', 'rb') as file:
        given = {'stdin': file} if source == 'file' else {'input': file.read()}
        assert run('halos', '-', *points, '--devices', '2', **given).stdout == wanted, source
for command in ('halos',), ('sheet', '--grid', '4'), ('power',), ('simulate',), ('dbscan', '--eps', '1', '--min-points', '2'):
    error = run(command[0], 'nowhere.hdf5', *command[1:], '--devices', '2', status=1).stderr.decode()
    assert error.count('\n') == 1 and f'weft {command[0]}: ' in error and 'nowhere.hdf5' in error, error

run('power', 'small.hdf5', '--grid', '8', '--backend', 'serial', '-o', 'alone.power.csv')
run('power', 'small.hdf5', '--grid', '8', '--devices', 'all', '-o', 'devices.power.csv')
with open('alone.power.csv', 'rb') as one, open('devices.power.csv', 'rb') as two:
    assert one.read() == two.read()

# What the others write, which takes PoCL a minute to compile.
if os.environ.get('WEFT_TEST') == 'all':
    run('ics', '--n', '16', '--box', '25', '-o', 'ics.hdf5', '-q')
    for command, arrays in ((['sheet', 'ics.hdf5', '--grid', '16', '-o', '%s.hdf5'], ['density', 'mass_units']),
                            (['simulate', 'ics.hdf5', '--steps', '2', '--substeps', '2', '--to-z', '10', '-o', '%s'],
                             ['PartType1'])):
        for name, where in ('serial', ('--backend', 'serial')), ('devices', ('--devices', 'all')):
            run(*(word.replace('%s', name) for word in command), *where)
        ending = '.hdf5' if command[0] == 'sheet' else '_000.hdf5'
        for array in arrays:
            subprocess.run(['h5diff', 'serial' + ending, 'devices' + ending, '/' + array], check=True)


def terminal():
    """A terminal shows progress, and so it does of ranks."""
    try:
        ours, its = pty.openpty()
    except OSError:
        return print('there are no terminals here: progress on one was not looked at')
    process = subprocess.Popen([weft, *HALOS, '--devices', '2', '-o', 'seen.csv'], stdout=subprocess.DEVNULL,
                               stderr=its)
    os.close(its)
    shown = b''
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # nobody writes to it any more
            break
        shown += piece
    assert process.wait() == 0 and b'\r\033[Kwriting' in shown, shown


terminal()


def ranks():
    """Processes that wait for points from the pipe, but for the one that was started first."""
    found = []
    for number in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open(f'/proc/{number}/cmdline', 'rb') as file:
                words = file.read().split(b'\0')
            with open(f'/proc/{number}/stat') as file:
                parent = int(file.read().rsplit(')', 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        if f'{os.getcwd()}/pipe.csv'.encode() in words and words[0] == weft.encode():
            found.append((int(number), parent))
    return found


def read_by_now(pipe):
    """The writing end of a pipe, once a rank has opened it to read."""
    for _ in range(300):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            assert error.errno == errno.ENXIO, error
            time.sleep(0.1)
    raise AssertionError(f'nobody reads {pipe}')


# What ends the command, ends all; what ends a rank or the launcher, too.
os.mkfifo('pipe.csv')
waits = [weft, 'dbscan', os.getcwd() + '/pipe.csv', '--eps', '1', '--min-points', '2', '-o', 'never.csv',
         '--devices', '2']
cases = [(number, 'command') for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)]
for number, whom in [*cases, (signal.SIGKILL, 'rank'), (signal.SIGKILL, 'launcher')]:
    process = subprocess.Popen(waits, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for _ in range(300):
        rest = [rank for rank in ranks() if rank[0] != process.pid and rank[1] != process.pid]
        if len(rest) == 2:
            break
        time.sleep(0.1)
    assert len(rest) == 2, (whom, rest)
    writer = read_by_now('pipe.csv')
    os.kill({'command': process.pid, 'rank': rest[1][0], 'launcher': rest[0][1]}[whom], number)
    error = process.communicate(timeout=60)[1]
    if whom == 'command':
        assert process.returncode == -number and not error, (number, process.returncode, error)
    else:
        assert process.returncode == 128 + number, (whom, process.returncode)
        assert error.count(b'\n') == 1 and b'was ended by signal 9' in error, error
    for _ in range(100):
        if not ranks():
            break
        time.sleep(0.1)
    os.close(writer)
    assert not ranks() and not os.path.exists('never.csv'), (whom, number)
