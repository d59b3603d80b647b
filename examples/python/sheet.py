"""usage: sheet.py SNAPSHOT [PICTURE]: densities of the dark-matter sheet; a picture of a slice by matplotlib."""

import sys

import numpy as np
import weft

snapshot = sys.argv[1]

# %% Each cell of the grid has the mass of the sheet in it, exactly: none of it is lost.
sheet = weft.sheet(snapshot, grid=96)
density = sheet.density
print(f"from {density.min():.3g} to {density.max():.4g} times the mean; half of space is below {np.median(density):.2f}")
print("all mass is there:", sheet.mass_units.sum() == sheet.tetrahedra * sheet.units_per_tetrahedron)

# %% How much of space, and of the mass, is in voids.
voids = density < 0.5
inside = density[voids].sum() / density.sum()
print(f"{voids.mean():.0%} of space is below half the mean density, with {inside:.0%} of the mass")

# %% A slice through the densest cell: voids have no noise of particles.
if len(sys.argv) > 2:
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(5, 5), layout="constrained")
    plane = density[:, :, np.unravel_index(density.argmax(), density.shape)[2]]
    axes.imshow(np.log10(np.maximum(plane.T, 1e-3)), origin="lower", extent=(0, sheet.box[0], 0, sheet.box[1]), cmap="magma")
    figure.savefig(sys.argv[2])
