import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { commandsIn, commandsOf, isAvailable, type Programs } from "./available.ts";
import type { Lesson } from "./lesson.ts";

/** The lessons whose programs, commands, and flags exist here. */
export async function availableLessons(
  lessons: readonly Lesson[],
  fluxctl: string,
  signal: AbortSignal,
): Promise<readonly Lesson[]> {
  const ask = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(fluxctl, args, { signal })).stdout;
  const has = commandsOf(await ask("--help"));
  const helps = new Map<string, string>();
  for (const command of commandsIn(lessons).filter((each) => has.includes(each))) {
    helps.set(command, await ask(command, "--help"));
  }
  const programs: Programs = { has: isOnPath, help: (command) => helps.get(command) };
  return lessons.filter((lesson) => isAvailable(lesson, programs));
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
