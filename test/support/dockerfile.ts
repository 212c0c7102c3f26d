import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The Dockerfile, with continued lines joined. */
export const dockerfile = readFileSync(join(import.meta.dirname, "../../Dockerfile"), "utf8").replaceAll(
  "\\\n",
  " ",
);

/** The instructions that make a target, with those of the stages that it starts from; the last one by default. */
export function instructionsOf(target?: string): string {
  const stages = dockerfile.split(/^FROM /m).map((text) => {
    const [, from = "", name] = /^(?:--\S+ )?(\S+)(?: AS (\S+))?\n/.exec(text) ?? [];
    return { from, name, text };
  });
  const last = target === undefined ? stages.at(-1) : stages.find(({ name }) => name === target);
  if (last === undefined) {
    throw new Error(`the Dockerfile has no stage ${String(target)}`);
  }
  return stages.some(({ name }) => name === last.from) ? instructionsOf(last.from) + last.text : last.text;
}

/** What docker/files.sh puts into the images of fluxd: the files that it copies, or what links lead to, by their paths. */
export function placedFiles(): ReadonlyMap<string, string> {
  const script = readFileSync(join(import.meta.dirname, "../../docker/files.sh"), "utf8");
  const [ofAll = ""] = script.split("\n  console)\n");
  const placed = [...ofAll.matchAll(/^ *(?:ln -s|install .*) (\/\S+|docker\/\S+) "\$to(\/\S+)"$/gm)];
  return new Map(placed.map(([, from = "", to = ""]) => [to, from]));
}

/** The value of the last instruction of a kind, e.g. of `USER`; undefined if there is none. */
export function settingOf(instructions: string, kind: string): string | undefined {
  return [...instructions.matchAll(new RegExp(`^${kind} (.*)$`, "gm"))].at(-1)?.[1];
}
