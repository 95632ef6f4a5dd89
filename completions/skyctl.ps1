# PowerShell completion for skyctl:
#   skyctl completion powershell | Out-String | Invoke-Expression
#
# For Windows PowerShell 5.1 and PowerShell 7. "skyctl __complete" prints what may follow: ":KIND PREFIX", then a word on
# each line, and a description after a tab.

Register-ArgumentCompleter -Native -CommandName skyctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $skyctl = Get-Command skyctl -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
    if (-not $skyctl) { return }
    $before = $commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
            if ($_ -is [Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
        }
    # Without the quotes of the word, or of a value after "=".
    $typed = $wordToComplete -replace '^(--[^=]+=)?["'']', '$1' -replace '["'']$'

    # On Windows, skyctl is a .cmd file, which would evaluate words: they are passed as base64url.
    $bytes = [Text.Encoding]::UTF8.GetBytes((@($before) + $typed) -join "`n")
    $words = [Convert]::ToBase64String($bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_')
    $start = [Diagnostics.ProcessStartInfo]::new($skyctl.Source, "__complete powershell $words")
    $start.UseShellExecute = $false
    $start.CreateNoWindow = $true
    $start.RedirectStandardInput = $true
    $start.RedirectStandardOutput = $true
    $start.RedirectStandardError = $true
    $start.StandardOutputEncoding = [Text.Encoding]::UTF8
    $child = [Diagnostics.Process]::Start($start)
    $child.StandardInput.Close()
    $child.BeginErrorReadLine()
    $answer, $lines = $child.StandardOutput.ReadToEnd().TrimEnd("`n").Split("`n")
    if ($answer -notmatch '^:(words|parts|files) (.*)$') { return }
    $kind, $prefix = $Matches[1], $Matches[2]

    if ($kind -eq 'files') {
        foreach ($one in [Management.Automation.CompletionCompleters]::CompleteFilename($typed.Substring($prefix.Length))) {
            [Management.Automation.CompletionResult]::new(
                "$prefix$($one.CompletionText)", $one.ListItemText, $one.ResultType, $one.ToolTip)
        }
        return
    }
    foreach ($line in $lines) {
        $word, $note = $line.Split([char]9)
        $text = $word
        if ($text -notmatch '^[\w./:+-][\w./:=+@%-]*$') {
            $text = "'" + [Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($text) + "'"
        }
        if (-not $note) { $note = $word }
        [Management.Automation.CompletionResult]::new($text, $word.Substring($prefix.Length), 'ParameterValue', $note)
    }
}
