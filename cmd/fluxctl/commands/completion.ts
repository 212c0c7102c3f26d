import { quoteGo } from "../../../src/base/go-quote.ts";
import { type Command, UsageError } from "../command.ts";

/** What a line of each script asks is answered by `fluxctl __complete` (complete.ts). */
const scripts: ReadonlyMap<string, string> = new Map([
  [
    "bash",
    String.raw`# bash completion for fluxctl
_fluxctl() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("${"$"}{line%%$'\t'*}")
  done < <(fluxctl __complete "${"$"}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _fluxctl fluxctl
`,
  ],
  [
    "fish",
    String.raw`# fish completion for fluxctl
function __fluxctl_complete
  set -l words (commandline -opc) (commandline -ct)
  fluxctl __complete $words[2..-1] 2>/dev/null
end
complete -c fluxctl -f -a '(__fluxctl_complete)'
`,
  ],
  [
    "zsh",
    String.raw`#compdef fluxctl
# zsh completion for fluxctl
_fluxctl() {
  local -a candidates
  local line
  while IFS= read -r line; do
    candidates+=("${"$"}{line%%$'\t'*}:${"$"}{line#*$'\t'}")
  done < <(fluxctl __complete "${"$"}{(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#candidates )); then _describe fluxctl candidates; else _files; fi
}
compdef _fluxctl fluxctl
`,
  ],
]);

/** The shells for which there is a script. */
export const shells: readonly string[] = [...scripts.keys()];

/** `fluxctl completion`: a script that teaches a shell fluxctl's commands and flags. */
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
