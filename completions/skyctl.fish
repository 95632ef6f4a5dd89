# fish completion for skyctl, made from its commands.
#   skyctl completion fish > ~/.config/fish/completions/skyctl.fish

# Prints what may follow the words of a command. A row is NAME[,ALIAS]...[*][=VALUES] DESCRIPTION: "*" may be given again,
# "=" takes a value. VALUES are a|b|c, or @KIND for names. Arguments are VALUES; with "*" the last takes all words.
function __skyctl_rows --argument-names kind path
    switch "$kind $path"
        case 'commands '
            printf '%s\n' 'volumes,volume Block storage volumes' \
                'regions,region Regions and what is available in them' \
                'auth Sign in and out, and see who you are' \
                'context,contexts Accounts that you have signed in to, and their defaults' \
                'api Send any request to the service' \
                'sandbox The embedded service: try things, test scripts' \
                'completion Completion for bash, zsh, fish and PowerShell' \
                'help Help on a command or a topic'
        case 'flags '
            printf '%s\n' '--version,-V Show the version'
        case 'commands volumes'
            printf '%s\n' 'list,ls List the volumes you may view' \
                'create,add Create a volume, attached or not; billing starts' \
                'view,get,show,describe Show a volume' \
                'update,set Change the label or the tags of a volume' \
                'delete,rm,remove Delete a volume and its data for ever; billing stops' \
                'attach Attach a volume to a compute instance of its region' \
                'detach Detach a volume from its compute instance' \
                'resize Grow a volume; it can never shrink' \
                'clone Copy a volume with its size and data; billing starts' \
                'wait Wait until volumes are in a state'
        case 'flags volumes list'
            printf '%s\n' '--sort= Sort by a field; a leading - reverses' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them' \
                '--filter*= Keep what passes: label=web, size>20, label~data, region!=x' \
                '--limit= Stop after this many' \
                '--page= Read this page only' \
                '--page-size= How many to read at a time, 25 to 500' \
                '--concurrency= How many pages to read at once (default 8)'
        case 'flags volumes create'
            printf '%s\n' '--label= Label of the volume (required)' \
                '--size= Size in GiB; the service takes 20 where none is given' \
                '--region=@regions Region ID; required without a compute instance' \
                '--compute-id= Compute instance to attach the volume to' \
                '--config-id= Configuration of that compute instance to attach it in' \
                '--tag,--tags*= Tags, for your own order only; repeat it, or use commas' \
                '--no-tags Empty the list of tags' \
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win' \
                '--no-validate Send what looks wrong here; the service decides' \
                '--wait Wait until active' \
                '--wait-timeout= How long to wait (default 5m)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'flags volumes view'
            printf '%s\n' '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments volumes view'
            printf '%s\n' '@volumes*'
        case 'flags volumes update'
            printf '%s\n' '--label= Label of the volume' \
                '--tag,--tags*= Tags, for your own order only; repeat it, or use commas' \
                '--no-tags Empty the list of tags' \
                '--add-tag*= Add to the tags that stand' \
                '--remove-tag*= Remove from the tags that stand' \
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win' \
                '--no-validate Send what looks wrong here; the service decides' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments volumes update'
            printf '%s\n' '@volumes'
        case 'flags volumes delete'
            printf '%s\n' '--dry-run Print the request and send nothing' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments volumes delete'
            printf '%s\n' '@volumes*'
        case 'flags volumes attach'
            printf '%s\n' '--compute-id= Compute instance to attach the volume to (required)' \
                '--config-id= Configuration of that compute instance to attach it in' \
                '--persist-across-boots Keep the volume in the configuration, so that it is attached at every boot' \
                '--no-persist-across-boots Keep the volume in the configuration, so that it is attached at every boot' \
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win' \
                '--no-validate Send what looks wrong here; the service decides' \
                '--wait Wait until attached' \
                '--wait-timeout= How long to wait (default 5m)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments volumes attach'
            printf '%s\n' '@volumes'
        case 'flags volumes detach'
            printf '%s\n' '--wait Wait until detached' \
                '--wait-timeout= How long to wait (default 5m)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments volumes detach'
            printf '%s\n' '@volumes*'
        case 'flags volumes resize'
            printf '%s\n' '--size= New size in GiB, larger than the present one (required)' \
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win' \
                '--no-validate Send what looks wrong here; the service decides' \
                '--wait Wait until active' \
                '--wait-timeout= How long to wait (default 5m)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments volumes resize'
            printf '%s\n' '@volumes'
        case 'flags volumes clone'
            printf '%s\n' '--label= Label of the volume (required)' \
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win' \
                '--no-validate Send what looks wrong here; the service decides' \
                '--wait Wait until active' \
                '--wait-timeout= How long to wait (default 5m)' \
                '--dry-run Print the request and send nothing' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments volumes clone'
            printf '%s\n' '@volumes'
        case 'flags volumes wait'
            printf '%s\n' '--for=active|attached|detached|deleted active, attached, detached, deleted (default active)' \
                '--wait-timeout= How long to wait (default 5m)' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments volumes wait'
            printf '%s\n' '@volumes*'
        case 'commands regions'
            printf '%s\n' 'list,ls List the regions' \
                'view,get,show,describe Show a region' \
                'availability List where premium and GPU plans are available'
        case 'flags regions list'
            printf '%s\n' '--sort= Sort by a field; a leading - reverses' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them' \
                '--filter*= Keep what passes: label=web, size>20, label~data, region!=x' \
                '--limit= Stop after this many' \
                '--page= Read this page only' \
                '--page-size= How many to read at a time, 25 to 500' \
                '--concurrency= How many pages to read at once (default 8)'
        case 'flags regions view'
            printf '%s\n' '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments regions view'
            printf '%s\n' '@regions*'
        case 'flags regions availability'
            printf '%s\n' '--sort= Sort by a field; a leading - reverses' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them' \
                '--filter*= Keep what passes: label=web, size>20, label~data, region!=x' \
                '--limit= Stop after this many' \
                '--page= Read this page only' \
                '--page-size= How many to read at a time, 25 to 500' \
                '--concurrency= How many pages to read at once (default 8)'
        case 'arguments regions availability'
            printf '%s\n' '@regions'
        case 'commands auth'
            printf '%s\n' 'login Sign in: prove a token, and keep it in a context' \
                'logout Forget the token of a context' \
                'status Show which service is used, with whose token'
        case 'flags auth login'
            printf '%s\n' '--with-token Read the token from stdin'
        case 'flags auth status'
            printf '%s\n' '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'commands context'
            printf '%s\n' 'list,ls List the contexts' \
                'use Make a context the one in use' \
                'view,get,show,describe Show a context, without its token' \
                'update,set Change the defaults of a context, or where its token comes from' \
                'rename Give a context another name' \
                'delete,rm,remove Delete a context with its token'
        case 'flags context list'
            printf '%s\n' '--sort= Sort by a field; a leading - reverses' \
                '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them' \
                '--limit= Stop after this many'
        case 'arguments context use'
            printf '%s\n' '@contexts'
        case 'flags context view'
            printf '%s\n' '--columns,--format*= Fields to print, in this order; "all" for every field' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments context view'
            printf '%s\n' '@contexts'
        case 'flags context update'
            printf '%s\n' '--region=@regions Region of new volumes where none is given; "" for none' \
                '--default-output=table|json|ndjson|yaml|csv|tsv Format of its output; "" for none' \
                '--token-command= Shell command that prints the token; it replaces a stored token'
        case 'arguments context update'
            printf '%s\n' '@contexts'
        case 'arguments context rename'
            printf '%s\n' '@contexts' \
                ''
        case 'arguments context delete'
            printf '%s\n' '@contexts'
        case 'flags api'
            printf '%s\n' '--body=@files Send this JSON or YAML file; - is stdin' \
                '--header,-H*= Add a header, such as \'X-Filter: {"label":"data"}\'' \
                '--paginate Read every page of a list, and print the items as one array' \
                '--openapi Print the OpenAPI 3.1 document of the service instead; nothing is sent' \
                '--dry-run Print the request and send nothing' \
                '--no-headers Leave out the header line' \
                '--query= Choose from the JSON with a JMESPath expression' \
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
        case 'arguments api'
            printf '%s\n' 'GET|POST|PUT|DELETE' \
                ''
        case 'commands sandbox'
            printf '%s\n' 'start Run the sandbox as a server until Ctrl-C' \
                'world List what the context "sandbox" holds: instances, users, tokens, volumes' \
                'reset Start the world of the context "sandbox" afresh'
        case 'flags sandbox start'
            printf '%s\n' '--port= Port on loopback (default: any that is free)' \
                '--state=@files Keep the world in this file' \
                '--memory Keep the world in memory (the default)' \
                '--latency= Hold every answer back by this many milliseconds' \
                '--fail*= Answer the next requests with failures: 429:3,500:1; 503:2:/volumes only below that path' \
                '--rate-limit Enforce the rate limits of the service'
        case 'flags sandbox world'
            printf '%s\n' '--query= Choose from the JSON with a JMESPath expression'
        case 'commands completion'
            printf '%s\n' 'bash Print the script that completes skyctl in bash' \
                'zsh Print the script that completes skyctl in zsh' \
                'fish Print the script that completes skyctl in fish' \
                'powershell Print the script that completes skyctl in PowerShell'
        case 'commands help'
            printf '%s\n' 'volumes,volume Block storage volumes' \
                'regions,region Regions and what is available in them' \
                'auth Sign in and out, and see who you are' \
                'context,contexts Accounts that you have signed in to, and their defaults' \
                'api Send any request to the service' \
                'sandbox The embedded service: try things, test scripts' \
                'completion Completion for bash, zsh, fish and PowerShell'
        case 'arguments help'
            printf '%s\n' 'exit-codes|environment|output|references*'
    end
    test $kind = flags
    and printf '%s\n' '--context=@contexts Account to act on; "sandbox" is built in' \
                '--base-url= Address of the service, up to and including /v4' \
                '--output,-o=table|json|ndjson|yaml|csv|tsv Print as table, json, ndjson, yaml, csv, tsv' \
                '--json The same as --output json' \
                '--quiet,-q Print ids only, and no messages' \
                '--yes,-y Answer every question with yes' \
                '--color=auto|always|never Use colour: auto, always, never' \
                '--timeout= Give up after this time (default 2m)' \
                '--retries= How often to try again what is safe to repeat (default 2)' \
                '--max-wait= Longest wait that the service may ask for (default 60s)' \
                '--verbose,-v Say what is tried again, and why' \
                '--debug Show requests and answers, without secrets' \
                '--help,-h Show help'
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
            set -l names (__skyctl_names (string sub -s 2 -- $values) "$context" "$elsewhere")
            for line in $names
                set -l parts (string split -m 1 \t -- $line)
                # An id is offered to who types digits.
                string match -q -r '^[1-9]' -- $typed
                and string match -q -r '^[1-9][0-9]*$' -- $parts[2]
                and set parts $parts[2] $parts[1]
                printf '%s\t%s\n' $prefix$parts[1] "$parts[2]"
            end
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
