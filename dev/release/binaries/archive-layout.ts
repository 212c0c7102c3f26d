import type { ProgramFiles, Shell } from "./files-of-program.ts";
import type { Content } from "./write-files.ts";

const completionFiles: Readonly<Record<Shell, string>> = {
  bash: "fluxctl.bash",
  zsh: "_fluxctl",
  fish: "fluxctl.fish",
};

/** What is in the archive of a program, by path; `name` is that of the executable, e.g. "fluxctl.exe". */
export function archiveLayout(
  name: string,
  executable: string,
  { manPages, completions, legal }: ProgramFiles,
): ReadonlyMap<string, Content> {
  return new Map<string, Content>([
    [name, { linkTo: executable }],
    ...[...manPages].map(([page, text]) => [`man/${page}`, text] as const),
    ...[...completions].map(([shell, text]) => [`completions/${completionFiles[shell]}`, text] as const),
    ...legal,
  ]);
}
