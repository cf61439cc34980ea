# shellcheck shell=bash
# The common part of all scripts here: messages, the compiler, the system packages.
# Sourced, with `root` set to the root of the repository. Runs on bash 3.2, which macOS has.

: "${root:?}"
case $OSTYPE in
    darwin*) swiftly_home=${SWIFTLY_HOME_DIR:-${HOME:-}/.swiftly} ;;
    *) swiftly_home=${SWIFTLY_HOME_DIR:-${HOME:-}/.local/share/swiftly} ;;
esac

say() { printf '%s\n' "$*" >&2; }

# `swift build`, with the traits in one order. SwiftPM puts them into the compiler's arguments in an order that is random
# for each process; in another order than last time it compiles everything again. The variable is for this process alone:
# with it, the hashes of a program under test would not differ from run to run either.
swift_build() { SWIFT_DETERMINISTIC_HASHING=1 swift build "$@"; }

# Builds the command in .build/debug, unless this run of tools/test has built everything: a build with nothing to do takes 12 s.
build_command() { [[ -n ${APNS_IS_BUILT-} ]] || swift_build --product apns; }

# Makes folder $1 a package with the test targets of the other arguments and what they need: the package's own manifest with lines
# added, so that it cannot differ in what it keeps. For tests that are built in another way, for which all would take too long.
make_test_package() {
    local folder=$1 manifest names
    shift
    names=$(printf '"%s", ' "$@")
    mkdir -p "$folder"
    ln -sfn ../Sources "$folder/Sources"
    ln -sfn ../Tests "$folder/Tests"
    if [[ -e Package.resolved ]]; then cp Package.resolved "$folder/Package.resolved"; fi
    manifest=$(cat Package.swift && printf '\nlet keptTests = [%s]\n' "${names%, }" && cat tools/lib/some-tests.swift.txt)
    if [[ ! -f $folder/Package.swift || $(<"$folder/Package.swift") != "$manifest" ]]; then
        printf '%s\n' "$manifest" >"$folder/Package.swift"
    fi
}

# Ends the script with status 2: the work could not be done.
give_up() {
    say "$@"
    exit 2
}

# The oldest Swift that the manifest accepts.
needed_swift() { sed -n '1s/.*swift-tools-version: *\([0-9.]*\).*/\1/p' "$root/Package.swift"; }

# The version of the Swift in PATH, such as 6.3.1; empty if there is none or it does not run.
found_swift() {
    local answer
    answer=$(cd "$root" && swift --version </dev/null 2>/dev/null) || return 0
    sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' <<<"$answer" | sed -n 1p
}

# Whether version $1 is $2 or newer, by its first two numbers.
is_at_least() {
    local have_major have_minor need_major need_minor rest
    IFS=. read -r have_major have_minor rest <<<"$1"
    # shellcheck disable=SC2034  # what follows the second number does not matter
    IFS=. read -r need_major need_minor rest <<<"$2"
    ((have_major > need_major || (have_major == need_major && ${have_minor:-0} >= ${need_minor:-0})))
}

require_swift() {
    local needed found path
    needed=$(needed_swift)
    found=$(found_swift)
    if [[ -n $found ]] && is_at_least "$found" "$needed"; then return 0; fi
    if path=$(command -v swift); then
        if [[ -n $found ]]; then
            say "Swift $needed or newer is needed; $path is Swift $found."
        else
            say "Swift $needed or newer is needed; $path did not print its version. Try: swift --version"
        fi
    else
        say "Swift $needed or newer is needed, and there is no swift in PATH."
    fi
    if [[ -z $path && -e $swiftly_home/env.sh ]]; then
        say "swiftly is installed; put its swift in PATH and run this again:"
        give_up "    . $swiftly_home/env.sh"
    fi
    say "Get it with swiftly, or choose another way on https://www.swift.org/install:"
    case $OSTYPE in
        darwin*)
            say "    curl -O https://download.swift.org/swiftly/darwin/swiftly.pkg"
            say "    installer -pkg swiftly.pkg -target CurrentUserHomeDirectory && ~/.swiftly/bin/swiftly init"
            ;;
        *)
            say "    curl -O https://download.swift.org/swiftly/linux/swiftly-$(uname -m).tar.gz"
            say "    tar zxf swiftly-$(uname -m).tar.gz && ./swiftly init"
            ;;
    esac
    give_up "Then open a new shell and run this again."
}

# Whether pkg-config finds library $1 in version $2 or newer.
has_library() {
    command -v pkg-config >/dev/null && pkg-config --exists "$1 >= $2"
}

# Whether the compiler of the toolchain links with gold, which is a separate package on newer Debian and Ubuntu.
links_with_gold() {
    local swift said
    swift=$(type -P swift) || return 1
    said=$("$(dirname "$swift")/clang" -x c '-###' /dev/null </dev/null 2>&1) || true
    [[ $said == *gold* ]]
}

# Prints what is missing, one a line: openssl, libnghttp2, hiredis, libpq, sqlite3, pkg-config, and on Debian what linking needs.
missing_needs() {
    command -v pkg-config >/dev/null || echo pkg-config
    has_library openssl 3.0 || echo openssl
    has_library libnghttp2 1.52 || echo libnghttp2
    has_library hiredis 0.14 || echo hiredis
    has_library libpq 14 || echo libpq
    case $OSTYPE in
        darwin*) return 0 ;; # SQLite, git and the linker come with Xcode's tools
    esac
    has_library sqlite3 3.0 || echo sqlite3
    command -v git >/dev/null || echo git
    if command -v apt-get >/dev/null; then
        compgen -G '/usr/lib/gcc/*/*/crtbeginS.o' >/dev/null || echo gcc
        [[ -e /usr/include/stdio.h ]] || echo libc
        if ! command -v ld.gold >/dev/null && links_with_gold; then echo binutils-gold; fi
        [[ -e /etc/ssl/certs/ca-certificates.crt ]] || echo ca-certificates
    fi
}

# The package for need $1 on the system $2, which is a family of system_family.
package_for() {
    case $2:$1 in
        debian:openssl) echo libssl-dev ;;
        debian:libnghttp2) echo libnghttp2-dev ;;
        debian:hiredis) echo libhiredis-dev ;;
        debian:libpq) echo libpq-dev ;;
        debian:sqlite3) echo libsqlite3-dev ;;
        debian:libc) echo libc6-dev ;;
        fedora:openssl) echo openssl-devel ;;
        fedora:libnghttp2) echo libnghttp2-devel ;;
        fedora:hiredis | suse:hiredis) echo hiredis-devel ;;
        fedora:libpq) echo libpq-devel ;;
        suse:libpq) echo postgresql-devel ;;
        arch:libpq) echo postgresql-libs ;;
        alpine:hiredis) echo hiredis-dev ;;
        alpine:libpq) echo libpq-dev ;;
        fedora:sqlite3) echo sqlite-devel ;;
        fedora:pkg-config) echo pkgconf-pkg-config ;;
        suse:openssl) echo libopenssl-3-devel ;;
        suse:libnghttp2) echo libnghttp2-devel ;;
        suse:sqlite3) echo sqlite3-devel ;;
        arch:sqlite3) echo sqlite ;;
        alpine:openssl) echo openssl-dev ;;
        alpine:libnghttp2) echo nghttp2-dev ;;
        alpine:sqlite3) echo sqlite-dev ;;
        macos:openssl) echo openssl@3 ;;
        arch:pkg-config | alpine:pkg-config | macos:pkg-config) echo pkgconf ;;
        *) echo "$1" ;;
    esac
}

# The family of this system: debian, fedora, suse, arch, alpine, macos, or `other`.
system_family() {
    local ids=other
    case $OSTYPE in darwin*)
        echo macos
        return
        ;;
    esac
    if command -v apt-get >/dev/null; then
        echo debian
        return
    fi
    [[ -r /etc/os-release ]] && ids=$(sed -n 's/^ID\(_LIKE\)\{0,1\}=//p' /etc/os-release | tr -d '"' | tr '\n' ' ')
    case " $ids " in
        *" fedora "* | *" rhel "* | *" centos "*) echo fedora ;;
        *" suse "* | *" opensuse "*) echo suse ;;
        *" arch "*) echo arch ;;
        *" alpine "*) echo alpine ;;
        *) echo other ;;
    esac
}

# Homebrew keeps openssl@3 out of the folders that pkg-config searches by itself.
find_homebrew_libraries() {
    local prefix
    case $OSTYPE in darwin*) ;; *) return 0 ;; esac
    prefix=$(brew --prefix 2>/dev/null) || return 0
    export PKG_CONFIG_PATH="$prefix/opt/openssl@3/lib/pkgconfig:$prefix/opt/libnghttp2/lib/pkgconfig:$prefix/opt/libpq/lib/pkgconfig:${PKG_CONFIG_PATH:-}"
}

# Installs what is missing on Debian and Ubuntu; on other systems prints the command and ends with status 2.
require_packages() {
    local needs need family packages=()
    find_homebrew_libraries
    needs=$(missing_needs)
    [[ -z $needs ]] && return 0
    family=$(system_family)
    # Without pkg-config it is not known which libraries are installed; to install one again does no harm.
    for need in $needs; do packages+=("$(package_for "$need" "$family")"); done
    case $family in
        debian) install_debian_packages "${packages[@]}" ;;
        fedora) say_packages "sudo dnf install ${packages[*]}" ;;
        suse) say_packages "sudo zypper install ${packages[*]}" ;;
        arch) say_packages "sudo pacman -S --needed ${packages[*]}" ;;
        alpine) say_packages "sudo apk add ${packages[*]}" ;;
        macos) say_packages "brew install ${packages[*]}" ;;
        *) give_up "These are missing: ${packages[*]}. Install them with their headers and run this again." ;;
    esac
    needs=$(missing_needs)
    [[ -z $needs ]] && return 0
    for need in $needs; do
        case $need in
            openssl | libnghttp2 | hiredis | libpq | sqlite3)
                say "$need is version $(pkg-config --modversion "$need" 2>/dev/null || echo unknown) here, which is too old." ;;
            *) say "$need is still missing." ;;
        esac
    done
    give_up "OpenSSL 3.0, libnghttp2 1.52, hiredis 0.14 and libpq 14 or newer are needed: Debian 12, Ubuntu 24.04 and later have them."
}

say_packages() {
    say "Packages are missing. Install them and run this again:"
    give_up "    $1"
}

# Two scripts at once, as the lines of the README start them, install one after the other.
install_debian_packages() (
    prefix=()
    if ((EUID != 0)); then
        command -v sudo >/dev/null || say_packages "su -c 'apt-get update && apt-get install -y $*'"
        prefix=(sudo)
        if [[ ! -t 2 ]]; then
            sudo -n true 2>/dev/null || say_packages "sudo apt-get update && sudo apt-get install -y $*"
        fi
    fi
    if command -v flock >/dev/null && mkdir -p "$root/.build" 2>/dev/null && [[ -w $root/.build ]]; then
        exec 8>"$root/.build/packages.lock"
        flock -n 8 || {
            say "Waiting for another installation of packages to end."
            flock 8 || say "The file system has no locks; going on without."
        }
    fi
    say "Installing with apt-get: $*"
    prefix+=(env LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600)
    update_package_lists "${prefix[@]}"
    "${prefix[@]}" install -y --no-install-recommends "$@" </dev/null >&2 8>&- || {
        say "apt-get could not install them. See its messages above, then run:"
        give_up "    sudo apt-get update && sudo apt-get install -y $*"
    }
)

# Runs the command of the arguments with `update`. Its wait for locks leaves out that of the package lists, which a new machine
# holds while it updates itself; it tries again every 10 seconds (APNS_APT_SECONDS, for tests), 60 times.
update_package_lists() {
    local said tries=60
    while ! said=$("$@" update </dev/null 2>&1 8>&-); do
        if [[ $said != *"get lock"* ]] || ((--tries == 0)); then
            say "$said" "apt-get update failed; trying with the old package lists."
            return
        fi
        ((tries < 59)) || say "Waiting for another apt-get to end."
        sleep "${APNS_APT_SECONDS:-10}"
    done
}
