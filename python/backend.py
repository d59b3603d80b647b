"""What pip asks for a wheel: meson-python makes it. Debian's own serves where that is installed, so that nothing is
fetched; elsewhere pip fetches one."""

import importlib.util
import os
import shutil
import sys

DEBIAN = "/usr/lib/python3/dist-packages"  # which pip hides from backends


def _is_debians() -> bool:
    return (importlib.util.find_spec("mesonpy") is None and sys.base_prefix == "/usr" and
            os.path.isdir(os.path.join(DEBIAN, "mesonpy")))


def _mesonpy():
    if _is_debians():
        sys.path.append(DEBIAN)
        os.environ.pop("PYTHONPATH", None)  # by which pip would hide Meson's own parts from Meson
    import mesonpy

    return mesonpy


def _needed(config_settings=None):
    if importlib.util.find_spec("mesonpy") or _is_debians():
        return []
    return ["meson-python>=0.12", *(["ninja"] if shutil.which("ninja") is None else [])]


get_requires_for_build_wheel = get_requires_for_build_sdist = _needed


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _mesonpy().build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    return _mesonpy().build_sdist(sdist_directory, config_settings)
