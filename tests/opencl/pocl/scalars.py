#!/usr/bin/env python3
"""scalars.py FOLDER: the OpenCL drivers as they are installed, listed in FOLDER/vendors, but PoCL without the
built-in functions of vectors, images and halves, which no kernel of ours calls. PoCL reads the declarations of all
twice for each program, 0.14 of the 0.17 s that a small one takes, and for each context their bitcode, 0.5 s. It looks
for both beside its library. Its compiler, and the functions that are left, are as installed. Fails where PoCL is not
as it is known to be."""
import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

VECTOR = re.compile(r'\b(u?char|u?short|u?int|u?long|half|float|double)(2|3|4|8|16)\b|\bhalf\b|image|\bconvert_')
MANGLED = re.compile(r'Dv\d+_|Dh|ocl_image|convert_')  # the same, in names of the bitcode
# PoCL's bitcode for processors, the best first, and what of /proc/cpuinfo asks for it.
LEVELS = {'avx512': 'avx512f', 'avx2': 'avx2', 'avx_fma4': 'fma4', 'avx_f16c': 'f16c', 'avx': 'avx', 'sse41': 'sse4_1',
          'ssse3': 'ssse3', 'sse2': 'sse2'}


def installed(vendors):
    """PoCL's library, by its full name."""
    name = (vendors / 'pocl.icd').read_text().strip()
    if name.startswith('/'):
        return Path(name)
    known = subprocess.run('ldconfig -p', shell=True, capture_output=True, text=True, check=True,
                           env=os.environ | {'PATH': os.environ['PATH'] + ':/sbin:/usr/sbin'}).stdout
    return Path(re.search(r'=> (.*)/libpocl\.so', known)[1]) / name


def thin_header(whole, thin):
    lines = whole.read_text().splitlines()
    thin.write_text('\n'.join('' if re.match('[a-z].*;$', line) and VECTOR.search(line) else line for line in lines) + '\n')


def llvm_of(library):
    """The LLVM that PoCL is linked with, as C sees it."""
    linked = subprocess.run(['ldd', library], capture_output=True, text=True, check=True).stdout
    llvm = ctypes.CDLL(re.search(r'=> (.*/libLLVM\S*)', linked)[1])
    for result, names in [(ctypes.c_void_p, ['ContextCreate', 'GetFirstFunction', 'GetNextFunction', 'GetFirstUse']),
                          (ctypes.c_char_p, ['GetValueName2'])]:
        for name in names:
            getattr(llvm, 'LLVM' + name).restype = result
    return llvm


def thin_bitcode(llvm, whole, thin):
    file, module, length = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    context = ctypes.c_void_p(llvm.LLVMContextCreate())
    if llvm.LLVMCreateMemoryBufferWithContentsOfFile(bytes(whole), ctypes.byref(file), ctypes.byref(ctypes.c_char_p())) or \
            llvm.LLVMParseBitcodeInContext2(context, file, ctypes.byref(module)):
        sys.exit(f'{whole} cannot be read')

    def functions():
        function = llvm.LLVMGetFirstFunction(module)
        while function:
            following = llvm.LLVMGetNextFunction(ctypes.c_void_p(function))
            yield ctypes.c_void_p(function)
            function = following

    def is_asked_for(function):
        name = llvm.LLVMGetValueName2(function, ctypes.byref(length)).decode()
        return llvm.LLVMGetLinkage(function) == 0 and not MANGLED.search(name)  # (0: seen from outside)

    kept = {function.value for function in functions() if is_asked_for(function)}
    gone = True
    while gone:
        unused = [f for f in functions() if f.value not in kept and not llvm.LLVMGetFirstUse(f)]
        for function in unused:
            llvm.LLVMDeleteFunction(function)
        gone = bool(unused)
    llvm.LLVMWriteBitcodeToFile(module, bytes(thin))


def main(folder):
    vendors = Path(os.environ.get('OCL_ICD_VENDORS', '/etc/OpenCL/vendors'))
    library = installed(vendors)
    share = library.parent / '../../share/pocl'
    header = share / 'include/opencl-c.h'
    if not header.exists():
        sys.exit(f'there is no {header}')
    ours = folder / 'share/pocl'
    shutil.rmtree(folder, ignore_errors=True)
    (ours / 'include').mkdir(parents=True)
    (folder / 'library/here').mkdir(parents=True)
    for beside in [library, library.parent / 'pocl']:
        (folder / 'library/here' / beside.name).symlink_to(beside)
    for file in [*share.glob('*.bc'), *share.glob('include/*')]:
        (ours / file.relative_to(share)).symlink_to(file)
    (ours / 'include/opencl-c.h').unlink()
    thin_header(header, ours / 'include/opencl-c.h')

    flags = Path('/proc/cpuinfo').read_text().split()
    best = next(share.glob(f'kernel-*-{level}.bc') for level, flag in LEVELS.items() if flag in flags)
    for bitcode in best:
        (ours / bitcode.name).unlink()
        thin_bitcode(llvm_of(library), bitcode, ours / bitcode.name)

    shutil.copytree(vendors, folder / 'vendors')
    (folder / 'vendors/pocl.icd').write_text(f'{folder}/library/here/{library.name}\n')


main(Path(sys.argv[1]).absolute())
