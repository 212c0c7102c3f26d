import type { Lesson } from "./lesson.ts";

/** What can be run on this machine. */
export interface Programs {
  /** True if there's a program of that name. */
  has(program: string): boolean;
  /** What `fluxctl COMMAND --help` prints; undefined if fluxctl doesn't have the command. */
  help(command: string): string | undefined;
}

/** A program with its arguments, within a line for a shell. */
interface Call {
  readonly program: string;
  readonly args: readonly string[];
}

/** True if everything that the lesson types exists: the programs, and fluxctl's commands and flags. */
export function isAvailable({ lines }: Lesson, programs: Programs): boolean {
  return lines.flatMap(callsIn).every(({ program, args }) => {
    if (program !== "fluxctl") {
      return programs.has(program);
    }
    const help = programs.help(args[0] ?? "");
    return help !== undefined && args.filter((arg) => arg.startsWith("-")).every((arg) => hasFlag(help, arg));
  });
}

/** The commands of fluxctl that lessons use. */
export function commandsIn(lessons: readonly Lesson[]): readonly string[] {
  const calls = lessons.flatMap(({ lines }) => lines.flatMap(callsIn));
  const used = calls.filter(({ program }) => program === "fluxctl").map(({ args }) => args[0] ?? "");
  return [...new Set(used)];
}

/** The names in the list that `fluxctl --help` prints. */
export function commandsOf(help: string): readonly string[] {
  const list = /^Available Commands:\n((?: +\S.*\n)+)/m.exec(help)?.[1] ?? "";
  return list
    .trim()
    .split("\n")
    .map((line) => line.trim().split(" ")[0] ?? "");
}

function callsIn(line: string): readonly Call[] {
  return line.split(/ && | \| |; /).map((call) => {
    const [program = "", ...args] = call.trim().split(/\s+/);
    return { program, args };
  });
}

/** Flags are listed as "  -n, --namespace string", or without the short one. */
function hasFlag(help: string, arg: string): boolean {
  const flag = arg.split("=")[0] ?? "";
  const listed = help.matchAll(/^ +(-[^\s,]+)(?:, (--\S+))?/gm);
  return [...listed].some(([, ...names]) => names.includes(flag));
}
