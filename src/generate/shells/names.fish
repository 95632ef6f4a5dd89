# Prints the names of a kind, NAME[<tab>NOTE] on each line: at once from the file that keeps them, which is renewed
# behind one's back when it is old.
function __skyctl_names --argument-names kind context elsewhere
    test $kind = contexts -o -z "$elsewhere"
    or return
    set -l ask completion values $kind
    test -n "$context"
    and set ask $ask --context $context
    set -l file (__skyctl_kept_file $kind $context)
    if test -f "$file" -a -r "$file"
        cat $file
        test -n "$(find $file -mmin +5 2>/dev/null)"
        or return 0
        touch -c $file 2>/dev/null
        command skyctl $ask --timeout 30s </dev/null >/dev/null 2>&1 &
        disown 2>/dev/null
    else if test $kind = rules
        # Those of many firewalls: Tab does not wait for them.
        test -n "$file"
        or return
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
    # That of macOS; to ask the system costs a process.
    test -d /System/Library
    and set folder $HOME/Library/Caches/skyctl
    if test $kind = contexts
        echo $folder/names/.contexts
        return
    end
    set -l typed $name
    test -n "$name"
    or set name $SKYCTL_CONTEXT
    if test -z "$name"
        test -f $folder/names/.current -a -r $folder/names/.current
        and read name <$folder/names/.current
        string match -q '*/*' -- $name
        and set name
    else if not string match -q -r '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$' -- $name
        # How other names are encoded, skyctl itself knows best.
        set name
    end
    test -n "$typed" -o "$SKYCTL_CONTEXT" = sandbox -o -z "$SKYCTL_TOKEN$SKYCTL_TOKEN_FILE$SKYCTL_BASE_URL"
    or set name (__skyctl_account "$name")
    test -n "$name"
    and echo $folder/names/$name/$kind
end

# Prints the folder of the account that the environment names, as environmentFolder in src/account/name-cache.ts does; nothing
# where it cannot.
function __skyctl_account --argument-names name
    set -l place $SKYCTL_BASE_URL
    test -n "$place"
    or set place $name
    set -l user (string sub -l 16 -- $SKYCTL_TOKEN)
    test -n "$user"
    or set user $name
    test -z "$SKYCTL_TOKEN_FILE" -a -n "$place" -a -n "$user"
    and string match -q -r '^[ -~]+$' -- "$place $user"
    or return
    set -l sum 0
    for char in (string split '' -- "$place $user")
        set sum (math "($sum * 257 + "(printf %d "'$char")") % 17592186044399")
    end
    echo .env-$sum
end
