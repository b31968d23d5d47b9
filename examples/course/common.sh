# shellcheck shell=sh
# What the scripts of the course share; each reads this file with `.`, and then has `$here`, the
# folder of the course. The comment at the head of a script, up to the first empty line, is its help.
set -eu
here=$(dirname "$(readlink -f "$0")")
unset CLICOLOR_FORCE # the scripts read tables of tensai

# refuse MESSAGE: ends the script because it cannot do what the call asks for.
refuse() {
    echo "${0##*/}: $1 (see ${0##*/} --help)" >&2
    exit 2
}

# is_bot NAME: whether the course has the source of such a bot; `draw` makes pictures.
is_bot() {
    case $1 in
    draw | */*) return 1 ;;
    esac
    [ -f "$here/src/bin/$1.rs" ]
}

# check_number NAME VALUE LEAST: refuses a value that is not a whole number from LEAST on.
check_number() {
    case $2 in
    '' | *[!0-9]*) ;;
    # A number that is too long for the shell is none.
    *) if [ "$3" = 0 ] || [ "$2" -ge "$3" ] 2> /dev/null; then return; fi ;;
    esac
    refuse "$1 is a number from $3 on, not '$2'"
}

# Sets `tensai`, a path that is right in every folder.
find_tensai() {
    tensai=${TENSAI:-$here/../../target/release/tensai}
    case $("$tensai" --version 2> /dev/null) in
    'tensai '*) tensai=$(readlink -f "$(command -v "$tensai")") ;;
    *) refuse "no program tensai at '$tensai': build it by cargo build --release, or name it by TENSAI" ;;
    esac
}

# Sets `scratch`, a folder that goes away with the script. Some shells, dash for one, run the trap of
# EXIT only if that of the signal ends the script.
make_scratch() {
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 141' PIPE
    trap 'exit 143' TERM
}

for argument; do
    case $argument in
    -h | --help)
        sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
        exit
        ;;
    -*) refuse "unknown option '$argument'" ;;
    esac
done
