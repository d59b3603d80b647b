#!/usr/bin/env python3
"""usage: abi.py LIBRARY INCLUDE [RECORD]

Writes the public surface as it is: functions with their parameters, structs with the size,
type and place of each member, constants. With RECORD, a file of such lines, says instead what
differs, and what version that needs (docs/stability.md). Exits with 77 where there is no gcc
or no <CL/cl.h>.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def said(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compiled(include, folder):
    """All that <weft/weft.h> and <weft/opencl.h> declare: gcc's list of functions, and debug information."""
    source, made, functions = folder / 'all.c', folder / 'all.o', folder / 'functions'
    source.write_text('#define CL_TARGET_OPENCL_VERSION 120\n'
                      '#include <weft/opencl.h>\n#include <weft/weft.h>\n')
    said('gcc', '-std=c11', '-g', '-fno-eliminate-unused-debug-types', '-I', include,
         '-aux-info', functions, '-c', source, '-o', made)
    return functions.read_text(), said('readelf', '--debug-dump=info', made)


def entries(dump):
    """Each entry of debug information by its offset, with its children."""
    found, path = {}, []
    for line in dump.splitlines():
        head = re.match(r'\s*<(\d+)><([0-9a-f]+)>: Abbrev Number: \d+ \((\w+)\)', line)
        if head:
            entry = {'tag': head[3], 'children': []}
            found[head[2]] = entry
            del path[int(head[1]):]
            if path:
                path[-1]['children'].append(entry)
            path.append(entry)
            continue
        field = re.match(r'\s*<[0-9a-f]+>\s+(DW_AT_\w+)\s*: (?:\((?:indirect|alt)[^)]*\): )?(.*)',
                         line)
        if field and path:
            path[-1][field[1]] = re.sub(r'\s*\(.*\)$', '', field[2].strip()).strip('<>')
    return found


def type_name(found, entry):
    """A type as C has it, or nearly so."""
    of = entry.get('DW_AT_type')
    inner = type_name(found, found[of.removeprefix('0x')]) if of else 'void'
    tag = entry['tag']
    if tag == 'DW_TAG_pointer_type':
        return inner + ' *'
    if tag == 'DW_TAG_const_type':
        return 'const ' + inner
    if tag == 'DW_TAG_array_type':
        bounds = [int(c.get('DW_AT_upper_bound', '-1'), 0) + 1 for c in entry['children']]
        return inner + ''.join(f'[{bound}]' for bound in bounds)
    if tag == 'DW_TAG_subroutine_type':
        parameters = [type_name(found, found[c['DW_AT_type'].removeprefix('0x')])
                      for c in entry['children'] if 'DW_AT_type' in c]
        return f'{inner} ({", ".join(parameters)})'
    if tag == 'DW_TAG_typedef' and not entry['DW_AT_name'].startswith('weft_') and of:
        return inner
    words = {'DW_TAG_structure_type': 'struct ', 'DW_TAG_enumeration_type': 'enum '}
    return words.get(tag, '') + entry.get('DW_AT_name', 'without a name')


def place(member):
    if 'DW_AT_bit_size' in member:
        return f'at bit {member["DW_AT_data_bit_offset"]}, {member["DW_AT_bit_size"]} wide,'
    return f'at {int(member["DW_AT_data_member_location"]):3}'


# Passed around by value, or written into programs by the macros of registration: see
# docs/stability.md.
FIXED = {'weft_array', 'weft_points', 'weft_halos', 'weft_source', 'weft_parameter', 'weft_bundle',
         'weft_function', 'weft_kernel', 'weft_generator', 'weft_operator', 'weft_pairs_function',
         'weft_comparison', 'weft_order_side'}


def without_room(lines):
    sized = {name for line in lines for name in re.findall(r'^struct (\w+): \d+ bytes', line)}
    roomy = {name for line in lines for name in re.findall(r'^struct (\w+): .* reserved: ', line)}
    return sorted(sized - roomy - FIXED)


def surface(include):
    with tempfile.TemporaryDirectory() as folder:
        functions, dump = compiled(include, Path(folder))
    found = entries(dump)
    lines = set()
    for declared in re.findall(r'^/\* \S*weft/\S+ \*/ extern (.*\bweft_\w+ \(.*\));', functions,
                               re.M):
        lines.add('function ' + declared)
    for entry in found.values():
        name = entry.get('DW_AT_name', '')
        if entry['tag'] == 'DW_TAG_enumerator' and name.startswith('WEFT_'):
            lines.add(f'constant {name} = {entry["DW_AT_const_value"]}')
        if entry['tag'] == 'DW_TAG_structure_type' and name.startswith('weft_'):
            if 'DW_AT_byte_size' not in entry:
                lines.add(f'struct {name}: opaque')
                continue
            lines.add(f'struct {name}: {entry["DW_AT_byte_size"]} bytes')
            for member in entry['children']:
                if member['tag'] != 'DW_TAG_member':
                    continue
                of = type_name(found, found[member['DW_AT_type'].removeprefix('0x')])
                lines.add(f'struct {name}: {place(member)} {member["DW_AT_name"]}: {of}')
    return lines


def exported(library):
    words = [line.split() for line in said('nm', '-D', '--defined-only', library).splitlines()]
    return {w[2].split('@')[0] for w in words if w[1] in 'TDRB'}


def has_opencl():
    """Whether what <weft/opencl.h> includes is there."""
    return not subprocess.run(['gcc', '-E', '-'], input=b'#include <CL/cl.h>',
                              capture_output=True).returncode


def main(library, include, record=None):
    if not shutil.which('gcc') or not shutil.which('readelf') or not has_opencl():
        return 77
    lines = surface(include)
    declared = {re.search(r'\b(weft_\w+) \(', line)[1] for line in lines
                if line.startswith('function')}
    wrong = 0
    for name in sorted(declared ^ exported(library)):
        print(f'{name} is {"declared, but not exported" if name in declared else "exported, but not declared"}')
        wrong = 1
    for name in without_room(lines):
        print(f'struct {name} has no member `reserved`, by which it could grow')
        wrong = 1
    if record is None:
        print('\n'.join(sorted(lines)))
        return wrong
    recorded = set(Path(record).read_text().splitlines())
    for line in sorted(recorded - lines):
        minor = ' reserved: ' in line
        print(f'gone: {line}    ({"room that a minor version may use" if minor else "needs a new major version"})')
    for line in sorted(lines - recorded):
        print(f'new:  {line}')
    if lines != recorded:
        print(f'if that is meant: {sys.argv[0]} LIBRARY INCLUDE >{record}')
    return wrong or lines != recorded


if __name__ == '__main__':
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
