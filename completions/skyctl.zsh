#compdef skyctl
# zsh completion for skyctl:
#   source <(skyctl completion zsh)
#
# For zsh 5, which selects from the words and quotes what it inserts. "skyctl __complete" prints what may follow:
# ":KIND PREFIX", then a word on each line, and a description after a tab.

_skyctl() {
  local typed=${(Q)PREFIX} prefix kind name text tab=$'\t'
  local -i length width
  local -a lines names notes shown expl options match mbegin mend
  lines=("${(@f)$(command skyctl __complete zsh "${(@Q)words[2,CURRENT-1]}" "$typed" </dev/null 2>/dev/null)}")
  [[ $lines[1] == (#b):(words|parts|files)\ (*) ]] || return
  kind=$match[1] prefix=$match[2]
  shift lines
  # The prefix stays as it was typed, with its quotes.
  while (( length < $#PREFIX )) && [[ ${(Q)PREFIX[1,length]} != "$prefix" ]]; do (( length += 1 )); done
  compset -p $length
  if [[ $kind == files ]]; then
    _files
    return
  fi
  [[ $kind == parts ]] && options=(-S '')
  [[ -z $prefix ]] || lines=("${(@)lines#$prefix}")
  names=("${(@)lines%%$tab*}") shown=("${(@)names}")
  if (( $lines[(I)*$tab*] )); then
    options+=(-l)
    for name in "${(@)names}"; do
      (( width < $#name )) && width=$#name
    done
    # One call for all: there may be thousands.
    notes=("${(@M)lines%%$tab*}") notes=("${(@)notes/$tab/  -- }")
    printf -v text "%-${width}s%s\n" "${(@)names:^notes}"
    shown=("${(@f)text%$'\n'}")
  fi
  _wanted values expl value compadd "${options[@]}" -d shown -a names
}

if [[ ${funcstack[1]} == _skyctl ]]; then
  _skyctl "$@"
elif (( ${+functions[compdef]} )); then
  compdef _skyctl skyctl
fi
