# bash completion for skyctl, made from its commands.
#   source <(skyctl completion bash)
# How the scripts of all shells work: src/generate/shells/README.md in the sources of skyctl.
#
# For bash 3.2, which macOS has, and newer. Names from the account are quoted before they are offered and nothing is ever
# evaluated: no eval, no `compgen -W`, no unquoted expansion. Functions set the variables of _skyctl, which calls them.

# Sets commands, flags, arguments and fields to those of a place.
__skyctl_place() {
  commands=() flags=() arguments=() fields=()
  case $1 in
    # {{places}}
  esac
  flags+=(
    # {{globals}}
  )
}

# Finds the entry of a name in those that follow it; in REPLY.
__skyctl_find() {
  local name=$1
  shift
  for REPLY; do
    [[ ,${REPLY%%[*=]*}, == *",$name,"* ]] && return
  done
  return 1
}

# The text that a quoted word stands for, in REPLY. Sets quote to the quote that is still open, and opened to where.
__skyctl_unquote() {
  local rest=$1 char
  REPLY='' quote='' opened=0
  while [[ -n $rest ]]; do
    char=${rest:0:1} rest=${rest:1}
    case $quote$char in
    \' | \") quote=$char opened=${#REPLY} ;;
    \'\' | \"\") quote= ;;
    \\) REPLY+=${rest:0:1} rest=${rest:1} ;;
    \"\\)
      [[ $rest == [\$\"\\\`]* ]] && char=${rest:0:1} rest=${rest:1}
      REPLY+=$char
      ;;
    *) REPLY+=$char ;;
    esac
  done
}

# Sets words to those before the cursor and cur to the one at it, without their quotes. Bash breaks words at ":", "=" and
# "@" and replaces only what follows the last break, or the quote that is open: kept is what stands before.
__skyctl_words() {
  local line=() index piece='' join=''
  for ((index = 1; index <= COMP_CWORD; index++)); do
    piece=${COMP_WORDS[index]-}
    if [[ -n $piece && -z ${piece//[:=@]/} && ${#line[@]} -gt 0 ]]; then
      line[${#line[@]} - 1]+=$piece join=1 piece=
    elif [[ -n $join ]]; then
      line[${#line[@]} - 1]+=$piece join=
    else
      line+=("$piece")
    fi
  done
  local count=$((${#line[@]} - 1))
  for ((index = 0; index < count; index++)); do
    __skyctl_unquote "${line[index]}"
    words+=("$REPLY")
  done
  __skyctl_unquote "${line[count]%"$piece"}"
  kept=$REPLY
  __skyctl_unquote "${line[count]}"
  cur=$REPLY
  [[ -n $quote ]] && kept=${cur:0:opened}
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
    [[ $REPLY == *=* ]] || return 0
    if [[ $1 == --*=* ]]; then __skyctl_take "$REPLY" "${1#*=}"; else flag=$REPLY; fi
  elif __skyctl_find "$1" "${commands[@]}"; then
    [[ $path == help ]] && path=
    path+=${path:+ }${REPLY%%,*}
    __skyctl_place "$path"
  else
    position=$((position + 1))
    used+=("$1")
    ((${#commands[@]} == 0 || ${#arguments[@]} > 0))
  fi
}

# Finds the entry of a flag as it was typed; snake_case is the same flag.
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

# Offers a word if it begins like the one at the cursor, quoted as that is; fails otherwise.
__skyctl_offer() {
  [[ $1 == "$cur"* ]] || return
  local text=${1#"$kept"}
  case $quote in
  \')
    REPLY=${text//\'/\'\\\'\'}
    ;;
  \")
    REPLY=${text//\\/\\\\} REPLY=${REPLY//\"/\\\"} REPLY=${REPLY//\$/\\\$}
    REPLY=${REPLY//\`/\\\`} REPLY=${REPLY//!/\"\'!\'\"}
    ;;
  *)
    printf -v REPLY %q "$text"
    # A comma needs no quoting, and would not begin as it was typed.
    REPLY=${REPLY//\\,/,}
    ;;
  esac
  COMPREPLY+=("$REPLY")
}

# Offers the names of entries; their aliases only where no name begins like the word at the cursor.
__skyctl_offer_entries() {
  local entry alias found=''
  for entry; do
    __skyctl_offer "${entry%%[,*=]*}" && found=1
  done
  [[ -z $found ]] || return 0
  for entry; do
    entry=${entry%%[*=]*}
    while [[ $entry == *,* ]]; do
      entry=${entry#*,} alias=${entry%%,*}
      [[ $alias == -[!-]* ]] || __skyctl_offer "$alias"
    done
  done
}

# Offers VALUES, behind a prefix such as "--output=".
__skyctl_offer_values() {
  local prefix=$1 values=${2%\*} typed=${cur#"$1"} name
  if [[ $values == ,* ]]; then
    values=${values#,}
    [[ $typed != *,* ]] || prefix+=${typed%,*}, typed=${typed##*,}
  fi
  case $values in
  @files)
    local plain=
    compopt -o filenames 2>/dev/null && plain=1
    while IFS= read -r name; do
      if [[ -z $name ]]; then :
      elif [[ -n $plain ]]; then name=$prefix$name COMPREPLY+=("${name#"$kept"}")
      else __skyctl_offer "$prefix$name"; fi
    done <<<"$(compgen -f -- "$typed")"
    ;;
  @columns | @sort | @filter) __skyctl_offer_fields "$prefix" "$values" "$typed" ;;
  @*)
    # shellcheck disable=SC2034 # names.bash uses it
    local lines=()
    __skyctl_names "${values#@}"
    [[ $values != @rules ]] || __skyctl_keep_side "$side"
    __skyctl_leave_out
    if [[ $typed == label:* && $values != @regions && $values != @contexts ]]; then
      __skyctl_offer_labels "${prefix}label:" "${typed#label:}"
    else
      __skyctl_offer_names "$prefix" "$typed"
    fi
    ;;
  ?*)
    values=${values//+/ }'|'
    while [[ -n $values ]]; do
      __skyctl_offer "$prefix${values%%|*}"
      values=${values#*|}
    done
    ;;
  esac
}

# Offers fields behind a prefix: "NAME=" to filter by, and behind that what the field may hold.
__skyctl_offer_fields() {
  local prefix=$1 typed=$3 end='' entry
  if [[ $2 == @filter && $typed == *=* ]]; then
    __skyctl_find "${typed%%[!A-Za-z0-9_.]*}" "${fields[@]}" && [[ $REPLY == *=* ]] || return 0
    __skyctl_offer_values "$prefix${typed%%=*}=" "${REPLY#*=}"
    return 0
  fi
  case $2 in
  @columns) __skyctl_offer "${prefix}all" ;;
  @sort) [[ $typed != -* ]] || prefix+=- ;;
  @filter)
    end='='
    compopt -o nospace 2>/dev/null
    ;;
  esac
  for entry in "${fields[@]}"; do __skyctl_offer "$prefix${entry%%=*}$end"; done
}

# {{names}}

_skyctl() {
  local IFS=$' \t\n' words=() cur='' kept='' quote='' opened=0 commands flags arguments fields
  local path='' position=0 targets='' flag='' given=() used=() word entry
  # shellcheck disable=SC2034 # names.bash reads them
  local context='' elsewhere='' side
  COMPREPLY=()
  __skyctl_words
  __skyctl_place ''
  for word in "${words[@]}"; do
    __skyctl_step "$word" || return 0
  done
  if [[ -n $flag ]]; then
    used=()
    __skyctl_offer_values '' "${flag#*=}"
  elif [[ -z $targets && $cur == --*=* ]]; then
    used=()
    __skyctl_flag "$cur" && [[ $REPLY == *=* ]] && __skyctl_offer_values "${cur%%=*}=" "${REPLY#*=}"
  elif [[ -z $targets && $cur == -* ]]; then
    local left=()
    for entry in "${flags[@]}"; do
      [[ $entry == *'*'* ]] || ! __skyctl_find "${entry%%[,=]*}" "${given[@]}" && left+=("$entry")
    done
    __skyctl_offer_entries "${left[@]}"
  else
    __skyctl_offer_entries "${commands[@]}"
    local last=$((${#arguments[@]} - 1))
    ((position <= last)) || [[ $last -ge 0 && ${arguments[last]} == *'*' ]] || return 0
    side="${used[0]-} ${used[1]-} " side=${side#label:} side=${side#id:}
    [[ ${arguments[last]} == *'*' ]] || used=()
    __skyctl_offer_values '' "${arguments[position < last ? position : last]}"
  fi
  return 0
}

complete -F _skyctl skyctl
