# capture.zsh SCRIPT LINE...: prints the candidates that zsh inserts for Tab at the end of each line, one per line, and
# an empty line after those of each LINE. Starts zsh in a pseudo-terminal, with a compadd that prints its matches.
zmodload zsh/zpty || exit 1
zpty z zsh -f -i

setup=$(mktemp)
trap 'rm -f $setup' EXIT
cat >$setup <<'SETUP'
PROMPT=
# Once per home: reading the completions of zsh takes half a second.
autoload -Uz compinit && compinit -C -u -d $HOME/.zcompdump
bindkey '^M' undefined
bindkey '^J' undefined
bindkey '^I' complete-word
bindkey '^U' kill-whole-line
# Prints and asks nothing else.
setopt no_auto_list no_auto_menu no_notify
# zsh calls each hook once.
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
  local -a captured
  builtin compadd -A captured "$@"
  builtin compadd "$@" || return
  (( $#captured )) && print -rl -- "${captured[@]}"
}
SETUP

zpty -w z "source $setup; source ${(q)1}; print -n rea; print dy"
zpty -r -m z before '*ready*'

for line in "${@:2}"; do
  zpty -n -w z $'\C-u'"$line"$'\t'
  zpty -r -m z shown $'*\0\r\n*\0\r*'
  shown=${shown#*$'\0\r\n'}
  for candidate in "${(@f)${shown%%$'\0'*}}"; do
    # A background command of the script may make zsh print its line again, before a candidate.
    candidate=${${candidate%$'\r'}##*$line}
    [[ -n $candidate ]] && print -r -- $candidate
  done
  print
done
