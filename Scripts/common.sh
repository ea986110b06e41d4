# Functions of the scripts. Sourced, not run.

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

may_install=true

fail() {
    echo "error: $*" >&2
    exit 1
}

# finds PATTERN...: `grep -q` that reads all of its input. Otherwise the program before it in the pipe may end with an error, because
# nobody reads the rest.
finds() {
    local text
    text=$(cat)
    grep -q "$@" <<<"$text"
}

# As root, or through sudo.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "installing packages needs root or sudo. Run as root: $*"
    fi
}

# need REASON PACKAGE...: installs those Debian packages that are missing.
need() {
    local reason=$1 package missing=()
    shift
    for package in "$@"; do
        dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | finds 'install ok installed' ||
            missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    $may_install || fail "missing packages (${reason}): ${missing[*]}. Install them with: apt-get install ${missing[*]}"
    command -v apt-get >/dev/null || fail "this script installs with apt-get, which is not here. Needed: ${missing[*]}"
    echo "Installing ${missing[*]}: $reason" >&2
    if [ -z "${apt_updated:-}" ]; then
        as_root apt-get update -qq >&2 || fail "apt-get update failed"
        apt_updated=yes
    fi
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >&2 ||
        fail "apt-get install failed"
}

need_swift() {
    command -v swift >/dev/null || fail "there is no swift in PATH. Install the Swift toolchain 6.2 or later from swift.org."
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    [ "$(printf '%s\n' 6.2 "$version" | sort -V | head -n 1)" = 6.2 ] ||
        fail "Swift $version is too old: 6.2 or later is needed, from swift.org."
    need "the Swift package manager fetches packages with it" git
}

need_engine() {
    need "the playback engine" libvlc-dev vlc-plugin-base pkg-config
    need "gapless audio of a queue" libpulse-dev
    need "media on servers" libcurl4
    need "the index of the engine's plugins, with which it starts ten times faster" libvlc-bin
    need "the lock, the sleep and the remote controls of the desktop" libsystemd0
}

# find_modules: sets $bin to the folder of the build, and $module_options to the compiler's options that find its modules.
find_modules() {
    local map flag
    bin=$(swift build --show-bin-path)
    module_options=(-I "$bin/Modules" -I Plugins/SystemLibraries/CVLC -I Plugins/SystemLibraries/COpenSSL
        -I Plugins/SystemLibraries/CMalloc -I Plugins/SystemLibraries/CGTK -I Plugins/SystemLibraries/CGStreamer)
    for flag in $(pkg-config --cflags libvlc; pkg-config --cflags gtk4 2>/dev/null || true; pkg-config --cflags gstreamer-app-1.0 2>/dev/null || true); do module_options+=(-Xcc "$flag"); done
    # The C parts of other packages, which their Swift parts need to be read.
    for map in .build/checkouts/*/Sources/*/include/module.modulemap .build/checkouts/*/*/include/module.modulemap "$bin"/*.build/module.modulemap; do
        [ ! -e "$map" ] || module_options+=(-Xcc "-fmodule-map-file=$map")
    done
    module_options+=(-module-cache-path "$bin/ModuleCache")
}

# build OPTION...: builds with the traits of FLOWPLAYER_TRAITS, or with the default ones, and with FLOWPLAYER_BUILD_OPTIONS. Other
# traits or options compile everything again.
# The package manager passes the traits to the compiler in the order of a set. A random order would compile everything again, too.
build() {
    SWIFT_DETERMINISTIC_HASHING=1 swift build ${FLOWPLAYER_TRAITS:+--traits "$FLOWPLAYER_TRAITS"} ${FLOWPLAYER_BUILD_OPTIONS:-} "$@"
}

# symbol_graphs FOLDER MODULE... [-- OPTION...]: what is public in modules that are built, as swift-symbolgraph-extract
# describes it. FOLDER is emptied first.
symbol_graphs() {
    local folder=$1 module modules=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        modules+=("$1")
        shift
    done
    [ $# -eq 0 ] || shift
    find_modules
    rm -rf "$folder"
    mkdir -p "$folder"
    for module in "${modules[@]}"; do
        swift symbolgraph-extract -module-name "$module" -output-dir "$folder" -minimum-access-level public \
            "${module_options[@]}" -target "$(basename "$(dirname "$bin")")" "$@" || fail "there is no symbol graph of $module"
    done
}
