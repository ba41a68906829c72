#!/bin/bash
# Installs Stablegate on one machine with Debian 12 or Ubuntu 24.04, or newer: a system user, the package, .env with generated secrets,
# systemd units, and Caddy with a TLS certificate. docs/deploying-vps.md describes the result.
#
#   sudo deploy/install.sh --package stablegate-1.0.0-linux-x64.tar.gz --host pay.example.com \
#     --set ETHEREUM_RPC_URLS=https://ethereum-a.example.com,https://ethereum-b.example.com
#
# It can be repeated: it changes only what differs, and prints each change. With a package of another version it upgrades, and
# `stablegate upgrade` rolls back by itself if that version does not become healthy.
set -euo pipefail

readonly USAGE="usage: install.sh [options]
  --package FILE      the package of this platform; required until one is installed
  --host NAME         the host name of payment pages and API; required until .env has PUBLIC_URL
  --set NAME=VALUE    sets a setting in .env; can be repeated
  --no-caddy          leaves the reverse proxy to you (docs/deploying.md)
  --no-start          does not start Stablegate
  --dry-run           prints what would be changed, and changes nothing
  --root DIR          installs the files below DIR, without packages of the system, users and services; for tests and images"

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
readonly HERE
readonly USER_NAME=stablegate
readonly HOME_DIR=/srv/stablegate DATA_DIR=/var/lib/stablegate

package='' host='' root='' dry_run='' with_caddy=1 with_start=1 changed='' manifest='' upgrade_copy='' needed=''
settings=()

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

read_options() {
  while [ $# -gt 0 ]; do
    case $1 in
      --package | --host | --set | --root)
        [ $# -ge 2 ] || fail "$1 needs a value"
        case $1 in
          --package) package=$2 ;;
          --host) host=$2 ;;
          --root) root=$(realpath -m -- "$2") ;;
          --set)
            [[ $2 =~ ^[A-Z][A-Z0-9_]*=[^$'\n']*$ ]] || fail "--set needs NAME=VALUE; got $2"
            # In .env, a comment begins at # unless the value is quoted.
            [[ $2 != *'#'* || $2 =~ =\'.*\'$ || $2 =~ =\".*\"$ ]] ||
              fail "the value of ${2%%=*} contains #; add quotes: --set \"${2%%=*}='…'\""
            settings+=("$2")
            ;;
        esac
        shift 2
        ;;
      --no-caddy) with_caddy='' && shift ;;
      --no-start) with_start='' && shift ;;
      --dry-run) dry_run=1 && shift ;;
      -h | --help) echo "$USAGE" && exit 0 ;;
      *) fail "unknown option $1"$'\n'"$USAGE" ;;
    esac
  done
  [ -z "$host" ] || is_host_name "$host" ||
    fail "--host must be a host name without a scheme, port or path, such as pay.example.com; got $host"
  [ -z "$package" ] || [ -f "$package" ] || fail "there is no file $package"
}

is_host_name() {
  [[ $1 =~ ^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*$ ]]
}

# Records until the next boot that a service must be restarted. A run that is repeated after a failure restarts it, although its files do
# not differ any more.
need() {
  [ -n "$root$dry_run" ] || : >"/run/stablegate-install.$1"
  needed+=" $1"
}

is_needed() {
  [[ "$needed " == *" $1 "* ]] || { [ -z "$root" ] && [ -e "/run/stablegate-install.$1" ]; }
}

is_done() {
  [ -n "$root$dry_run" ] || rm -f "/run/stablegate-install.$1"
}

# Prints a change, and makes it unless this is a dry run.
run() {
  changed=1
  echo "+ ${*/#as_user/sudo -u $USER_NAME}"
  [ -n "$dry_run" ] || "$@"
}

# Runs a command as the owner of the installation. Root neither runs, reads nor writes files that this user can replace.
as_user() {
  if [ -n "$root" ] || [ "$(id -u)" != 0 ]; then "$@"; else runuser -u "$USER_NAME" -- "$@"; fi
}

# as_owner OWNER COMMAND …
as_owner() {
  if [ "$1" = "$USER_NAME" ]; then as_user "${@:2}"; else "${@:2}"; fi
}

# make_folder DIR MODE OWNER
make_folder() {
  [ ! -d "$root$1" ] || return 0
  if [ -n "$root" ]; then run install -d -m "$2" "$root$1"; else run install -d -m "$2" -o "$3" -g "$3" "$1"; fi
}

# write_file FILE MODE OWNER: writes standard input to a file if it differs. @returns 0 if the file was changed
write_file() {
  local file=$root$1 mode=$2 owner=$3 text
  text=$(cat && echo .)
  [ ! -f "$file" ] || [ "$(as_owner "$owner" cat "$file" && echo .)" != "$text" ] || return 1
  changed=1
  echo "+ write $1 (mode $mode, $owner)"
  [ -z "$dry_run" ] || return 0
  [ -d "$(dirname "$file")" ] || install -d -m 755 "$(dirname "$file")"
  # shellcheck disable=SC2016 # the inner shell expands $1 and $2
  printf '%s' "${text%.}" |
    as_owner "$owner" sh -c 'umask 077 && cat >"$1.new" && chmod "$2" "$1.new" && mv -f "$1.new" "$1"' sh "$file" "$mode" ||
    fail "$1 could not be written"
}

require_system() {
  [ -z "$root" ] || return 0
  [ "$(id -u)" = 0 ] || [ -n "$dry_run" ] || fail "run this as root: sudo $0 …"
  [ -d /run/systemd/system ] || [ -n "$dry_run" ] || fail "this machine does not run systemd"
  local id version
  # shellcheck source=/dev/null
  id=$(. /etc/os-release && echo "${ID:-}")
  # shellcheck source=/dev/null
  version=$(. /etc/os-release && echo "${VERSION_ID:-0}")
  case $id in
    debian) [ "${version%%.*}" -ge 12 ] || fail "Debian $version is too old; Debian 12 or newer is required" ;;
    ubuntu) [ "${version%%.*}" -ge 24 ] || fail "Ubuntu $version is too old; Ubuntu 24.04 or newer is required" ;;
    *) fail "this script supports Debian and Ubuntu; this machine runs ${id:-an unknown system}" ;;
  esac
  local memory
  memory=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
  [ "$memory" -ge 900 ] || echo "Warning: this machine has $memory MB of memory; 1 GB is recommended." >&2
}

require_alone() {
  [ -z "$root$dry_run" ] || return 0
  exec 9>/run/stablegate-install.lock
  flock --nonblock 9 || fail "another run of install.sh is not complete; run this again afterwards"
}

# Prints a value of release.json of the package: version or platform.
package_value() {
  sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" <<<"$manifest" | head -n 1
}

check_package() {
  local folder name platform own
  folder=$(dirname "$package") name=$(basename "$package")
  if [ -f "$package.sha256" ]; then
    [ "$(cut -d ' ' -f 1 "$package.sha256")" = "$(sha256sum <"$package" | cut -d ' ' -f 1)" ] ||
      fail "$package does not match $package.sha256; download both again"
  elif [ -f "$folder/SHA256SUMS" ]; then
    (cd "$folder" && grep -F "  $name" SHA256SUMS | sha256sum --check --status --strict) ||
      fail "$package does not match SHA256SUMS; download both again"
  else
    echo "Warning: neither $name.sha256 nor SHA256SUMS is beside the package; its checksum was not verified." >&2
  fi
  manifest=$(tar -xzOf "$package" --wildcards '*releases/*/release.json' 2>/dev/null) ||
    fail "$package is not a package of Stablegate: it contains no release.json"
  case $(uname -m) in
    x86_64) own=linux-x64 ;;
    aarch64) own=linux-arm64 ;;
    *) fail "there is no package for $(uname -m)" ;;
  esac
  [[ $(package_value version) =~ ^[0-9][0-9A-Za-z.+-]*$ ]] || fail "$package has no valid version in its release.json"
  platform=$(package_value platform)
  [ "$platform" = "$own" ] || fail "$package is for ${platform:-an unknown platform}, but this machine is $own"
}

# Refuses what cannot be installed, before anything is changed.
check_inputs() {
  local one
  for one in vps/stablegate.service vps/stablegate.socket caddy/Caddyfile; do
    [ -f "$HERE/$one" ] || fail "$HERE/$one is missing; run this script from the unpacked stablegate-deploy archive"
  done
  [ -n "$package" ] || [ -e "$root$HOME_DIR/current" ] ||
    fail "--package is required, because no release is installed in $HOME_DIR"
  [ -n "$host" ] || [ -f "$root$HOME_DIR/.env" ] ||
    fail "--host is required, because $HOME_DIR/.env does not exist yet"
  [ -z "$package" ] || check_package
}

install_system() {
  [ -z "$root" ] || return 0
  if [ -n "$with_caddy" ] && ! command -v caddy >/dev/null; then
    run apt-get update
    run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends caddy ca-certificates
  fi
  getent passwd "$USER_NAME" >/dev/null ||
    run useradd --system --user-group --home-dir "$DATA_DIR" --no-create-home --shell /usr/sbin/nologin "$USER_NAME"
}

# The user owns the programs, so that `stablegate upgrade` needs no root. The unit makes them read-only for the running service.
install_package() {
  make_folder "$HOME_DIR" 755 "$USER_NAME"
  make_folder "$DATA_DIR" 700 "$USER_NAME"
  if [ ! -e "$root$HOME_DIR/current" ]; then
    unpack_package
  elif [ -n "$package" ]; then
    local installed wanted
    installed=$(as_user "$root$HOME_DIR/stablegate" version)
    wanted=$(package_value version)
    [ "$installed" = "$wanted" ] || upgrade_package
  fi
}

# Unpacks the first package. `current` is moved last, so that a run that is repeated after an interruption unpacks the package again.
unpack_package() {
  changed=1
  echo "+ unpack $package in $HOME_DIR"
  [ -z "$dry_run" ] || return 0
  # shellcheck disable=SC2016 # the inner shell expands $1 and $2
  as_user sh -c '
    set -eu
    cd "$1"
    rm -rf incoming "releases/$2"
    mkdir -p incoming releases
    tar -xzf - -C incoming --no-same-owner
    mv "incoming/releases/$2" releases/
    for one in stablegate .env.example; do [ ! -e "incoming/$one" ] || mv -f "incoming/$one" "$one"; done
    sync
    mv -fT incoming/current current
    rm -r incoming' sh "$root$HOME_DIR" "$(package_value version)" <"$package" ||
    fail "$package could not be unpacked in $HOME_DIR; correct the cause above and run this again"
}

# Upgrades from a copy, because the user may not be allowed to read the folder of the package.
upgrade_package() {
  if [ -z "$dry_run" ]; then
    upgrade_copy=$(mktemp -d /var/tmp/stablegate-upgrade.XXXXXX)
    trap 'rm -rf "$upgrade_copy"' EXIT
    chmod 755 "$upgrade_copy"
    install -m 644 "$package" "$upgrade_copy/"
  fi
  run as_user "$root$HOME_DIR/stablegate" upgrade "$upgrade_copy/$(basename "$package")" ||
    fail "the upgrade failed; the messages above state which version is in use"
  rm -rf "$upgrade_copy"
}

new_secret() {
  head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'
}

new_settings() {
  cat <<EOF
# The settings of this installation; .env.example of the package describes all of them. After a change: sudo systemctl restart stablegate
PUBLIC_URL=https://$host

# Networks: one or more node URLs for each. Two providers for each network are recommended.
#ETHEREUM_RPC_URLS=
#BSC_RPC_URLS=
#TRON_RPC_URLS=

# Caddy is the one proxy in front.
TRUSTED_PROXIES=1
STABLEGATE_DATA_DIR=$DATA_DIR
# APP_SECRET is created by the first start, in $DATA_DIR/live/app-secret. Keep a copy of that file on another machine.
# With this token, Prometheus reads the metrics of web and worker (docs/operating.md).
METRICS_TOKEN=$(new_secret)
EOF
}

# set_setting NAME=VALUE: replaces the line of a setting in standard input, set or commented out, or adds one.
set_setting() {
  SETTING=$1 awk '
    BEGIN { setting = ENVIRON["SETTING"]; name = substr(setting, 1, index(setting, "=") - 1) }
    { isLine = index($0, name "=") == 1 || index($0, "#" name "=") == 1 }
    isLine { if (!isDone) print setting; isDone = 1; next }
    { print }
    END { if (!isDone) print setting }'
}

install_settings() {
  local file=$root$HOME_DIR/.env text one
  if [ -f "$file" ]; then
    text=$(as_user cat "$file")
    [ -z "$host" ] || text=$(set_setting "PUBLIC_URL=https://$host" <<<"$text")
  else
    text=$(new_settings)
  fi
  for one in ${settings[@]+"${settings[@]}"}; do text=$(set_setting "$one" <<<"$text"); done
  [ -n "$host" ] || host=$(sed -n "s#^PUBLIC_URL=[\"']\{0,1\}https://\([^/:\"']*\).*#\1#p" <<<"$text" | head -n 1)
  host=${host,,}
  # The user can edit .env, but root writes this name into the settings of Caddy.
  [ -z "$with_caddy" ] || is_host_name "$host" ||
    fail "PUBLIC_URL in $HOME_DIR/.env must be https:// and a host name, for the certificate; add --host NAME or --no-caddy"
  if write_file "$HOME_DIR/.env" 600 "$USER_NAME" <<<"$text"; then need restart; fi
}

install_units() {
  local unit
  for unit in stablegate.socket stablegate.service; do
    if write_file "/etc/systemd/system/$unit" 644 root <"$HERE/vps/$unit"; then need daemon-reload && need restart; fi
  done
  [ -z "$root" ] && is_needed daemon-reload || return 0
  run systemctl daemon-reload
  is_done daemon-reload
}

install_caddy() {
  [ -n "$with_caddy" ] || return 0
  local main=$root/etc/caddy/Caddyfile
  local site
  site=$(sed "s/^pay\.example\.com {/$host {/" "$HERE/caddy/Caddyfile")
  if write_file /etc/caddy/stablegate.caddy 644 root <<<"$site"; then need reload-caddy; fi
  if ! grep -qx 'import stablegate.caddy' "$main" 2>/dev/null; then
    site=$([ ! -f "$main" ] || cat "$main")
    if write_file /etc/caddy/Caddyfile 644 root <<<"${site:+$site$'\n'}import stablegate.caddy"; then need reload-caddy; fi
  fi
  [ -z "$root" ] || return 0
  ! is_needed reload-caddy || run caddy validate --config /etc/caddy/Caddyfile --adapter caddyfile
  if ! systemctl is-active --quiet caddy; then
    run systemctl enable --now caddy
  elif is_needed reload-caddy; then
    run systemctl reload caddy
  fi
  is_done reload-caddy
}

has_network() {
  as_user grep -Eq '^[A-Z0-9_]+_RPC_URLS=.+' "$root$HOME_DIR/.env" 2>/dev/null || [[ " ${settings[*]-}" =~ \ [A-Z0-9_]+_RPC_URLS=. ]]
}

start() {
  if ! has_network; then
    echo "No network is enabled: add the node URLs of at least one to $HOME_DIR/.env, then run this script again."
    return 0
  fi
  [ -n "$with_start" ] && [ -z "$root" ] || return 0
  if systemctl is-active --quiet stablegate.service; then
    ! is_needed restart || run systemctl restart stablegate.service
  else
    run systemctl enable --now stablegate.socket stablegate.service
  fi
  is_done restart
}

report() {
  [ -n "$changed" ] || echo "Nothing to change."
  [ -z "$dry_run" ] || { echo "This was a dry run: nothing was changed." && return 0; }
  cat <<EOF
Stablegate: https://$host/ (its DNS entry must name this machine; ports 80 and 443 must be open)
  programs  $HOME_DIR              settings  $HOME_DIR/.env
  data      $DATA_DIR/live     log       journalctl -u stablegate
  The set-up code of the first user: journalctl -u stablegate | grep 'set-up code'
  Copy $DATA_DIR/live/app-secret to another machine, and $DATA_DIR/live/dumps every day.
EOF
}

main() {
  read_options "$@"
  require_system
  require_alone
  check_inputs
  install_system
  install_package
  install_settings
  install_units
  start
  install_caddy
  report
}

main "$@"
