"""Pictures of catalogues, by matplotlib."""

from __future__ import annotations

import numpy as np

from ._files import read


def _draw_density(axes, catalogue, positions, across, bins: int, largest: int) -> None:
    box, unit = np.array(catalogue.about.box), catalogue.header["length_unit"]
    x, y = (np.asarray(positions)[:, k].astype("f8") for k in across)
    sides = []
    for numbers, k in ((x, across[0]), (y, across[1])):
        if box[k] > 0:
            if catalogue.about.periodic[k]:
                np.mod(numbers, box[k], out=numbers)
            sides.append((0.0, float(box[k])))
        else:
            sides.append((float(numbers.min(initial=0)), float(numbers.max(initial=1))))
    counts = np.histogram2d(x, y, bins, sides)[0]
    axes.imshow(np.log10(1 + counts.T), origin="lower", extent=(*sides[0], *sides[1]), cmap="magma")
    at, radius = catalogue["center_of_mass"][:largest], catalogue["radius_max"][:largest]
    for center, size in zip(at, radius):
        axes.add_patch(_circle(center[list(across)], size))
    names = ["xyz"[k] for k in across]
    axes.set(xlabel=f"{names[0]} / ({unit})", ylabel=f"{names[1]} / ({unit})")


def _circle(center, radius):
    from matplotlib.patches import Circle

    return Circle(tuple(center), radius, fill=False, color="white", linewidth=0.4)


def _draw_masses(axes, catalogue) -> None:
    mass, unit = catalogue["mass"], catalogue.columns["mass"].unit
    axes.set(xlabel="mass" if unit == "1" else f"mass / ({unit})", ylabel="halos in each bin")
    if not len(mass):
        return
    edges = np.geomspace(mass.min(), max(mass.max(), 1.001 * mass.min()) * (1 + 1e-9), 13)
    number, volume = np.histogram(mass, edges)[0], np.prod(catalogue.about.box)
    if volume > 0:
        number = number / np.diff(np.log(edges)) / volume
        axes.set_ylabel(f"dn / dlnM / ({catalogue.header['length_unit']})^-3")
    axes.stairs(number, edges)
    axes.set(xscale="log", yscale="log")


def plot(catalogue, positions, axis: str, bins: int, largest: int):
    """As Catalogue.plot says."""
    if axis not in ("x", "y", "z"):
        raise ValueError(f"axis: 'x', 'y' or 'z', not {axis!r}")
    if isinstance(positions, str):
        positions = read(positions, "positions").positions
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 5), layout="constrained")
    _draw_density(left, catalogue, positions, [k for k in range(3) if "xyz"[k] != axis], bins, largest)
    _draw_masses(right, catalogue)
    return figure
