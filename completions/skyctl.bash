# bash completion for skyctl:
#   source <(skyctl completion bash)
#
# For bash 3.2, which macOS has, and newer, with and without the package bash-completion. "skyctl __complete" prints what
# may follow: ":KIND PREFIX", then a word on each line. Words are quoted before they are offered, and never evaluated.

# Sets REPLY to the text that a quoted word means, quote to the quote that is still open, and opened to where it begins.
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

# Sets words to those before the cursor and the one at it, without their quotes. Bash breaks words at ":", "=" and "@", and
# replaces only what follows the last break or the open quote: kept is the text before that.
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
  local last=$((${#line[@]} - 1))
  __skyctl_unquote "${line[last]%"$piece"}"
  kept=$REPLY
  for ((index = 0; index <= last; index++)); do
    __skyctl_unquote "${line[index]}"
    words+=("$REPLY")
  done
  [[ -z $quote ]] || kept=${REPLY:0:opened}
}

# Reads lines of stdin.
__skyctl_read() {
  if ((BASH_VERSINFO[0] > 3)); then mapfile -t lines; else IFS=$'\n' read -r -d '' -a lines; fi
}

# Quotes lines for an open quote, or without one.
__skyctl_quote() {
  local single=\' escaped="'\\''" text
  case $quote in
  \') lines=("${lines[@]//$single/$escaped}") ;;
  \")
    lines=("${lines[@]//\\/\\\\}") lines=("${lines[@]//\"/\\\"}") lines=("${lines[@]//\$/\\\$}")
    lines=("${lines[@]//\`/\\\`}") lines=("${lines[@]//!/\"\'!\'\"}")
    ;;
  *)
    printf -v text '%q\n' "${lines[@]}"
    # A comma needs no quotes, and would not begin as it was typed.
    [[ $text != *\\,* ]] || text=${text//\\,/,}
    __skyctl_read <<<"${text%$'\n'}"
    ;;
  esac
  # Bash closes the quote, unless a word ends with that character.
  [[ -z $quote ]] || lines=("${lines[@]/%"$quote"/$quote$quote}")
}

_skyctl() {
  local IFS=$' \t\n' words=() lines=() kept='' quote='' opened=0 REPLY answer index
  COMPREPLY=()
  __skyctl_words
  __skyctl_read <<<"$(command skyctl __complete bash "${words[@]}" </dev/null 2>/dev/null)"
  answer=${lines[0]-}
  case $answer in
  :words* | :parts*) unset 'lines[0]' ;;
  :files*)
    __skyctl_read <<<"$(compgen -f -- "${REPLY#"${answer#* }"}")"
    [[ -n ${lines[0]-} ]] || return 0
    for index in "${!lines[@]}"; do lines[index]=${answer#* }${lines[index]}; done
    ;;
  esac
  [[ $answer == :* && ${#lines[@]} -gt 0 ]] || return 0
  [[ -z $kept ]] || lines=("${lines[@]#"$kept"}")
  [[ $answer != :parts* ]] || compopt -o nospace 2>/dev/null
  # Bash itself quotes file names.
  [[ $answer == :files* ]] && compopt -o filenames 2>/dev/null || __skyctl_quote
  COMPREPLY=("${lines[@]}")
}

complete -F _skyctl skyctl
