# PowerShell completion for skyctl, made from its commands.
#   skyctl completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName skyctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # What may follow the words of a command. A row is NAME[,ALIAS]...[*][=VALUES] DESCRIPTION: "*" may be given again,
    # "=" takes a value. VALUES are a|b|c, or @KIND for names. Arguments are VALUES; with "*" the last takes all words.
    $places = @{
        '' = @{
            Commands = @(
                'volumes,volume Block storage volumes'
                'regions,region Regions and what is available in them'
                'auth Sign in and out, and see who you are'
                'context,contexts Accounts that you have signed in to, and their defaults'
                'api Send any request to the service'
                'sandbox The embedded service: try things, test scripts'
                'completion Completion for bash, zsh, fish and PowerShell'
                'help Help on a command or a topic'
            )
            Flags = @(
                '--version,-V Show the version'
            )
            Arguments = @()
        }
        'volumes' = @{
            Commands = @(
                'list,ls List the volumes you may view'
                'create,add Create a volume, attached or not; billing starts'
                'view,get,show,describe Show a volume'
                'update,set Change the label or the tags of a volume'
                'delete,rm,remove Delete a volume and its data for ever; billing stops'
                'attach Attach a volume to a compute instance of its region'
                'detach Detach a volume from its compute instance'
                'resize Grow a volume; it can never shrink'
                'clone Copy a volume with its size and data; billing starts'
                'wait Wait until volumes are in a state'
            )
            Flags = @()
            Arguments = @()
        }
        'volumes list' = @{
            Commands = @()
            Flags = @(
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
                '--filter*= Keep what passes: label=web, size>20, label~data, region!=x'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
            )
            Arguments = @()
        }
        'volumes create' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the volume (required)'
                '--size= Size in GiB; the service takes 20 where none is given'
                '--region=@regions Region ID; required without a compute instance'
                '--compute-id= Compute instance to attach the volume to'
                '--config-id= Configuration of that compute instance to attach it in'
                '--tag,--tags*= Tags, for your own order only; repeat it, or use commas'
                '--no-tags Empty the list of tags'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--wait Wait until active'
                '--wait-timeout= How long to wait (default 5m)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'volumes view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes*')
        }
        'volumes update' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the volume'
                '--tag,--tags*= Tags, for your own order only; repeat it, or use commas'
                '--no-tags Empty the list of tags'
                '--add-tag*= Add to the tags that stand'
                '--remove-tag*= Remove from the tags that stand'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes')
        }
        'volumes delete' = @{
            Commands = @()
            Flags = @(
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes*')
        }
        'volumes attach' = @{
            Commands = @()
            Flags = @(
                '--compute-id= Compute instance to attach the volume to (required)'
                '--config-id= Configuration of that compute instance to attach it in'
                '--persist-across-boots Keep the volume in the configuration, so that it is attached at every boot'
                '--no-persist-across-boots Keep the volume in the configuration, so that it is attached at every boot'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--wait Wait until attached'
                '--wait-timeout= How long to wait (default 5m)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes')
        }
        'volumes detach' = @{
            Commands = @()
            Flags = @(
                '--wait Wait until detached'
                '--wait-timeout= How long to wait (default 5m)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes*')
        }
        'volumes resize' = @{
            Commands = @()
            Flags = @(
                '--size= New size in GiB, larger than the present one (required)'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--wait Wait until active'
                '--wait-timeout= How long to wait (default 5m)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes')
        }
        'volumes clone' = @{
            Commands = @()
            Flags = @(
                '--label= Label of the volume (required)'
                '--body=@files Take the body from a JSON or YAML file, - is stdin; flags win'
                '--no-validate Send what looks wrong here; the service decides'
                '--wait Wait until active'
                '--wait-timeout= How long to wait (default 5m)'
                '--dry-run Print the request and send nothing'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes')
        }
        'volumes wait' = @{
            Commands = @()
            Flags = @(
                '--for=active|attached|detached|deleted active, attached, detached, deleted (default active)'
                '--wait-timeout= How long to wait (default 5m)'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@volumes*')
        }
        'regions' = @{
            Commands = @(
                'list,ls List the regions'
                'view,get,show,describe Show a region'
                'availability List where premium and GPU plans are available'
            )
            Flags = @()
            Arguments = @()
        }
        'regions list' = @{
            Commands = @()
            Flags = @(
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
                '--filter*= Keep what passes: label=web, size>20, label~data, region!=x'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
            )
            Arguments = @()
        }
        'regions view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@regions*')
        }
        'regions availability' = @{
            Commands = @()
            Flags = @(
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
                '--filter*= Keep what passes: label=web, size>20, label~data, region!=x'
                '--limit= Stop after this many'
                '--page= Read this page only'
                '--page-size= How many to read at a time, 25 to 500'
                '--concurrency= How many pages to read at once (default 8)'
            )
            Arguments = @('@regions')
        }
        'auth' = @{
            Commands = @(
                'login Sign in: prove a token, and keep it in a context'
                'logout Forget the token of a context'
                'status Show which service is used, with whose token'
            )
            Flags = @()
            Arguments = @()
        }
        'auth login' = @{
            Commands = @()
            Flags = @(
                '--with-token Read the token from stdin'
            )
            Arguments = @()
        }
        'auth logout' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
        }
        'auth status' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @()
        }
        'context' = @{
            Commands = @(
                'list,ls List the contexts'
                'use Make a context the one in use'
                'view,get,show,describe Show a context, without its token'
                'update,set Change the defaults of a context, or where its token comes from'
                'rename Give a context another name'
                'delete,rm,remove Delete a context with its token'
            )
            Flags = @()
            Arguments = @()
        }
        'context list' = @{
            Commands = @()
            Flags = @(
                '--sort= Sort by a field; a leading - reverses'
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
                '--limit= Stop after this many'
            )
            Arguments = @()
        }
        'context use' = @{
            Commands = @()
            Flags = @()
            Arguments = @('@contexts')
        }
        'context view' = @{
            Commands = @()
            Flags = @(
                '--columns,--format*= Fields to print, in this order; "all" for every field'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('@contexts')
        }
        'context update' = @{
            Commands = @()
            Flags = @(
                '--region=@regions Region of new volumes where none is given; "" for none'
                '--default-output=table|json|ndjson|yaml|csv|tsv Format of its output; "" for none'
                '--token-command= Shell command that prints the token; it replaces a stored token'
            )
            Arguments = @('@contexts')
        }
        'context rename' = @{
            Commands = @()
            Flags = @()
            Arguments = @('@contexts', '')
        }
        'context delete' = @{
            Commands = @()
            Flags = @()
            Arguments = @('@contexts')
        }
        'api' = @{
            Commands = @()
            Flags = @(
                '--body=@files Send this JSON or YAML file; - is stdin'
                '--header,-H*= Add a header, such as ''X-Filter: {"label":"data"}'''
                '--paginate Read every page of a list, and print the items as one array'
                '--openapi Print the OpenAPI 3.1 document of the service instead; nothing is sent'
                '--dry-run Print the request and send nothing'
                '--no-headers Leave out the header line'
                '--query= Choose from the JSON with a JMESPath expression'
                '--raw Leave csv and tsv cells as they are, even where a spreadsheet would run them'
            )
            Arguments = @('GET|POST|PUT|DELETE', '')
        }
        'sandbox' = @{
            Commands = @(
                'start Run the sandbox as a server until Ctrl-C'
                'world List what the context "sandbox" holds: instances, users, tokens, volumes'
                'reset Start the world of the context "sandbox" afresh'
            )
            Flags = @()
            Arguments = @()
        }
        'sandbox start' = @{
            Commands = @()
            Flags = @(
                '--port= Port on loopback (default: any that is free)'
                '--state=@files Keep the world in this file'
                '--memory Keep the world in memory (the default)'
                '--latency= Hold every answer back by this many milliseconds'
                '--fail*= Answer the next requests with failures: 429:3,500:1; 503:2:/volumes only below that path'
                '--rate-limit Enforce the rate limits of the service'
            )
            Arguments = @()
        }
        'sandbox world' = @{
            Commands = @()
            Flags = @(
                '--query= Choose from the JSON with a JMESPath expression'
            )
            Arguments = @()
        }
        'sandbox reset' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
        }
        'completion' = @{
            Commands = @(
                'bash Print the script that completes skyctl in bash'
                'zsh Print the script that completes skyctl in zsh'
                'fish Print the script that completes skyctl in fish'
                'powershell Print the script that completes skyctl in PowerShell'
            )
            Flags = @()
            Arguments = @()
        }
        'completion bash' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
        }
        'completion zsh' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
        }
        'completion fish' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
        }
        'completion powershell' = @{
            Commands = @()
            Flags = @()
            Arguments = @()
        }
        'help' = @{
            Commands = @(
                'volumes,volume Block storage volumes'
                'regions,region Regions and what is available in them'
                'auth Sign in and out, and see who you are'
                'context,contexts Accounts that you have signed in to, and their defaults'
                'api Send any request to the service'
                'sandbox The embedded service: try things, test scripts'
                'completion Completion for bash, zsh, fish and PowerShell'
            )
            Flags = @()
            Arguments = @('exit-codes|environment|output|references*')
        }
    }
    $globals = @(
        '--context=@contexts Account to act on; "sandbox" is built in'
        '--base-url= Address of the service, up to and including /v4'
        '--output,-o=table|json|ndjson|yaml|csv|tsv Print as table, json, ndjson, yaml, csv, tsv'
        '--json The same as --output json'
        '--quiet,-q Print ids only, and no messages'
        '--yes,-y Answer every question with yes'
        '--color=auto|always|never Use colour: auto, always, never'
        '--timeout= Give up after this time (default 2m)'
        '--retries= How often to try again what is safe to repeat (default 2)'
        '--max-wait= Longest wait that the service may ask for (default 60s)'
        '--verbose,-v Say what is tried again, and why'
        '--debug Show requests and answers, without secrets'
        '--help,-h Show help'
    )

    # The row of a name.
    function Find-Row($name, $rows) {
        foreach ($row in $rows) {
            $names = ($row.Split(' ')[0] -replace '[*=].*$').Split(',')
            if ($names -ccontains $name) { return $row }
        }
    }

    # The row of a flag as it was typed; snake_case is the same flag.
    function Find-Flag($typed, $rows) {
        $name = $typed.Split('=')[0]
        if ($name.StartsWith('--')) { $name = $name.Replace('_', '-') }
        Find-Row $name $rows
    }

    # The VALUES in a row; nothing where its flag takes no value.
    function Get-Values($row) {
        if ($row -match '^[^ =]*=([^ ]*)') { $Matches[1] }
    }

    # A completion of the word at the cursor, in quotes where PowerShell needs them.
    function New-Completion($prefix, $name, $note) {
        $text = $name
        if ($text -notmatch '^[\w./:+-][\w./:=+@%-]*$') {
            $text = "'" + [Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($text) + "'"
        }
        if (-not $note) { $note = $name }
        [Management.Automation.CompletionResult]::new("$prefix$text", $name, 'ParameterValue', $note)
    }

    # The names in rows; aliases only where no name begins like what was typed.
    function Get-Names($rows, $typed) {
        $names = @()
        $aliases = @()
        foreach ($row in $rows) {
            $entry, $note = $row.Split(' ', 2)
            $first, $others = ($entry -replace '[*=].*$').Split(',')
            if ($first.StartsWith($typed, 'Ordinal')) { $names += New-Completion '' $first $note }
            foreach ($alias in $others) {
                if ($alias -match '^-[^-]' -or -not $alias.StartsWith($typed, 'Ordinal')) { continue }
                $aliases += New-Completion '' $alias $note
            }
        }
        if ($names) { $names } else { $aliases }
    }

    # Runs skyctl for the names of a kind. The context goes through the environment: a .cmd file would evaluate it.
    function Invoke-Names($kind, $timeout) {
        $skyctl = Get-Command skyctl -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
        if (-not $skyctl) { return }
        $start = [Diagnostics.ProcessStartInfo]::new($skyctl.Source, "completion values $kind --timeout $timeout")
        $start.UseShellExecute = $false
        $start.CreateNoWindow = $true
        $start.RedirectStandardInput = $true
        $start.RedirectStandardOutput = $true
        $start.RedirectStandardError = $true
        $start.StandardOutputEncoding = [Text.Encoding]::UTF8
        if ($context) { $start.EnvironmentVariables['SKYCTL_CONTEXT'] = $context }
        $process = [Diagnostics.Process]::Start($start)
        $process.StandardInput.Close()
        $process.BeginErrorReadLine()
        $process
    }

    # Where the names of the account in use are kept; nothing where that is nowhere, or unknown.
    function Get-KeptFile($kind) {
        $folder = if ($env:OS -eq 'Windows_NT') { "$env:LOCALAPPDATA/skyctl/Cache/names" }
        elseif ($IsMacOS) { "$HOME/Library/Caches/skyctl/names" }
        elseif ($env:XDG_CACHE_HOME -like '/*') { "$env:XDG_CACHE_HOME/skyctl/names" }
        else { "$HOME/.cache/skyctl/names" }
        if ($kind -eq 'contexts') { return "$folder/.contexts" }
        $name = if ($context) { $context } else { $env:SKYCTL_CONTEXT }
        if ($name) {
            # How other names are encoded, skyctl itself knows best.
            if ($name -notmatch '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$') { return }
        } else {
            if (-not [IO.File]::Exists("$folder/.current")) { return }
            $name = [IO.File]::ReadAllText("$folder/.current").Trim()
            if ($name -notmatch '^[^/\\]+$') { return }
        }
        if ($name -ceq 'sandbox' -or -not "$env:SKYCTL_TOKEN$env:SKYCTL_BASE_URL") { "$folder/$name/$kind" }
    }

    # The names of a kind, NAME[<tab>NOTE] each: at once from the file that keeps them, which is renewed behind one's
    # back when it is old.
    function Get-KeptNames($kind) {
        if ($elsewhere -and $kind -ne 'contexts') { return }
        $file = Get-KeptFile $kind
        if ($file -and [IO.File]::Exists($file)) {
            [IO.File]::ReadAllLines($file)
            if ([IO.File]::GetLastWriteTimeUtc($file) -gt [DateTime]::UtcNow.AddMinutes(-5)) { return }
            try { [IO.File]::SetLastWriteTimeUtc($file, [DateTime]::UtcNow) } catch { return }
            $process = Invoke-Names $kind '30s'
            if ($process) { $process.BeginOutputReadLine() }
        } else {
            $process = Invoke-Names $kind '2s'
            if ($process) { $process.StandardOutput.ReadToEnd() -split '\r?\n' | Where-Object { $_ } }
        }
    }

    # Completions with VALUES, behind a prefix such as "--output=".
    function Get-Completions($values, $prefix, $typed) {
        $values = $values.TrimEnd('*')
        if ($values -eq '@files') {
            foreach ($one in [Management.Automation.CompletionCompleters]::CompleteFilename($typed)) {
                [Management.Automation.CompletionResult]::new(
                    "$prefix$($one.CompletionText)", $one.ListItemText, $one.ResultType, $one.ToolTip)
            }
        } elseif ($values.StartsWith('@')) {
            foreach ($line in Get-KeptNames $values.Substring(1)) {
                $name, $note = $line.Split([char]9)
                if ($name.StartsWith($typed, 'Ordinal')) { New-Completion $prefix $name $note }
                elseif ($typed -match '^[1-9]' -and "$note".StartsWith($typed, 'Ordinal')) {
                    New-Completion $prefix $note $name
                }
            }
        } elseif ($values) {
            foreach ($name in $values.Split('|')) {
                if ($name.StartsWith($typed, 'Ordinal')) { New-Completion $prefix $name }
            }
        }
    }

    $typed = $wordToComplete -replace '^["'']|["'']$'
    $before = $commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition }
    $path = ''
    $rows = $places['']
    $given = @()
    $flag = $targets = $context = $elsewhere = $null
    $position = 0
    foreach ($element in $before) {
        $word = if ($element -is [Management.Automation.Language.StringConstantExpressionAst]) { $element.Value }
        else { $element.Extent.Text }
        $value = $word
        if (-not $flag) {
            if (-not $targets -and $word -ceq '--') {
                $targets = $true
                continue
            }
            if (-not $targets -and $word -match '^-.') {
                $row = Find-Flag $word ($rows.Flags + $globals)
                if (-not $row) { continue }
                $given += $row
                if ($null -eq (Get-Values $row)) { continue }
                $flag = $row
                if ($word -notmatch '^--[^=]*=(.*)$') { continue }
                $value = $Matches[1]
            } else {
                $row = Find-Row $word $rows.Commands
                if ($row) {
                    $name = $row.Split(' ')[0].Split(',')[0]
                    $path = if ($path -in '', 'help') { $name } else { "$path $name" }
                    $rows = $places[$path]
                } else {
                    $position += 1
                    if ($rows.Commands -and -not $rows.Arguments) { return }
                }
                continue
            }
        }
        # What decides whose names are completed.
        if ($flag.StartsWith('--context=')) { $context = $value }
        if ($flag.StartsWith('--base-url=')) { $elsewhere = $true }
        $flag = $null
    }

    if ($flag) {
        Get-Completions (Get-Values $flag) '' $typed
    } elseif (-not $targets -and $typed -match '^(--[^=]+=)(.*)$') {
        $prefix, $rest = $Matches[1], $Matches[2]
        $row = Find-Flag $typed ($rows.Flags + $globals)
        if ($row) { Get-Completions "$(Get-Values $row)" $prefix ($rest -replace '^["'']') }
    } elseif (-not $targets -and $typed.StartsWith('-')) {
        $left = $rows.Flags + $globals | Where-Object { $_.Split(' ')[0].Contains('*') -or $given -cnotcontains $_ }
        Get-Names $left $typed
    } else {
        Get-Names $rows.Commands $typed
        $last = $rows.Arguments.Count - 1
        if ($position -le $last) { Get-Completions $rows.Arguments[$position] '' $typed }
        elseif ($last -ge 0 -and $rows.Arguments[$last].EndsWith('*')) {
            Get-Completions $rows.Arguments[$last] '' $typed
        }
    }
}
