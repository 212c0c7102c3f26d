import { quoteGo } from "@weir/base";
import { type Command, UsageError } from "../command.ts";

/**
 * The completion scripts. Shells call `fluxctl __complete` (completion/complete.ts), with the fluxctl that is being
 * typed, or else the one on PATH. It prints candidates and, in the last line, a directive: 2 means no space after them, 4 means no file names instead of them. In
 * the scripts, "@{" stands for the start of a JavaScript expression, and "@t" for the end of the template.
 */
const scripts: ReadonlyMap<string, string> = new Map([
  [
    "bash",
    // Words are split only at spaces, not where readline splits them, e.g. at the colon of a resource ID. But
    // readline replaces only what follows its last split, so the part before it is removed from each
    // candidate.
    String.raw`# bash completion for fluxctl
_fluxctl() {
  local IFS=$' \t\n' line program answer directive candidate kept value at
  local -a words
  line=@{COMP_LINE:0:COMP_POINT}
  read -r -a words <<<"$line"
  case $line in *[[:space:]]) words+=("") ;; esac
  value=@{words[@{#words[@]}-1]}
  program=@{words[0]/#"~/"/"$HOME/"}
  type -P -- "$program" >/dev/null || program=fluxctl
  answer=$("$program" __complete "@{words[@]:1}" 2>/dev/null) || return 0
  directive=@{answer##*:}
  case $value in --*=*) value=@{value#*=} ;; esac
  kept=""
  for at in ":" "="; do
    case $COMP_WORDBREAKS in *"$at"*)
      case $value in *"$at"*)
        candidate=@{value%"@{value##*"$at"}"}
        [ "@{#candidate}" -gt "@{#kept}" ] && kept=$candidate ;;
      esac ;;
    esac
  done
  COMPREPLY=()
  while IFS= read -r candidate; do
    candidate=@{candidate%%$'\t'*}
    case $candidate in
      "" | :*) ;;
      *) COMPREPLY+=("@{candidate#"$kept"}") ;;
    esac
  done <<<"$answer"
  if type compopt >/dev/null 2>&1; then
    [ "$((directive & 2))" -ne 0 ] && compopt -o nospace
    [ "@{#COMPREPLY[@]}" -eq 0 ] && [ "$((directive & 4))" -eq 0 ] && compopt -o default
  fi
  return 0
}
complete -F _fluxctl fluxctl
`.replaceAll("@{", "${"),
  ],
  [
    "fish",
    String.raw`# fish completion for fluxctl
function __fluxctl_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l program (string replace -r -- '^~/' "$HOME/" $words[1])
  type -fq -- $program; or set program fluxctl
  set -l answer (command $program __complete $words[2..] "$current" 2>/dev/null)
  or return
  set -l directive (string sub -s 2 -- $answer[-1])
  set -e answer[-1]
  set -l flag (string match -r -- '^--[^=]+=' "$current")
  for candidate in $answer
    echo "$flag$candidate"
  end
  if test (count $answer) -eq 0; and test (math "floor($directive / 4) % 2") -eq 0
    __fish_complete_path (string replace -r -- '^--[^=]+=' '' "$current")
  end
end
complete -c fluxctl -f -k -a '(__fluxctl_complete)'
`,
  ],
  [
    "powershell",
    // Older versions of PowerShell drop an empty argument unless it's quoted twice.
    String.raw`# PowerShell completion for fluxctl
Register-ArgumentCompleter -Native -CommandName fluxctl -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') {
    $legacy = $PSVersionTable.PSVersion -lt [version]'7.3.0' -or $PSNativeCommandArgumentPassing -eq 'Legacy'
    $words += if ($legacy) { '""' } else { '' }
  }
  $program = $commandAst.CommandElements[0].ToString()
  if (-not (Get-Command $program -CommandType Application -ErrorAction Ignore)) { $program = 'fluxctl' }
  $answer = @(& $program __complete @words 2>$null)
  if ($answer.Count -lt 2) { return }
  $space = if ([int]$answer[-1].Substring(1) -band 2) { '' } else { ' ' }
  $flag = if ($wordToComplete -match '^--[^=]+=') { $Matches[0] } else { '' }
  $answer[0..($answer.Count - 2)] | ForEach-Object {
    $name, $what = $_ -split "@t", 2
    if (-not $what) { $what = $name }
    [System.Management.Automation.CompletionResult]::new("$flag$name$space", $name, 'ParameterValue', $what)
  }
}
`.replaceAll("@t", "`t"),
  ],
  [
    "zsh",
    String.raw`#compdef fluxctl
# zsh completion for fluxctl
_fluxctl() {
  local -a answer candidates suffix
  local candidate directive program=@{words[1]/#\~\//$HOME/}
  [[ -x $program || -n @{commands[$program]} ]] || program=fluxctl
  answer=("@{(@f)$("$program" __complete "@{(@)words[2,CURRENT]}" 2>/dev/null)}")
  directive=@{answer[-1]#:}
  [[ $directive == <-> ]] || return 1
  for candidate in "@{(@)answer[1,-2]}"; do
    case $candidate in
      *$'\t'*) candidates+=("@{@{candidate%%$'\t'*}//:/\\:}:@{candidate#*$'\t'}") ;;
      *) candidates+=("@{candidate//:/\\:}") ;;
    esac
  done
  [[ @{words[CURRENT]} == --*=* ]] && compset -P '--[^=]#='
  (( directive & 2 )) && suffix=(-S '')
  if (( $#candidates )); then
    _describe fluxctl candidates "@{(@)suffix}"
  elif (( ! (directive & 4) )); then
    _files
  fi
}
compdef _fluxctl fluxctl
`.replaceAll("@{", "${"),
  ],
]);

/** The shells that are supported. */
export const shells: readonly string[] = [...scripts.keys()];

/**
 * `fluxctl completion`: prints a script that completes fluxctl's commands, flags, and names in the cluster.
 */
export function completionCommand(): Command {
  return {
    use: "completion SHELL",
    hidesFlagsInUse: true,
    flags: [],
    run(args, { out }) {
      out(scriptFor(args));
      return Promise.resolve();
    },
  };
}

function scriptFor([shell, ...others]: readonly string[]): string {
  if (shell === undefined) {
    throw new UsageError("please specify a shell");
  }
  if (others.length > 0) {
    throw new UsageError(`please specify one of the following shells: ${shells.join(" ")}`);
  }
  const script = scripts.get(shell);
  if (script === undefined) {
    throw new UsageError(`unsupported shell type ${quoteGo(shell)}`);
  }
  return script;
}
