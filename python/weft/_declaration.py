"""What the text of a kernel declares: its structs, and the function that is called."""

from __future__ import annotations

import re
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

import numpy as np

WORDS = {"i8": "i1", "u8": "u1", "i16": "i2", "u16": "u2", "i32": "i4", "u32": "u4", "i64": "i8", "u64": "u8",
         "f32": "f4", "f64": "f8"}
MOST = 48  # values and arrays of a call: WEFT_MAX_PARAMETERS
FORMS = ("kernels are void f(index_t i, ...), generators T f(index_t i, ...), operators T f(T a, T b), "
         "pairs A f(A sum, T p, T q, ...)")


class Parameter(NamedTuple):
    """Of a function: ``role`` is value, in, optional, out, inout, shared or bundle, whose
    ``fields`` are in its place."""

    name: str
    type: str
    role: str
    fields: Tuple["Parameter", ...] = ()


class Declaration(NamedTuple):
    """``kind`` is kernel, generator, operator or pairs; ``parameters`` are those that a call
    names; ``dtypes`` those of all types that the text may use for them."""

    name: str
    kind: str
    result: str
    parameters: List[Parameter]
    dtypes: Dict[str, Any]

    def arrays(self) -> Iterator[str]:
        """Names of all arrays; those of bundles have the bundle's type before a point."""
        for p in self.parameters:
            if p.role == "bundle":
                yield from (f"{p.type}.{field.name}" for field in p.fields if field.role != "value")
            elif p.role != "value":
                yield p.name


def _bare(text: str) -> str:
    """Without comments and the preprocessor's lines."""
    return re.sub(r"/\*.*?\*/|//[^\n]*|^[ \t]*#(?:\\\n|[^\n])*", " ", text, flags=re.S | re.M)


def _struct(body: str, dtypes: Dict[str, Any]):
    """The dtype of numbers, and arrays of them, as C lays them out."""
    fields = []
    for line in filter(str.strip, body.split(";")):
        kind, names = line.split(None, 1)
        for name in names.split(","):
            found = re.fullmatch(r"\s*(\w+)\s*((?:\[\s*\d+\s*\]\s*)*)", name)
            if found is None or kind not in dtypes:
                return None  # no array of it comes from NumPy
            shape = tuple(int(n) for n in re.findall(r"\d+", found[2]))
            fields.append((found[1], dtypes[kind], shape))
    return np.dtype(fields, align=True)


def _members(body: str) -> Iterator[str]:
    """Each with its type: `GLOBAL const f32 *x, *y` is two."""
    for line in filter(str.strip, body.split(";")):
        first, *others = line.split(",")
        kind = re.match(r"\s*(?:(?:GLOBAL|const|volatile)\s+)*\w+", first)
        yield from [first, *(f"{kind[0]} {other}" for other in others if kind)]


def _bundle(body: str, name: str, roles: Dict[str, str]) -> Tuple[Parameter, ...]:
    """The members of a struct that has arrays, named `NAME.member` in roles."""
    own = {key[len(name) + 1:]: role for key, role in roles.items() if key.startswith(name + ".")}
    fields = tuple(_parameter(member, name, own) for member in _members(body))
    for unknown in set(own) - {field.name for field in fields}:
        raise ValueError(f"{name}: has no member {unknown}")
    return fields


def _parameter(text: str, name: str, roles: Dict[str, str]) -> Parameter:
    words = [word for word in re.findall(r"\w+|\*", text) if word not in ("GLOBAL", "restrict", "volatile")]
    plain = [word for word in words if word not in ("const", "*")]
    if len(plain) != 2 or words.count("*") > 1:
        raise ValueError(f"{name}: '{text.strip()}' is no parameter: a type and a name")
    role = "value" if "*" not in words else "in" if "const" in words else "inout"
    asked = roles.get(plain[1], role)
    if asked != role and (role == "value" or (role == "in") != (asked == "optional")):
        raise ValueError(f"{name}: {plain[1]} is declared as {role}, and cannot be {asked}")
    return Parameter(plain[1], plain[0], asked)


def declaration(text: str, roles: Dict[str, str]) -> Declaration:
    """Of the last function of the text."""
    bare = _bare(text)
    dtypes: Dict[str, Any] = {word: np.dtype(kind) for word, kind in WORDS.items()}
    bundles: Dict[str, Tuple[Parameter, ...]] = {}
    for body, name in re.findall(r"typedef\s+struct\b[\s\w]*\{([^{}]*)\}\s*(\w+)\s*;", bare):
        if "*" in body:
            bundles[name] = _bundle(body, name, roles)
        else:
            dtypes[name] = _struct(body, dtypes)
    while re.search(r"\{[^{}]*\}", bare):
        bare = re.sub(r"\{[^{}]*\}", "\0", bare)
    functions = re.findall(r"(\w+)\s+(\w+)\s*\(([^()]*)\)\s*\0", bare)
    if not functions:
        raise ValueError(f"kernel: there is no function in the text: {FORMS}")
    result, name, inside = functions[-1]
    given = [_parameter(part, name, roles) for part in inside.split(",") if part.strip()]
    given = [p._replace(role="bundle", fields=bundles[p.type]) if p.type in bundles and p.role == "value" else p
             for p in given]
    known = {p.name for p in given} | {f"{p.type}.{field.name}" for p in given for field in p.fields}
    for unknown in set(roles) - known:
        raise ValueError(f"{name}: has no parameter {unknown}")
    types = [parameter.type for parameter in given]
    if types and types[0] == "index_t":
        kind, called = "kernel" if result == "void" else "generator", given[1:]
    elif types == [result] * 2:
        kind, called = "operator", []
    elif len(given) > 2 and types[0] == result and types[1] == types[2]:
        kind, called = "pairs", [given[1]._replace(role="in"), *given[3:]]
    else:
        raise ValueError(f"{name}: {result} {name}({', '.join(types)}) is none of the four kinds: {FORMS}")
    for used in {own.type for p in called for own in p.fields or (p,)} | ({result} - {"void"}):
        if dtypes.get(used) is None:
            raise ValueError(f"{name}: {used} is not {', '.join(WORDS)}, nor a struct of such that the text defines")
    if sum(len(p.fields) if p.role == "bundle" else 1 for p in called) > MOST:
        raise ValueError(f"{name}: more than {MOST} values and arrays with those of its bundles")
    return Declaration(name, kind, result, called, dtypes)
