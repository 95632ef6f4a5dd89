# fish completion for skyctl:
#   skyctl completion fish > ~/.config/fish/completions/skyctl.fish
#
# For fish 3 and newer, which selects from the words and quotes what it inserts. "skyctl __complete" prints what may follow:
# ":KIND PREFIX", then a word on each line, and a description after a tab.

# Prints what the word at the cursor means; a quote may be open.
function __skyctl_typed
    set -l token (commandline -ct)
    string unescape -- "$token"
    or printf '%s\n' "$token"
end

function __skyctl_complete
    command -q skyctl
    or return
    set -l typed (__skyctl_typed)
    set -l words (commandline -opc)
    set -l lines (command skyctl __complete fish $words[2..-1] "$typed" </dev/null 2>/dev/null)
    string match -q -r '^:(?<kind>words|parts|files) (?<prefix>.*)' -- $lines[1]
    or return
    if test $kind = files
        for file in (__fish_complete_path (string sub -s (math (string length -- "$prefix") + 1) -- "$typed"))
            printf '%s\n' $prefix$file
        end
    else if set -q lines[2]
        printf '%s\n' $lines[2..-1]
    end
end

complete -c skyctl -e
complete -c skyctl -f -a '(__skyctl_complete)'
