"""usage: test_words.py BUILD/python: every public function and class of weft says what it does, and its examples hold."""

import doctest
import importlib
import inspect
import os
import pkgutil
import sys
import tempfile

sys.path.insert(0, os.path.abspath(sys.argv[1]))
os.chdir(tempfile.mkdtemp())
sys.modules["sklearn"] = None  # whose import takes most of the time; test_dbscan.py has it
import weft  # noqa: E402

# Their examples would need files: examples/python and docs/python.md show them.
OF_FILES = {"convert", "halos", "info", "read"}


def public(scope):
    return {name: thing for name, thing in vars(scope).items() if not name.startswith("_")}


def undeclared(name, function):
    """The parameters without a type, and the result where it has none."""
    signature = inspect.signature(function)
    missing = [p.name for p in signature.parameters.values() if p.annotation is p.empty and p.name != "self"]
    return [f"{name}: {what}" for what in missing + ["its result"] * (signature.return_annotation is signature.empty)]


wrong = []
for name, thing in {**public(weft), "DBSCAN": weft.DBSCAN}.items():
    if inspect.ismodule(thing):
        continue
    functions = {name: thing} if inspect.isfunction(thing) else {
        f"{name}.{own}": part.fget if isinstance(part, property) else part
        for own, part in public(thing).items() if inspect.isfunction(part) or isinstance(part, property)}
    wrong += [f"{each}: no docstring" for each, part in {name: thing, **functions}.items() if not inspect.getdoc(part)]
    if inspect.isfunction(thing) and name not in OF_FILES and ">>>" not in (inspect.getdoc(thing) or ""):
        wrong.append(f"{name}: no example")
    wrong += [line for each, part in functions.items() for line in undeclared(each, part)]
assert not wrong, "\n".join(wrong)
assert os.path.exists(os.path.join(os.path.dirname(weft.__file__), "py.typed"))

ran = 0
for module in [weft] + [importlib.import_module("weft." + found.name) for found in pkgutil.iter_modules(weft.__path__)
                        if found.name.startswith("_") and found.name != "_weft"]:
    result = doctest.testmod(module, extraglobs={"weft": weft})
    assert result.failed == 0, module
    ran += result.attempted
assert ran > 20, ran
