import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

/** The Dockerfile, with continued lines joined. */
export const dockerfile = readFileSync(join(import.meta.dirname, "../../Dockerfile"), "utf8").replaceAll(
  "\\\n",
  " ",
);

/** The instructions that make a target, with those of the stages that it starts from; the last one by default. */
export function instructionsOf(target?: string): string {
  const stages = dockerfile.split(/^FROM /m).map((text) => {
    const [, from = "", name] = /^(\S+)(?: AS (\S+))?\n/.exec(text) ?? [];
    return { from, name, text };
  });
  const last = target === undefined ? stages.at(-1) : stages.find(({ name }) => name === target);
  if (last === undefined) {
    throw new Error(`the Dockerfile has no stage ${String(target)}`);
  }
  return stages.some(({ name }) => name === last.from) ? instructionsOf(last.from) + last.text : last.text;
}

/** The packages that a target installs. */
export function packagesOf(instructions: string): readonly string[] {
  return [...instructions.matchAll(/apt-get install (.*?) &&/g)]
    .flatMap(([, words = ""]) => words.split(/\s+/))
    .filter((word) => word !== "" && !word.startsWith("--"));
}

/** The links that a target makes: what they lead to, by their paths. */
export function linksOf(instructions: string): ReadonlyMap<string, string> {
  const commands = [...instructions.matchAll(/ln -s ((?:\S+ )+)(\/\S+)/g)];
  return new Map(
    commands.flatMap(([, targets = "", to = ""]) =>
      targets
        .trim()
        .split(" ")
        .map((target) => [to.endsWith("/") ? join(to, basename(target)) : to, target] as const),
    ),
  );
}

/** Where a target copies files of ours to: their sources, by path. */
export function copiesOf(instructions: string): ReadonlyMap<string, string> {
  return new Map(
    [...instructions.matchAll(/^COPY (?:--\S+ )*(\S+) (\S+)$/gm)].map(([, from = "", to = ""]) => [to, from]),
  );
}

/** The value of the last instruction of a kind, e.g. of `USER`; undefined if there is none. */
export function settingOf(instructions: string, kind: string): string | undefined {
  return [...instructions.matchAll(new RegExp(`^${kind} (.*)$`, "gm"))].at(-1)?.[1];
}
