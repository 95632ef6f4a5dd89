# PowerShell completion for skyctl, made from its commands.
#   skyctl completion powershell | Out-String | Invoke-Expression
# How the scripts of all shells work: src/generate/shells/README.md in the sources of skyctl.
#
# For Windows PowerShell 5.1 and PowerShell 7.

Register-ArgumentCompleter -Native -CommandName skyctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $places = @{
        # {{places}}
    }
    $globals = @(
        # {{globals}}
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
        $child = [Diagnostics.Process]::Start($start)
        $child.StandardInput.Close()
        $child.BeginErrorReadLine()
        $child
    }

    # Where the names of the account in use are kept; nothing where that is nowhere, or unknown.
    function Get-KeptFile($kind) {
        $folder = if ($env:OS -eq 'Windows_NT') { "$env:LOCALAPPDATA/skyctl/Cache/names" }
        elseif ($IsMacOS) { "$HOME/Library/Caches/skyctl/names" }
        elseif ($env:XDG_CACHE_HOME -like '/*') { "$env:XDG_CACHE_HOME/skyctl/names" }
        else { "$HOME/.cache/skyctl/names" }
        if ($kind -eq 'contexts') { return "$folder/.contexts" }
        $name = if ($context) { $context } else { $env:SKYCTL_CONTEXT }
        if (-not $name) {
            if ([IO.File]::Exists("$folder/.current")) { $name = [IO.File]::ReadAllText("$folder/.current").Trim() }
            if ($name -match '[/\\]') { $name = $null }
        } elseif ($name -notmatch '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$') {
            # How other names are encoded, skyctl itself knows best.
            $name = $null
        }
        if (-not $context -and $env:SKYCTL_CONTEXT -cne 'sandbox' -and "$env:SKYCTL_TOKEN$env:SKYCTL_TOKEN_FILE$env:SKYCTL_BASE_URL") { $name = Get-Account $name }
        if ($name) { "$folder/$name/$kind" }
    }

    # The folder of the account that the environment names, as environmentFolder in src/account/name-cache.ts does; nothing
    # where it cannot.
    function Get-Account($name) {
        $place = if ($env:SKYCTL_BASE_URL) { $env:SKYCTL_BASE_URL } else { $name }
        $user = if ($env:SKYCTL_TOKEN) { $env:SKYCTL_TOKEN -replace '^(.{16}).*$', '$1' } else { $name }
        if ($env:SKYCTL_TOKEN_FILE -or -not $place -or -not $user -or "$place $user" -notmatch '^[ -~]+$') { return }
        [long]$sum = 0
        foreach ($char in "$place $user".ToCharArray()) { $sum = ($sum * 257 + [int]$char) % 17592186044399 }
        ".env-$sum"
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
            $child = Invoke-Names $kind '30s'
            if ($child) { $child.BeginOutputReadLine() }
        } elseif ($kind -eq 'rules') {
            # Those of many firewalls: Tab does not wait for them.
            $child = if ($file) { Invoke-Names $kind '30s' }
            if ($child) { $child.BeginOutputReadLine() }
        } else {
            $child = Invoke-Names $kind '2s'
            if ($child) { $child.StandardOutput.ReadToEnd() -split '\r?\n' | Where-Object { $_ } }
        }
    }

    # Completions with VALUES, behind a prefix such as "--output="; of names, none that was used.
    function Get-Completions($values, $prefix, $typed, $used) {
        $values = $values -replace '\*$'
        if ($values.StartsWith(',')) {
            $values = $values.Substring(1)
            if ($typed -match '^(.*,)(.*)$') { $prefix, $typed = "$prefix$($Matches[1])", $Matches[2] }
        }
        if ($values -eq '@files') {
            foreach ($one in [Management.Automation.CompletionCompleters]::CompleteFilename($typed)) {
                [Management.Automation.CompletionResult]::new(
                    "$prefix$($one.CompletionText)", $one.ListItemText, $one.ResultType, $one.ToolTip)
            }
        } elseif ($values -in '@columns', '@sort', '@filter') {
            Get-Fields $values $prefix $typed
        } elseif ($values.StartsWith('@')) {
            Get-NameCompletions $values.Substring(1) $prefix $typed $used
        } elseif ($values) {
            foreach ($name in $values.Replace('+', ' ').Split('|')) {
                if ($name.StartsWith($typed, 'Ordinal')) { New-Completion $prefix $name }
            }
        }
    }

    function Get-NameCompletions($kind, $prefix, $typed, $used) {
        $forced = $typed.StartsWith('label:', 'Ordinal') -and $kind -notin 'regions', 'contexts'
        if ($forced) { $typed = $typed.Substring(6) }
        $lines = Get-KeptNames $kind
        if ($kind -eq 'rules') {
            # Those of the firewall and the direction before the cursor, which are no rules themselves.
            $lines = foreach ($line in $lines) {
                if ($line.StartsWith($side, 'Ordinal')) { $line.Substring($side.Length) }
            }
            $used = @($used | Select-Object -Skip 2)
        }
        $taken = @($used) -replace '^(label|id):'
        foreach ($line in $lines) {
            $name, $note = $line.Split([char]9)
            $label = $name -replace '^label:'
            if ($taken -ccontains $label -or ($note -and $taken -ccontains $note)) { continue }
            if ($forced) {
                if ($name -match '^[0-9]+$' -or -not $label.StartsWith($typed, 'Ordinal')) { continue }
                New-Completion $prefix "label:$label" $note
            } elseif ($name.StartsWith($typed, 'Ordinal')) { New-Completion $prefix $name $note }
            elseif ($typed -match '^[1-9]' -and "$note".StartsWith($typed, 'Ordinal')) {
                New-Completion $prefix $note $name
            }
        }
    }

    # Fields: "NAME=" to filter by, and behind that what the field may hold.
    function Get-Fields($kind, $prefix, $typed) {
        if ($kind -eq '@filter' -and $typed -match '^([\w.]*)([^=]*=)(.*)$') {
            $row = Find-Row $Matches[1] $rows.Fields
            if ($row -like '*=*') { Get-Completions (Get-Values $row) "$prefix$($Matches[1])$($Matches[2])" $Matches[3] }
            return
        }
        $names = @($rows.Fields -replace '=.*$')
        if ($kind -eq '@columns') { $names += 'all' }
        if ($kind -eq '@sort' -and $typed.StartsWith('-')) { $names = $names -replace '^', '-' }
        if ($kind -eq '@filter') { $names = $names -replace '$', '=' }
        foreach ($name in $names) { if ($name.StartsWith($typed, 'Ordinal')) { New-Completion $prefix $name } }
    }

    $typed = $wordToComplete -replace '^["'']|["'']$'
    $before = $commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition }
    $path = ''
    $rows = $places['']
    $given = @()
    $used = @()
    $flag = $targets = $context = $elsewhere = $null
    $position = 0
    # The walk of README.md.
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
                    $used += $word
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
        if ($last -lt 0) { return }
        $several = $rows.Arguments[$last].EndsWith('*')
        $side = ("$($used[0])" -replace '^(label|id):') + " $($used[1]) "
        if (-not $several) { $used = @() }
        if ($position -le $last) { Get-Completions $rows.Arguments[$position] '' $typed $used }
        elseif ($several) { Get-Completions $rows.Arguments[$last] '' $typed $used }
    }
}
