"""usage: properties.py WEFT GENERICIO

At redshift 1, in kpc/h and 1e10 Msun/h: what is inside the sphere of a halo that was made by hand,
against the same in physical units by its definition; HACC's columns of it; what is refused.
"""
import csv
import math
import os
import struct
import subprocess
import sys
import tempfile

try:
    import h5py
except ImportError:
    sys.exit(77)

weft = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.dirname(sys.argv[2]))
sys.dont_write_bytecode = True
import genericio

os.chdir(tempfile.mkdtemp())
Z, H, OMEGA, BOX = 1.0, 0.5, 0.3, 10000.0
A = 1 / (1 + Z)
G = 6.67430e-8 * 1.98841e33 / 3.0856775814913673e24 / 1e10  # Mpc (km/s)^2 / Msun
HUBBLE = 100 * H * math.sqrt(OMEGA * (1 + Z) ** 3 + 1 - OMEGA)  # km/s/Mpc
CRITICAL = 3 * HUBBLE ** 2 / (8 * math.pi * G)  # Msun / Mpc^3
CENTER, AXES, MASS, TURN = (2000.0, 9990.0, 5000.0), (80.0, 60.0, 40.0), 0.8, 3.0
SOFT = 50.0


def run(*arguments, status=0):
    done = subprocess.run([weft, 'halos', *arguments], capture_output=True, text=True, timeout=120,
                          check=False)
    assert done.returncode == status, (arguments, done)
    return done.stderr


# A particle at rest in the middle, and five octahedra around it that turn about z; all drift.
places, speeds = [(0.0, 0.0, 0.0)], [(0.0, 0.0, 0.0)]
for size in 1, 0.9, 0.8, 0.7, 0.6:
    for axis in range(3):
        for sign in 1, -1:
            at = [0.0, 0.0, 0.0]
            at[axis] = sign * size * AXES[axis]
            places.append(tuple(at))
            speeds.append((-TURN * at[1], TURN * at[0], 0.0))
DRIFT = (100.0, -50.0, 25.0)
with h5py.File('made.hdf5', 'w') as file:
    header = file.create_group('Header').attrs
    n = len(places)
    for name in 'NumPart_ThisFile', 'NumPart_Total':
        header[name] = [0, n, 0, 0, 0, 0]
    header.update(MassTable=[0, MASS, 0, 0, 0, 0], NumFilesPerSnapshot=1, BoxSize=BOX, Redshift=Z,
                  Time=A, HubbleParam=H, Omega0=OMEGA, OmegaLambda=1 - OMEGA,
                  UnitLength_in_cm=3.0856775814913673e21, UnitMass_in_g=1.98841e43,
                  UnitVelocity_in_cm_per_s=1e5)
    group = file.create_group('PartType1')
    group['Coordinates'] = [[(c + x) % BOX for c, x in zip(CENTER, p)] for p in places]
    group['Velocities'] = [[(d + v) / math.sqrt(A) for d, v in zip(DRIFT, s)] for s in speeds]
    group['ParticleIDs'] = list(range(n))

# In Mpc, Msun and km/s, physical, nearest first.
x = [[c * A / H / 1000 for c in p] for p in places]
order = sorted(range(n), key=lambda i: math.hypot(*x[i]))
x, v = [x[i] for i in order], [speeds[i] for i in order]
r, m = [math.hypot(*p) for p in x], MASS * 1e10 / H
steep = max((k + 1) * m / max(r[k], SOFT * A / H / 1000) for k in range(n))
mass = n * m
radius = (3 * mass / (4 * math.pi * 200 * CRITICAL)) ** (1 / 3)
assert r[-1] < radius < BOX / 4 * A / H / 1000
circular = math.sqrt(G * mass / radius)
spin = m * sum(p[0] * u[1] - p[1] * u[0] for p, u in zip(x, v))


def nfw(c):
    return math.log(1 + c) - c / (1 + c)


def invert(value, low, high):
    """Of a falling function."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) > 0 else (low, middle)
    return low


MEAN = sum(r) / n / radius
SOFTENED = SOFT * A / H / 1000
# With the Hubble flow, and about the mean velocity, which is that of the middle.
flow = [[w + HUBBLE * c for c, w in zip(p, u)] for p, u in zip(x, v)]
kinetic = sum(m * sum(w * w for w in u) / 2 for u in flow)
phi = [-G * m * sum(1 / math.sqrt(math.dist(p, q) ** 2 + SOFTENED ** 2) for q in x if q is not p)
       for p in x]
potential = m * sum(phi) / 2


def score(c):
    """The slope of the likelihood of c."""
    s0 = SOFTENED / radius
    outer = [d / radius for d in r if d >= SOFTENED]
    norm = nfw(c) - nfw(c * s0)
    slope = c / (1 + c) ** 2 - c * s0 ** 2 / (1 + c * s0) ** 2
    return sum(2 / c - 2 * s / (1 + c * s) for s in outer) - len(outer) * slope / norm


# Places lie evenly about the axes.
spread = sorted((sum((p[a] / d) ** 2 for p, d in zip(x, r) if d) for a in range(3)), reverse=True)
expected = {
    'mass_200c': mass * H / 1e10, 'radius_200c': radius * 1000 * H / A, 'count_200c': n,
    'vmax': math.sqrt(G * steep), 'rmax': 64,
    'spin_bullock': spin / (math.sqrt(2) * mass * circular * radius),
    'concentration_vmax': invert(lambda c: steep * radius / mass - 0.2162 * c / nfw(c), 2.1626, 1e4),
    'concentration_r1': invert(lambda c: (c - 2 * math.log(1 + c) + c / (1 + c)) / (c * nfw(c)) - MEAN,
                               1, 1e4),
    'concentration_nfw': invert(score, 1, 1e4) if score(1) > 0 > score(1e4) else 0,
    'kinetic_energy': kinetic * H / 1e10, 'potential_energy': potential * H / 1e10,
    'bound_fraction': sum(sum(w * w for w in u) / 2 + p < 0 for u, p in zip(flow, phi)) / n,
    'spin_peebles': spin * math.sqrt(abs(kinetic + potential)) / (G * mass ** 2.5),
    'angular_momentum_z': spin * 1000 * H / A * H / 1e10, 'angular_momentum_x': 0,
    'half_mass_radius': r[(n - 1) // 2] * 1000 * H / A,
    'shape_x': 0.5, 'shape_y': 0.75, 'shape_z': (80 ** 2 - 60 ** 2) / (80 ** 2 - 40 ** 2),
    'shape_axes_0': 1, 'shape_axes_4': 1, 'shape_axes_8': 1, 'shape_axes_1': 0,
    'shape_reduced_x': math.sqrt(spread[2] / spread[0]), 'shape_reduced_y': math.sqrt(spread[1] / spread[0]),
    'velocity_dispersion_tensor_0': sum(u[0] ** 2 for u in v) / n,
    'velocity_dispersion_tensor_1': sum(u[1] ** 2 for u in v) / n,
    'velocity_dispersion_tensor_3': 0,
    'velocity_dispersion_200c': math.sqrt(sum(u[0] ** 2 + u[1] ** 2 for u in v) / n / 3),
    'offset_position': 0, 'offset_velocity': 0,
    'center_of_mass_200c_x': CENTER[0], 'center_of_mass_200c_y': CENTER[1],
    'velocity_200c_x': 100, 'velocity_200c_z': 25,
}
SHAPED = ['made.hdf5', '-q', '--softening', str(SOFT), '--linking-length-absolute', '60', '--so', '200c,vir']
run(*SHAPED, '-o', 'made.csv')
with open('made.csv', encoding='ascii') as file:
    rows = list(csv.DictReader(file))
assert len(rows) == 1 and int(rows[0]['mbp_id']) == 0, rows
for name, value in expected.items():
    assert math.isclose(float(rows[0][name]), value, rel_tol=1e-6, abs_tol=1e-6), \
        (name, rows[0][name], value)
# What the attributes say, and shapes.
run(*SHAPED, '-o', 'made.hdf5.cat')
with h5py.File('made.hdf5.cat') as file:
    halos = file['halos']
    assert halos['shape_axes'].shape == (1, 3, 3)
    assert halos['velocity_dispersion_tensor'].shape == (1, 6)
    assert halos['velocity_dispersion_tensor'].attrs['unit'] in ('km^2/s^2', b'km^2/s^2')
    assert halos['kinetic_energy'].attrs['unit'] in ('1e10 Msun/h * km^2/s^2', b'1e10 Msun/h * km^2/s^2')
    for name, a, h in (('rmax', 1, -1), ('vmax', 0, 0), ('half_mass_radius', 1, -1),
                       ('kinetic_energy', 0, -1), ('angular_momentum', 1, -2)):
        assert halos[name].attrs['a_scaling'] == a and halos[name].attrs['h_scaling'] == h, name

# Profiles: shells of the particles, comoving densities.
run(*SHAPED, '--profiles', '-o', 'made.hdf5.cat')
with h5py.File('made.hdf5.cat') as file:
    edge, shells = file['profiles/edge'][:], {k: d[:] for k, d in file['profiles'].items()}
    unit = file['profiles/density'].attrs
    assert unit['a_scaling'] == -3 and unit['h_scaling'] == 2
assert len(edge) == 22 and edge[0] == 0 and math.isclose(edge[1], 10 ** -2.5)
assert math.isclose(edge[21], 10 ** 0.25) and shells['count'].shape == (1, 21)
assert shells['count'][0, 0] == 1 and shells['count'].sum() == n
for b in range(21):
    inside = [k for k in range(n) if edge[b] * radius <= r[k] < edge[b + 1] * radius]
    volume = 4 * math.pi / 3 * (edge[b + 1] ** 3 - edge[b] ** 3) * radius ** 3
    assert shells['count'][0, b] == len(inside), b
    assert math.isclose(shells['density'][0, b] * A ** -3 * H ** 2 * 1e10 * 1e9,
                        len(inside) * m / volume, rel_tol=1e-6), b
    assert abs(shells['radial_velocity'][0, b]) < 1e-6, b
    mean = [sum(v[k][a] for k in inside) / max(len(inside), 1) for a in range(3)]
    square = sum((v[k][a] - mean[a]) ** 2 for k in inside for a in range(3))
    assert math.isclose(shells['velocity_dispersion'][0, b],
                        math.sqrt(square / 3 / max(len(inside), 1)), rel_tol=1e-6, abs_tol=1e-6), b

# HACC's columns, in its units.
run(*SHAPED, '-o', 'made.gio')
rows_there, _, variables = genericio.check('made.gio')
data, values = open('made.gio', 'rb').read(), {}
at = struct.unpack_from('<Q', data, 8)[0] + 8
for name, (flags, row, _, _) in variables.items():
    values[name] = struct.unpack_from('<f' if flags & 1 else '<i' if row == 4 else '<q', data, at)[0]
    at += row * rows_there + 8
assert rows_there == 1 and values['sod_halo_count'] == n
hacc = {'sod_halo_radius': ('radius_200c', 1e-3), 'sod_halo_mass': ('mass_200c', 1e10),
        'sod_halo_max_cir_vel': ('vmax', 1), 'sod_halo_min_pot_y': ('mbp_position_y', 1e-3),
        'sod_halo_1D_vel_disp': ('velocity_dispersion_200c', 1),
        'sod_halo_com_y': ('center_of_mass_200c_y', 1e-3),
        'sod_halo_mean_vz': ('velocity_200c_z', 1), 'sod_halo_MVir': ('mass_vir', 1e10),
        'sod_halo_RVir': ('radius_vir', 1e-3), 'sod_halo_ke': ('kinetic_energy', 1e10),
        'sod_halo_angmom_z': ('angular_momentum_z', 1e7), 'sod_halo_eigS2Y': ('shape_axes_4', 1),
        'sod_halo_eigR1X': ('shape_reduced_axes_0', 1),
        'sod_halo_cdelta': ('concentration_nfw', 1),
        'sod_halo_cdelta_error': ('concentration_nfw_error', 1)}
for name, (ours, factor) in hacc.items():
    assert math.isclose(values[name], float(rows[0][ours]) * factor, rel_tol=1e-6), name
assert values['sod_halo_M500c'] == -101
run(*SHAPED[:-1], 'vir', '-o', 'none.gio')
assert 'sod_halo_count' not in genericio.check('none.gio')[2]

# Inside another threshold the velocities' names say so, and they are not HACC's.
run(*SHAPED, '--properties=vir', '-o', 'vir.csv')
with open('vir.csv', encoding='ascii') as file:
    assert 'velocity_vir_x' in next(csv.reader(file))

# What cannot be done says what does.
for options, words in ((['--properties=700c'], '700c is not one of --so'),
                       (['--properties=700'], "'700' is not vir, a number and c"),
                       (['--so', 'none', '--properties'], '200c is not one of --so'),
                       (['--properties', '--centers', 'mcp'], 'needs the center mbp'),
                       (['--profiles', '-o', 'made.csv'], 'needs an HDF5 catalogue'),
                       (['--profiles', '--properties=none'], 'exclude each other'),
                       (['--profiles', '--so', 'vir'], '200c is not one of --so'),
                       (['--properties', '--region', ':,:,0:10'], 'exclude each other')):
    said = run('made.hdf5', '-q', *options, status=2)
    assert words in said, (options, said)
with h5py.File('made.hdf5', 'a') as file:
    del file['Header'].attrs['Omega0']
said = run('made.hdf5', '-q', '--linking-length-absolute', '60', '--properties', status=1)
assert '--properties: made.hdf5: the file does not tell its' in said, said
