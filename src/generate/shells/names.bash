# Offers the names in lines that begin as typed, behind a prefix. There may be thousands: nothing is called for each.
__skyctl_offer_names() {
  local line text found=() count=0
  if [[ -z $2 ]]; then
    found=("${lines[@]%$'\t'*}")
  else
    for line in "${lines[@]}"; do
      case $line in
      "$2"*) found[count++]=${line%$'\t'*} ;;
      *$'\t'"$2"*) [[ $2 != [1-9]* ]] || found[count++]=${line#*$'\t'} ;;
      esac
    done
  fi
  [[ -n ${found[0]-} ]] || return 0
  if [[ -n $quote ]]; then
    for line in "${found[@]}"; do __skyctl_offer "$1$line"; done
  else
    [[ -z $1 ]] || found=("${found[@]/#/$1}")
    [[ -z $kept ]] || found=("${found[@]#"$kept"}")
    printf -v text '%q\n' "${found[@]}"
    [[ $text != *\\,* ]] || text=${text//\\,/,}
    __skyctl_lines <<<"${text%$'\n'}"
    COMPREPLY+=("${lines[@]}")
  fi
}

# Takes what was used out of lines.
__skyctl_leave_out() {
  local text index
  [[ -n ${used[0]-} ]] || return 0
  for text in "${used[@]-}"; do
    text=${text#label:} text=${text#id:}
    for index in ${lines[@]+"${!lines[@]}"}; do
      case ${lines[index]} in
      "$text" | "$text"$'\t'* | "label:$text"$'\t'* | *$'\t'"$text")
        unset "lines[index]"
        break
        ;;
      esac
    done
  done
}

# Makes lines those of labels that begin as typed, without what forces one.
__skyctl_labels() {
  local line left=() count=0
  for line in ${lines[@]+"${lines[@]}"}; do
    case $line in
    "$1"* | "label:$1"*) [[ ${line%%$'\t'*} != *[!0-9]* ]] || left[count++]=${line#label:} ;;
    esac
  done
  lines=(${left[@]+"${left[@]}"})
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
  if [[ -n $file && -r $file ]]; then
    __skyctl_lines <"$file"
    [[ -n $(find "$file" -mmin +5 2>/dev/null) ]] || return 0
    touch -c "$file" 2>/dev/null
    (command skyctl "${ask[@]}" --timeout 30s </dev/null >/dev/null 2>&1 &)
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
    [[ -r $folder/names/.current ]] && IFS= read -r name <"$folder/names/.current"
    [[ $name != */* ]] || name=
  elif [[ $name == .* || $name == *[!A-Za-z0-9_.-]* ]]; then
    # How other names are encoded, skyctl itself knows best.
    name=
  fi
  [[ -n $context || $name == sandbox || -z ${SKYCTL_TOKEN-}${SKYCTL_BASE_URL-} ]] || __skyctl_account
  [[ -z $name ]] || file=$folder/names/$name/$1
}

# Sets name to the folder of the account that the environment names, as environmentFolder in src/engine/names.ts does;
# to nothing where it cannot.
__skyctl_account() {
  local LC_ALL=C user=${SKYCTL_TOKEN-} place=${SKYCTL_BASE_URL:-$name} sum=0 index code
  user=${user:0:16}
  user=${user:-$name} name=
  [[ -n $user && -n $place && "$place $user" != *[!\ -~]* ]] || return 0
  place+=" $user"
  for ((index = 0; index < ${#place}; index++)); do
    printf -v code %d "'${place:index:1}"
    sum=$(((sum * 257 + code) % 17592186044399))
  done
  name=.env-$sum
}
