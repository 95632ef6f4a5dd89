# fish completion for skyctl, made from its commands.
#   skyctl completion fish > ~/.config/fish/completions/skyctl.fish
# How the scripts of all shells work: src/generate/shells/README.md in the sources of skyctl.
#
# For fish 3 and newer, which quotes what it inserts itself.

# Prints the commands, flags or arguments of a place.
function __skyctl_rows --argument-names kind path
    switch "$kind $path"
        # {{places}}
    end
    if test $kind = flags
        # {{globals}}
    end
end

# Prints the row of a name among those that follow it.
function __skyctl_find --argument-names name
    for row in $argv[2..-1]
        set -l entry (string split -m 1 ' ' -- $row)[1]
        contains -- $name (string split , -- (string replace -r '[*=].*' '' -- $entry))
        and printf '%s\n' $row
        and return
    end
    return 1
end

# Prints the row of a flag as it was typed; snake_case is the same flag.
function __skyctl_flag --argument-names typed
    set -l name (string split -m 1 = -- $typed)[1]
    string match -q -- '--*' $name
    and set name (string replace -a _ - -- $name)
    __skyctl_find $name $argv[2..-1]
end

# The VALUES in a row; fails where its flag takes no value.
function __skyctl_values_of --argument-names row
    string match -q -r '^[^ ]*?=(?<values>[^ ]*)' -- $row
    and echo $values
end

# Prints the names in rows with their descriptions; aliases only where no name begins like what was typed.
function __skyctl_describe --argument-names typed
    set -l found
    for row in $argv[2..-1]
        string match -q -r '^(?<name>[^ ,*=]+)[^ ]* (?<description>.*)' -- $row
        printf '%s\t%s\n' $name $description
        test (string sub -l (string length -- $typed) -- $name) = "$typed"
        and set found 1
    end
    test -z "$found"
    or return 0
    for row in $argv[2..-1]
        string match -q -r '^[^ ,*=]+,(?<aliases>[^ *=]+)[^ ]* (?<description>.*)' -- $row
        and for alias in (string split , -- $aliases | string match -v -r '^-[^-]')
            printf '%s\t%s\n' $alias $description
        end
    end
end

# Prints VALUES, behind a prefix such as "--output=".
function __skyctl_values --argument-names values prefix typed context elsewhere
    set values (string replace '*' '' -- $values)
    switch $values
        case @files
            for path in (__fish_complete_path $typed)
                printf '%s\n' $prefix$path
            end
        case '@*'
            # There may be thousands: nothing is called for each.
            set -l turned '^(.*)\t([1-9][0-9]*)$' '$2\t$1'
            string match -q -r '^[1-9]' -- $typed
            or set turned '^' ''
            __skyctl_names (string sub -s 2 -- $values) "$context" "$elsewhere" |
                string replace -r -- $turned | string replace -r -- '^' "$prefix"
        case '?*'
            for value in (string split '|' -- $values)
                printf '%s\n' $prefix$value
            end
    end
end

# Prints the names of a kind, NAME[<tab>NOTE] on each line: at once from the file that keeps them, which is renewed
# behind one's back when it is old.
function __skyctl_names --argument-names kind context elsewhere
    test $kind = contexts -o -z "$elsewhere"
    or return
    set -l ask completion values $kind
    test -n "$context"
    and set ask $ask --context $context
    set -l file (__skyctl_kept_file $kind $context)
    if test -n "$file" -a -r "$file"
        cat $file
        test -n "$(find $file -mmin +5 2>/dev/null)"
        or return 0
        touch -c $file 2>/dev/null
        command skyctl $ask --timeout 30s </dev/null >/dev/null 2>&1 &
        disown 2>/dev/null
    else
        command skyctl $ask --timeout 2s </dev/null 2>/dev/null
    end
end

# Prints where the names of the account in use are kept; nothing where that is nowhere, or unknown.
function __skyctl_kept_file --argument-names kind name
    set -l folder $HOME/.cache/skyctl
    string match -q '/*' -- $XDG_CACHE_HOME
    and set folder $XDG_CACHE_HOME/skyctl
    test (uname) = Darwin
    and set folder $HOME/Library/Caches/skyctl
    if test $kind = contexts
        echo $folder/names/.contexts
        return
    end
    test -n "$name"
    or set name $SKYCTL_CONTEXT
    if test -n "$name"
        # How other names are encoded, skyctl itself knows best.
        string match -q -r '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$' -- $name
        or return
    else
        test -r $folder/names/.current
        and read name <$folder/names/.current
        string match -q -r '^[^/]+$' -- $name
        or return
    end
    test "$name" = sandbox -o -z "$SKYCTL_TOKEN$SKYCTL_BASE_URL"
    and echo $folder/names/$name/$kind
end

function __skyctl_complete
    set -l typed (commandline -ct)
    set -l words (commandline -opc)
    set -l path ''
    set -l verbs (__skyctl_rows commands '')
    set -l flags (__skyctl_rows flags '')
    set -l arguments
    set -l given
    set -l flag
    set -l targets
    set -l context
    set -l elsewhere
    set -l position 1
    # The walk of README.md.
    for word in $words[2..-1]
        set -l value
        if test -n "$flag"
            set value $word
        else if test -z "$targets" -a "$word" = --
            set targets 1
        else if test -z "$targets"; and string match -q -r '^-.' -- $word
            set -l row (__skyctl_flag $word $flags)
            or continue
            set given $given $row
            __skyctl_values_of $row >/dev/null
            or continue
            set flag $row
            string match -q -r '^--[^=]*=(?<value>.*)' -- $word
            or continue
        else if set -l row (__skyctl_find $word $verbs)
            set -l name (string match -r '^[^ ,]+' -- $row)
            test "$path" = '' -o "$path" = help
            and set path $name
            or set path "$path $name"
            set verbs (__skyctl_rows commands $path)
            set flags (__skyctl_rows flags $path)
            set arguments (__skyctl_rows arguments $path)
            continue
        else
            set position (math $position + 1)
            test (count $verbs) -eq 0 -o (count $arguments) -gt 0
            or return
            continue
        end
        # What decides whose names are completed.
        string match -q -- '--context=*' $flag
        and set context $value
        string match -q -- '--base-url=*' $flag
        and set elsewhere 1
        set flag
    end
    if test -n "$flag"
        __skyctl_values (__skyctl_values_of $flag) '' $typed "$context" $elsewhere
    else if test -z "$targets"; and string match -q -r '^(?<prefix>--[^=]+=)(?<value>.*)' -- $typed
        set -l row (__skyctl_flag $typed $flags)
        and set -l values (__skyctl_values_of $row)
        and __skyctl_values $values $prefix "$value" "$context" $elsewhere
    else if test -z "$targets"; and string match -q -- '-*' $typed
        set -l left
        for row in $flags
            string match -q -r '^[^ ]*\*' -- $row
            or not contains -- $row $given
            and set left $left $row
        end
        __skyctl_describe $typed $left
    else
        __skyctl_describe "$typed" $verbs
        set -l values $arguments[$position]
        test -z "$values"; and string match -q -- '*\*' $arguments[-1]
        and set values $arguments[-1]
        test -n "$values"
        and __skyctl_values $values '' "$typed" "$context" $elsewhere
    end
end

complete -c skyctl -e
complete -c skyctl -f -a '(__skyctl_complete)'
