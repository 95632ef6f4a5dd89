# Offers the names in lines that begin as typed, behind a prefix. There may be thousands: nothing is called for each, and
# no list of them is made that can be done without.
__skyctl_offer_names() {
  local line text from found=()
  __skyctl_first "$2"
  from=$REPLY
  __skyctl_first "$2"$'\xff'
  if [[ -z $1$2$kept$quote && ${#lines[@]} -gt 0 ]]; then
    printf -v text '%q\n' "${lines[@]%$'\t'*}"
    __skyctl_offer_quoted "$text"
    return
  fi
  ((REPLY <= from)) || found=("${lines[@]:from:REPLY-from}")
  found=("${found[@]%$'\t'*}")
  if [[ $2 == [1-9]* ]]; then
    for line in ${lines[@]+"${lines[@]}"}; do
      [[ $line != *$'\t'"$2"* ]] || found+=("${line#*$'\t'}")
    done
  fi
  [[ -n ${found[0]-} ]] || return 0
  if [[ -n $quote ]]; then
    for line in "${found[@]}"; do __skyctl_offer "$1$line"; done
  else
    [[ -z $1 ]] || found=("${found[@]/#/$1}")
    [[ -z $kept ]] || found=("${found[@]#"$kept"}")
    printf -v text '%q\n' "${found[@]}"
    __skyctl_offer_quoted "$text"
  fi
}

# Offers lines of quoted names; a comma needs no quotes.
__skyctl_offer_quoted() {
  local text=${1%$'\n'}
  [[ $text != *\\,* ]] || text=${text//\\,/,}
  if ((BASH_VERSINFO[0] > 3)); then
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY <<<"$text"
  else
    __skyctl_lines <<<"$text"
    COMPREPLY+=("${lines[@]}")
  fi
}

# The same for labels, without what forces one and without what has none.
__skyctl_offer_labels() {
  local line index from forced=()
  __skyctl_first label:
  from=$REPLY
  __skyctl_first $'label:\xff'
  if ((REPLY > from)); then
    forced=("${lines[@]:from:REPLY-from}")
    forced=("${forced[@]#label:}")
    for ((index = from; index < REPLY; index++)); do unset "lines[index]"; done
    lines=(${lines[@]+"${lines[@]}"})
  fi
  __skyctl_first 0
  index=$REPLY
  __skyctl_first :
  for (( ; index < REPLY; index++)); do
    line=${lines[index]%%$'\t'*}
    [[ $line == *[!0-9]* ]] || unset "lines[index]"
  done
  lines=(${lines[@]+"${lines[@]}"})
  __skyctl_offer_names "$1" "$2"
  lines=(${forced[@]+"${forced[@]}"})
  __skyctl_offer_names "$1" "$2"
}

# Keeps of the lines the rules of the firewall and the direction before the cursor, which are no rules themselves.
__skyctl_keep_side() {
  local side=$1 from
  __skyctl_first "$side"
  from=$REPLY
  __skyctl_first "$side"$'\xff'
  if ((REPLY > from)); then lines=("${lines[@]:from:REPLY-from}"); else lines=(); fi
  lines=(${lines[@]+"${lines[@]#"$side"}"})
  used=(${used[@]+"${used[@]:2}"})
}

# Takes what was used out of lines.
__skyctl_leave_out() {
  local text name index gone=()
  [[ -n ${used[0]-} ]] || return 0
  for text in "${used[@]-}"; do
    text=${text#label:} text=${text#id:}
    for name in "$text" "label:$text"; do
      __skyctl_first "$name"
      case ${lines[REPLY]-} in "$name" | "$name"$'\t'*) gone+=("$REPLY") ;; esac
    done
    [[ $text == [1-9]* ]] || continue
    for index in ${lines[@]+"${!lines[@]}"}; do
      [[ ${lines[index]} != *$'\t'"$text" ]] || gone+=("$index")
    done
  done
  [[ -n ${gone[0]-} ]] || return 0
  for index in "${gone[@]}"; do unset "lines[index]"; done
  lines=(${lines[@]+"${lines[@]}"})
}

# Finds the first of lines, which are sorted by their bytes, that is not before a text; in REPLY, the end where none is.
__skyctl_first() {
  local LC_ALL=C low=0 high=${#lines[@]} middle
  [[ -n $1 ]] || high=0
  while ((low < high)); do
    middle=$(((low + high) / 2))
    if [[ ${lines[middle]} < $1 ]]; then low=$((middle + 1)); else high=$middle; fi
  done
  REPLY=$low
}

# Reads lines.
__skyctl_lines() {
  if ((BASH_VERSINFO[0] > 3)); then mapfile -t lines; else IFS=$'\n' read -r -d '' -a lines; fi
}

# Sets lines to the names of a kind, NAME[<tab>NOTE] each (README.md, names from the account).
__skyctl_names() {
  [[ $1 == contexts || -z $elsewhere ]] || return
  local file='' ask=(completion values "$1")
  [[ -z $context ]] || ask+=(--context "$context")
  __skyctl_kept_file "$1"
  if [[ -f $file && -r $file ]]; then
    __skyctl_lines <"$file"
    [[ -n $(find "$file" -mmin +5 2>/dev/null) ]] || return 0
    touch -c "$file" 2>/dev/null
    (command skyctl "${ask[@]}" --timeout 30s </dev/null >/dev/null 2>&1 &)
  elif [[ $1 == rules ]]; then
    # Those of many firewalls: Tab does not wait for them.
    [[ -z $file ]] || (command skyctl "${ask[@]}" --timeout 30s </dev/null >/dev/null 2>&1 &)
  else
    __skyctl_lines <<<"$(command skyctl "${ask[@]}" --timeout 2s </dev/null 2>/dev/null)"
  fi
}

# Sets file to where the names of the account in use are kept; leaves it empty where that is nowhere, or unknown.
__skyctl_kept_file() {
  local folder=${HOME-}/.cache name=${context:-${SKYCTL_CONTEXT-}}
  case ${XDG_CACHE_HOME-} in /*) folder=$XDG_CACHE_HOME ;; esac
  case ${OSTYPE-} in
  darwin*) folder=${HOME-}/Library/Caches/skyctl ;;
  msys* | cygwin*) folder=${LOCALAPPDATA-}/skyctl/Cache ;;
  *) folder+=/skyctl ;;
  esac
  if [[ $1 == contexts ]]; then
    file=$folder/names/.contexts
    return
  fi
  if [[ -z $name ]]; then
    [[ -f $folder/names/.current && -r $folder/names/.current ]] && IFS= read -r name <"$folder/names/.current"
    [[ $name != */* ]] || name=
  elif [[ $name == .* || $name == *[!A-Za-z0-9_.-]* ]]; then
    # How other names are encoded, skyctl itself knows best.
    name=
  fi
  [[ -n $context || ${SKYCTL_CONTEXT-} == sandbox || -z ${SKYCTL_TOKEN-}${SKYCTL_TOKEN_FILE-}${SKYCTL_BASE_URL-} ]] || __skyctl_account
  [[ -z $name ]] || file=$folder/names/$name/$1
}

# Sets name to the folder of the account that the environment names, as environmentFolder in src/account/name-cache.ts does;
# to nothing where it cannot.
__skyctl_account() {
  local LC_ALL=C user=${SKYCTL_TOKEN-} place=${SKYCTL_BASE_URL:-$name} sum=0 index code
  user=${user:0:16}
  user=${user:-$name} name=
  [[ -z ${SKYCTL_TOKEN_FILE-} && -n $user && -n $place && "$place $user" != *[!\ -~]* ]] || return 0
  place+=" $user"
  for ((index = 0; index < ${#place}; index++)); do
    printf -v code %d "'${place:index:1}"
    sum=$(((sum * 257 + code) % 17592186044399))
  done
  name=.env-$sum
}
