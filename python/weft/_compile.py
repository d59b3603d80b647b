"""Kernels' texts, as weft-embed and the C compiler take them."""

from __future__ import annotations

import ctypes
import hashlib
import linecache
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from typing import List, Optional

from ._library import Error, functions

_HERE = os.path.dirname(os.path.abspath(__file__))
_INCLUDE = os.path.join(_HERE, "include")
_FLAGS = ["-std=c11", "-O3", "-ffp-contract=off", "-fno-unswitch-loops", "-fPIC", "-shared", "-fvisibility=hidden",
          "-Werror=implicit-function-declaration", "-I", _INCLUDE]


class Place:
    """Where a text stands in a file of Python, so that errors name that place."""

    def __init__(self, name: str, text: str, file: str, scope):
        self.name, self.file = name, file
        whole = "".join(linecache.getlines(file, scope))
        begin = whole.find(text)
        self.line = whole.count("\n", 0, begin) if begin >= 0 else None
        self.column = begin - whole.rfind("\n", 0, begin) - 1

    def true(self, sentence: str) -> str:
        """The sentence, with places in the text as places in the file."""
        if self.line is None:
            return sentence

        def replace(found):
            line, column = int(found[1]), int(found[2] or 0)
            column += self.column if line == 1 and column else 0
            return f"{self.file}:{self.line + line}" + (f":{column}" if column else "")

        return re.sub(rf"\b{self.name}\.kernel\.h:(\d+)(?::(\d+))?", replace, sentence)


def embed(name: str, text: str, place: Place) -> str:
    """The C that carries the text; what OpenCL would refuse is an error."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, name + ".kernel.h"), "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([os.path.join(_HERE, "weft-embed"), name + ".kernel.h", "-o", "source.c"], cwd=folder,
                              capture_output=True, text=True)
        if done.returncode:
            raise Error(place.true(done.stderr.strip().replace("weft-embed: ", "", 1)))
        with open(os.path.join(folder, "source.c"), encoding="utf-8") as file:
            return file.read()


def carried(embedded: str) -> bytes:
    """The text in what weft-embed wrote, as the OpenCL compiler gets it."""
    found = re.search(r"text\[\] = \{(.*?)\}", embedded, re.S)
    assert found, embedded
    return bytes(int(number) & 255 for number in found[1].split(","))[:-1]


def compiler() -> Optional[List[str]]:
    """The command of the C compiler: ``$CC``, cc, gcc or clang; None: there is none."""
    for command in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        words = shlex.split(command)
        path = shutil.which(words[0]) if words else None
        if path:
            return [path, *words[1:]]
    return None


def _cache() -> str:
    """The folder that OpenCL's programs are kept in, too; one of this process where that
    cannot be."""
    own, shared, home = (os.environ.get(key) for key in ("WEFT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"))
    folder = own or (os.path.join(shared, "weft") if shared and shared.startswith("/") else
                     os.path.join(home, ".cache", "weft") if home else "")
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return tempfile.mkdtemp(prefix="weft-")


def _is_mine(path: str) -> bool:
    """What another user could have put there is not run."""
    try:
        about = os.stat(path)
    except OSError:
        return False
    return about.st_uid == os.geteuid() and not about.st_mode & 0o022


def load(name: str, text: str, embedded: str, registration: str, place: Place) -> ctypes.CDLL:
    """The text compiled for the host with its registration, from the cache where it is there."""
    command = compiler()
    if command is None:
        raise Error(f"{name}: no C compiler is there for kernels on the host: install one or name it in CC")
    about = os.stat(command[0])
    headers = max(entry.stat().st_mtime_ns for entry in os.scandir(os.path.join(_INCLUDE, "weft")))
    key = repr((text, registration, command, about.st_size, about.st_mtime_ns, _FLAGS, os.uname().machine,
                functions["weft_version"](), headers))
    path = os.path.join(_cache(), f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}.so")
    if not _is_mine(path):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
            files = {"source.c": embedded, name + ".kernel.h": text, name + ".c": registration}
            for file, contents in files.items():
                with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                    out.write(contents)
            made = os.path.join(folder, "made.so")
            done = subprocess.run([command[0], *_FLAGS, *command[1:], name + ".c", "source.c", "-o", made, "-lm"],
                                  cwd=folder, capture_output=True, text=True)
            if done.returncode:
                told = [line for line in done.stderr.splitlines() if "error:" in line] or [done.stderr.strip()]
                raise Error(place.true(f"{name}: the C compiler refuses it:\n" + "\n".join(told)))
            os.chmod(made, 0o700)
            os.replace(made, path)
    return ctypes.CDLL(path)
