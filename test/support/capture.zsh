# capture.zsh SCRIPT LINE...: prints what zsh would insert for Tab at the end of each line, a candidate on each line, and
# an empty line after each. A zsh of its own, in a pseudo-terminal, has a compadd that tells what it was given.
zmodload zsh/zpty || exit 1
zpty z zsh -f -i

setup=$(mktemp)
trap 'rm -f $setup' EXIT
cat >$setup <<'SETUP'
PROMPT=
# Once for a home: to read what zsh can complete takes half a second.
autoload -Uz compinit && compinit -C -u -d $HOME/.zcompdump
bindkey '^M' undefined
bindkey '^J' undefined
bindkey '^I' complete-word
bindkey '^U' kill-whole-line
# Nothing is asked or shown besides.
setopt no_auto_list no_auto_menu no_notify
# zsh calls each of them once.
before() { compprefuncs=(before) && print -r -- $'\0' }
after() { comppostfuncs=(after) && print -r -- $'\0' }
before > /dev/null
after > /dev/null
zstyle ':completion:*' insert-tab false
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a told
  builtin compadd -A told "$@"
  builtin compadd "$@" || return
  (( $#told )) && print -rl -- "${told[@]}"
}
SETUP

zpty -w z "source $setup; source ${(q)1}; print -n rea; print dy"
zpty -r -m z before '*ready*'

for line in "${@:2}"; do
  zpty -n -w z $'\C-u'"$line"$'\t'
  zpty -r -m z shown $'*\0\r\n*\0\r*'
  shown=${shown#*$'\0\r\n'}
  for candidate in "${(@f)${shown%%$'\0'*}}"; do
    # A command that the script runs in the background may make zsh show its line again, before a candidate.
    candidate=${${candidate%$'\r'}##*$line}
    [[ -n $candidate ]] && print -r -- $candidate
  done
  print
done
