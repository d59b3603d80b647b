# Sourced with $build and $work set: installs the build into $work/root, where the user's
# pkg-config, loader and compiler then find it.
meson install -C "$build" --no-rebuild --quiet --destdir "$work/root"
pc=$(find "$work/root" -name weft.pc)
prefix=$(sed -n 's/^prefix=//p' "$pc")
sed "s|^prefix=.*|prefix=$work/root$prefix|" "$pc" >"$pc.here" && mv "$pc.here" "$pc"
PKG_CONFIG_PATH=$(dirname "$pc")
LD_LIBRARY_PATH=$(pkg-config --variable=libdir "$pc")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
