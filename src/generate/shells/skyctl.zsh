#compdef skyctl
# zsh completion for skyctl, made from its commands.
#   source <(skyctl completion zsh)
# How the scripts of all shells work: src/generate/shells/README.md in the sources of skyctl.
#
# For zsh 5. Names are given to its own completion as they are, and it quotes them. Functions set the variables of _skyctl,
# which calls them.

# Sets verbs (its commands), flags, arguments and fields to those of a place.
__skyctl_place() {
  verbs=() flags=() arguments=() fields=()
  case $1 in
    # {{places}}
  esac
  flags+=(
    # {{globals}}
  )
}

# Finds the row of a name in those that follow it; in REPLY.
__skyctl_find() {
  local name=$1
  shift
  for REPLY; do
    [[ ,${${REPLY%% *}%%[*=]*}, == *",$name,"* ]] && return
  done
  return 1
}

# Goes one word along the line (README.md, the walk); fails where nothing is known to follow.
__skyctl_step() {
  if [[ -n $flag ]]; then
    __skyctl_take "$flag" "$1"
    flag=
  elif [[ -z $targets && $1 == -- ]]; then
    targets=1
  elif [[ -z $targets && $1 == -?* ]]; then
    __skyctl_flag "$1" || return 0
    given+=("$REPLY")
    [[ ${REPLY%% *} == *=* ]] || return 0
    if [[ $1 == --*=* ]]; then __skyctl_take "$REPLY" "${1#*=}"; else flag=$REPLY; fi
  elif __skyctl_find "$1" "${verbs[@]}"; then
    [[ $line == help ]] && line=
    line+=${line:+ }${REPLY%%[ ,]*}
    __skyctl_place "$line"
  else
    (( position += 1 ))
    used+=("$1")
    (( $#verbs == 0 || $#arguments > 0 ))
  fi
}

# Finds the row of a flag as it was typed; snake_case is the same flag.
__skyctl_flag() {
  local name=${1%%=*}
  [[ $name == --* ]] && name=${name//_/-}
  __skyctl_find "$name" "${flags[@]}"
}

# Notes what decides whose names are completed.
__skyctl_take() {
  case $1 in
  --context=*) context=$2 ;;
  --base-url=*) elsewhere=1 ;;
  esac
}

# Offers the names of rows; their aliases only where no name begins like the word at the cursor.
__skyctl_describe() {
  local tag=$1 row alias typed=${(Q)PREFIX} found=
  local -a shown
  shift
  for row; do
    shown+=("${row%%[ ,*=]*}:${row#* }")
    [[ $row == "$typed"* ]] && found=1
  done
  if [[ -z $found ]]; then
    for row; do
      for alias in "${(@s:,:)${${row%% *}%%[*=]*}}"; do
        [[ $alias == -[^-]* ]] || shown+=("$alias:${row#* }")
      done
    done
  fi
  _describe -t "$tag" "$tag" shown
}

# Offers VALUES.
__skyctl_values() {
  local values=${1%\*} typed tab=$'\t' word
  local -a lines shown expl match mbegin mend
  if [[ $values == ,* ]]; then
    values=${values#,}
    compset -P '*,'
  fi
  typed=${(Q)PREFIX}
  case $values in
  @files) _files ;;
  @columns | @sort | @filter) __skyctl_fields "$values" ;;
  @*)
    __skyctl_names "${values#@}"
    if [[ $values == @rules ]]; then
      # Those of the firewall and the direction before the cursor, which are no rules themselves.
      lines=(${(M)lines:#$side*})
      lines=("${(@)lines#$side}")
      used=("${(@)used[3,-1]}")
    fi
    if [[ $typed == label:* && $values != @regions && $values != @contexts ]]; then
      compset -P 'label:'
      typed=${(Q)PREFIX}
      lines=("${(@)${(@)lines:#<->$tab*}#label:}")
    fi
    for word in "${used[@]}"; do
      word=${${word#label:}#id:}
      lines=("${(@)${(@)lines:#(label:|)$word($tab*|)}:#*$tab$word}")
    done
    # There may be thousands: nothing is called for each.
    if [[ $typed == [1-9]* ]]; then
      shown=(${(M)lines:#*$tab$typed*})
      lines=(${lines:#*$tab$typed*} "${(@)shown/(#b)(*)$tab(*)/$match[2]$tab$match[1]}")
    fi
    shown=("${(@)lines/$tab/  -- }")
    lines=("${(@)lines%%$tab*}")
    _wanted "${values#@}" expl "${values#@}" compadd -l -d shown -a lines
    ;;
  ?*)
    shown=("${(@s:|:)${values//+/ }}")
    _wanted values expl value compadd -a shown
    ;;
  esac
}

# Offers fields: "NAME=" to filter by, and behind that what the field may hold.
__skyctl_fields() {
  local -a shown=("${(@)fields%%=*}") expl
  local REPLY
  case $1 in
  @columns) shown+=(all) ;;
  @sort) compset -P - ;;
  @filter)
    if [[ $typed == *=* ]]; then
      __skyctl_find "${typed%%[^A-Za-z0-9_.]*}" "${fields[@]}" && [[ $REPLY == *=* ]] && compset -P '*=' &&
        __skyctl_values "${REPLY#*=}"
      return
    fi
    shown=("${(@)shown/%/=}")
    _wanted fields expl field compadd -S '' -a shown
    return
    ;;
  esac
  _wanted fields expl field compadd -a shown
}

# Sets lines to the names of a kind, NAME[<tab>NOTE] each (README.md, names from the account).
__skyctl_names() {
  [[ $1 == contexts || -z $elsewhere ]] || return
  local file
  local -a ask=(completion values "$1") old
  [[ -z $context ]] || ask+=(--context "$context")
  __skyctl_kept_file "$1"
  if [[ -f $file && -r $file ]]; then
    lines=(${(f)"$(<$file)"})
    old=("$file"(Nmm+5))
    (( $#old )) || return 0
    touch -c "$file" 2>/dev/null
    command skyctl "${ask[@]}" --timeout 30s </dev/null &>/dev/null &!
  elif [[ $1 == rules ]]; then
    # Those of many firewalls: Tab does not wait for them.
    [[ -z $file ]] || command skyctl "${ask[@]}" --timeout 30s </dev/null &>/dev/null &!
  else
    lines=(${(f)"$(command skyctl "${ask[@]}" --timeout 2s </dev/null 2>/dev/null)"})
  fi
}

# Sets file to where the names of the account in use are kept; leaves it empty where that is nowhere, or unknown.
__skyctl_kept_file() {
  local folder=$HOME/.cache/skyctl name=${context:-$SKYCTL_CONTEXT}
  [[ $XDG_CACHE_HOME == /* ]] && folder=$XDG_CACHE_HOME/skyctl
  [[ $OSTYPE == darwin* ]] && folder=$HOME/Library/Caches/skyctl
  if [[ $1 == contexts ]]; then
    file=$folder/names/.contexts
    return
  fi
  if [[ -z $name ]]; then
    [[ -f $folder/names/.current && -r $folder/names/.current ]] && IFS= read -r name <"$folder/names/.current"
    [[ $name != */* ]] || name=
  elif [[ $name == .* || $name == *[^A-Za-z0-9_.-]* ]]; then
    # How other names are encoded, skyctl itself knows best.
    name=
  fi
  [[ -n $context || $SKYCTL_CONTEXT == sandbox || -z $SKYCTL_TOKEN$SKYCTL_TOKEN_FILE$SKYCTL_BASE_URL ]] || __skyctl_account
  [[ -z $name ]] || file=$folder/names/$name/$1
}

# Sets name to the folder of the account that the environment names, as environmentFolder in src/account/name-cache.ts does;
# to nothing where it cannot.
__skyctl_account() {
  local user=${${SKYCTL_TOKEN[1,16]}:-$name} place=${SKYCTL_BASE_URL:-$name} sum=0 char
  name=
  [[ -z $SKYCTL_TOKEN_FILE && -n $user && -n $place && "$place $user" != *[^\ -~]* ]] || return
  for char in "${(@s::)${:-$place $user}}"; do
    (( sum = (sum * 257 + #char) % 17592186044399 ))
  done
  name=.env-$sum
}

_skyctl() {
  local -a verbs flags arguments fields given used left
  local line= flag= targets= context= elsewhere= side= position=0 word row last typed REPLY
  __skyctl_place ''
  for word in "${(@Q)words[2,CURRENT-1]}"; do
    __skyctl_step "$word" || return
  done
  typed=${(Q)PREFIX}
  if [[ -n $flag ]]; then
    used=()
    __skyctl_values "${${flag%% *}#*=}"
  elif [[ -z $targets && $typed == --*=* ]]; then
    used=()
    __skyctl_flag "$typed" && [[ ${REPLY%% *} == *=* ]] && compset -P 1 '*=' && __skyctl_values "${${REPLY%% *}#*=}"
  elif [[ -z $targets && $typed == -* ]]; then
    for row in "${flags[@]}"; do
      [[ ${row%% *} == *\** ]] || ! __skyctl_find "${row%%[ ,=]*}" "${given[@]}" && left+=("$row")
    done
    __skyctl_describe flags "${left[@]}"
  else
    (( $#verbs )) && __skyctl_describe commands "${verbs[@]}"
    last=$#arguments
    (( position < last )) || [[ ${arguments[-1]} == *\* ]] || return
    side="${${used[1]#label:}#id:} $used[2] "
    [[ ${arguments[-1]} == *\* ]] || used=()
    __skyctl_values "${arguments[position < last ? position + 1 : last]}"
  fi
}

if [[ ${funcstack[1]} == _skyctl ]]; then
  _skyctl "$@"
elif (( ${+functions[compdef]} )); then
  compdef _skyctl skyctl
fi
