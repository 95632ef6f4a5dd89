# capture.zsh SCRIPT LINE: prints what zsh would insert for Tab at the end of a line, a candidate on each line.
# A zsh of its own, in a pseudo-terminal, has a compadd that tells what it was given.
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
mark() { print -r -- $'\0' }
compprefuncs=(mark)
comppostfuncs=(mark exit)
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
zpty -n -w z "$2"$'\t'

integer marks=0
while zpty -r z; do :; done | while IFS= read -r line; do
  if [[ $line == *$'\0\r' ]]; then
    (( ++marks == 2 )) && exit 0
  elif (( marks )); then
    # A command that the script runs in the background may make zsh show its line again, before a candidate.
    print -r -- "${${line%$'\r'}##*$2}"
  fi
done
