#!/usr/bin/env python3
"""usage: names.py INCLUDE

Every name that the public headers give to a program begins with weft_ or WEFT_: macros, types,
tags, constants and functions; but for those of <weft/kernel.h>, <weft/philox.h>,
<weft/index.h> and <weft/short_names.h>, which a file asks for. Exits with 77 where there is no gcc.
"""
import re
import shutil
import sys
import tempfile
from pathlib import Path

from abi import entries, has_opencl, said

ASKED_FOR = {'kernel.h', 'philox.h', 'index.h', 'short_names.h'}
DECLARED = {'DW_TAG_typedef', 'DW_TAG_structure_type', 'DW_TAG_union_type',
            'DW_TAG_enumeration_type', 'DW_TAG_enumerator', 'DW_TAG_variable'}


def names(text, include, folder):
    """Of macros, types and constants, and of functions with the files that declare them."""
    source, made, declared = folder / 'names.c', folder / 'names.o', folder / 'declared'
    source.write_text(text)
    compiler = ['gcc', '-std=c11', '-I', include]
    macros = re.findall(r'^#define (\w+)', said(*compiler, '-dM', '-E', source), re.M)
    said(*compiler, '-g', '-fno-eliminate-unused-debug-types', '-aux-info', declared, '-c',
         source, '-o', made)
    found = entries(said('readelf', '--debug-dump=info', made)).values()
    types = [entry.get('DW_AT_name', '') for entry in found if entry['tag'] in DECLARED]
    functions = re.findall(r'^/\* \S+ \*/ (?:extern|static) .*?(\w+) \(', declared.read_text(),
                           re.M)
    return {*macros, *types, *functions}


def main(include):
    if not shutil.which('gcc') or not shutil.which('readelf'):
        return 77
    headers = [path for path in sorted(Path(include, 'weft').glob('*.h'))
               if path.name not in ASKED_FOR and (path.name != 'opencl.h' or has_opencl())]
    ours = ''.join(f'#include <weft/{path.name}>\n' for path in headers)
    system = ''.join(sorted({line + '\n' for path in headers for line in
                             re.findall(r'^#include <[^>]*>', path.read_text(), re.M)}))
    with tempfile.TemporaryDirectory() as folder:
        added = (names(ours, include, Path(folder)) - names(system, include, Path(folder)) -
                 {'', 'names.c'})
    others = sorted(name for name in added if not re.match('weft_|WEFT_', name))
    for name in others:
        print(f'{name}: a name that public headers define begins with weft_ or WEFT_')
    if not {'weft_open', 'weft_array', 'WEFT_OK', 'WEFT_TYPE'} <= added:
        sys.exit('names.py does not see what the headers define')
    return bool(others)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
