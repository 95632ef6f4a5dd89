# fish completion for skyctl, made from its commands.
#   skyctl completion fish > ~/.config/fish/completions/skyctl.fish
# How the scripts of all shells work: src/generate/shells/README.md in the sources of skyctl.
#
# For fish 3 and newer, which quotes what it inserts itself.

# Prints the commands, flags, arguments or fields of a place.
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

# Prints VALUES, behind a prefix such as "--output="; of names, none that was used.
function __skyctl_values --argument-names values prefix typed context elsewhere path
    set -l used $argv[7..-1]
    set -l side (string replace -r '^(label|id):' '' -- "$used[1]")" $used[2] "
    string match -q '*\*' -- $values
    or set used
    set values (string replace -r '\*$' '' -- $values)
    if string match -q ',*' -- $values
        set values (string sub -s 2 -- $values)
        if string match -q -r '^(?<before>.*,)(?<last>.*)' -- $typed
            set prefix $prefix$before
            set typed $last
        end
    end
    switch $values
        case @files
            for file in (__fish_complete_path $typed)
                printf '%s\n' $prefix$file
            end
        case @columns @sort @filter
            __skyctl_fields $values "$prefix" "$typed" "$context" "$elsewhere" "$path"
        case '@*'
            # There may be thousands: nothing is called for each, and what can goes straight through.
            if test -z "$prefix$used" -a $values != @rules; and not string match -q -r '^(label:|[1-9])' -- $typed
                __skyctl_names (string sub -s 2 -- $values) "$context" "$elsewhere"
                return
            end
            set -l kept (__skyctl_names (string sub -s 2 -- $values) "$context" "$elsewhere")
            if test $values = @rules
                # Those of the firewall and the direction before the cursor, which are no rules themselves.
                set kept (string replace -f -r -- '^'(string escape --style=regex -- $side) '' $kept)
                set -q used[2]
                and set -e used[1..2]
            end
            if set -q used[1]
                set used (string replace -r '^(label|id):' '' -- $used | string escape --style=regex | string join '|')
                set kept (string match -v -r -- "^(label:)?($used)(\t|\$)|\t($used)\$" $kept)
            end
            if string match -q 'label:*' -- $typed; and not contains -- $values @regions @contexts
                set prefix $prefix'label:'
                set kept (string replace -r '^label:' '' -- (string match -e -r '^[^\t]*[^\t0-9]' -- $kept))
            else if string match -q -r '^[1-9]' -- $typed
                set kept (string replace -r '^(.*)\t([1-9][0-9]*)$' '$2\t$1' -- $kept)
            end
            set -q kept[1]
            and printf '%s\n' $prefix$kept
        case '?*'
            for value in (string split '|' -- (string replace -a + ' ' -- $values))
                printf '%s\n' $prefix$value
            end
    end
end

# Prints fields behind a prefix: "NAME=" to filter by, and behind that what the field may hold.
function __skyctl_fields --argument-names kind prefix typed context elsewhere path
    set -l rows (__skyctl_rows fields $path)
    set -l names (string replace -r '=.*' '' -- $rows)
    switch $kind
        case @columns
            set names $names all
        case @sort
            string match -q -- '-*' $typed
            and set prefix $prefix-
        case @filter
            if string match -q -r '^(?<name>[A-Za-z0-9_.]*)(?<test>[^=]*=)(?<wanted>.*)' -- $typed
                set -l row (__skyctl_find $name $rows)
                and set -l values (__skyctl_values_of $row)
                and __skyctl_values $values $prefix$name$test "$wanted" "$context" "$elsewhere" "$path"
                return
            end
            set names $names=
    end
    printf '%s\n' $prefix$names
end

# {{names}}

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
    set -l used
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
            set used $used $word
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
        __skyctl_values (__skyctl_values_of $flag) '' "$typed" "$context" "$elsewhere" "$path"
    else if test -z "$targets"; and string match -q -r '^(?<prefix>--[^=]+=)(?<value>.*)' -- $typed
        set -l row (__skyctl_flag $typed $flags)
        and set -l values (__skyctl_values_of $row)
        and __skyctl_values $values $prefix "$value" "$context" "$elsewhere" "$path"
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
        and __skyctl_values $values '' "$typed" "$context" "$elsewhere" "$path" $used
    end
end

complete -c skyctl -e
complete -c skyctl -f -a '(__skyctl_complete)'
