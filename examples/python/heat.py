"""usage: heat.py: heat spreads over a plate, by a kernel of one's own, as examples/heat does in C."""

import weft

# %% A kernel: each point within the rim becomes the mean of its four neighbours.
step = weft.kernel("""
void heat_step(index_t i, u32 width, u32 height, GLOBAL const f32 *now, GLOBAL f32 *next) {
    const u32 x = (u32)i % width, y = (u32)i / width;
    const int rim = x == 0 || x == width - 1 || y == 0 || y == height - 1;
    next[i] = rim ? now[i] : 0.25f * ((now[i - 1] + now[i + 1]) + (now[i - width] + now[i + width]));
}""", out="next")
# %% A hot edge, and 2,000 steps of arrays that stay on the device.
now, next = weft.array([100.0 * (18 <= i < 54) for i in range(72 * 24)], "f4"), weft.array([0.0] * (72 * 24), "f4")
for _ in range(2000):
    step(72 * 24, width=72, height=24, now=now, next=next)
    now, next = next, now
print(f"{now.numpy()[12 * 72 + 36]:.9g} degrees in the middle")
