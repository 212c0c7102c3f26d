import { type Finding, warning } from "@weir/base";
import { splitPaths } from "../../manifests/generate/find-config.ts";
import { ownImageRepository } from "../../own-image/own-image.ts";
import { ownTools } from "../../own-image/own-tools.ts";

/** The names of the programs that the .flux.yaml files of a checkout run, as far as their commands show them. */
export async function generatorPrograms(root: string, paths: readonly string[]): Promise<readonly string[]> {
  const { configured } = await splitPaths(root, paths);
  const commands = configured.flatMap(({ config }) => [
    ...config.generators,
    ...(config.kind === "command"
      ? config.updaters.flatMap(({ containerImage, policy }) => [containerImage ?? [], policy ?? []].flat())
      : []),
  ]);
  return [...new Set(commands.flatMap(({ command }) => programsIn(command)))].toSorted();
}

/** Is there a program that the new image may not have? Only Weir's own image is known. */
export function programsFindings(programs: readonly string[], newImage: string): readonly Finding[] {
  const isOwn = newImage.startsWith(`${ownImageRepository}:`);
  const unknown = programs.filter((program) => !(isOwn && ownTools.has(program)));
  return unknown.length === 0
    ? []
    : [
        warning(
          "generators",
          `the .flux.yaml files run ${unknown.join(", ")}`,
          `make sure that the image has them: docker run --rm --entrypoint sh ${newImage} -c 'command -v ${unknown.join(" ")}'`,
        ),
      ];
}

/** Words of the shell that come before a command. */
const before = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "{", "time", "exec"]);

/** Commands of the shell itself, and programs that every image has. */
const usual = new Set(
  "for in case esac fi done } [ [[ cd echo printf export set true false test exit cat sed cp mv rm mkdir find xargs grep sort tr cut head tail ls touch sh".split(
    " ",
  ),
);

/** The first word of each simple command, without the usual ones. It's a guess: nothing parses the shell's syntax. */
export function programsIn(command: string): readonly string[] {
  return command
    .split(/\n|&&|\|\|?|;|\$\(|`/)
    .map((part) => firstWord(part).replaceAll(/^[("']+|[)"']+$/g, ""))
    .filter((word) => /^[\w.][\w./+-]*$/.test(word) && !usual.has(word));
}

function firstWord(command: string): string {
  const words = command.trim().split(/\s+/);
  return words.find((word) => !before.has(word) && !/^\w+=/.test(word)) ?? "";
}
