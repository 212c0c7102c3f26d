import { version } from "@weir/base";
import { ownImage } from "../../own-image/own-image.ts";

/** The commands that the image has for generators and updaters, as docker/tools.json lists them. */
export const toolsOfImage: readonly string[] = [
  "bash",
  "envsubst",
  "gawk",
  "git",
  "git-secret",
  "gpg",
  "helm",
  "kubectl",
  "kustomize",
  "socat",
  "sops",
  "ssh",
  "ssh-keygen",
  "ssh-keyscan",
  "tini",
  "unzip",
  "wget",
];

/** What a shell's exit code is if it didn't find a command. */
const notFound = 127;

/**
 * What to do if a command failed because a program isn't installed; undefined if it failed for another reason. Names
 * only programs of the image: what else the shell couldn't find might be a secret that was taken for a command.
 */
export function missingToolAdvice(exitCode: number, stderr: string): string | undefined {
  if (exitCode !== notFound) {
    return undefined;
  }
  const missing = [...stderr.matchAll(/(?:^|[\s:])([\w-]+): (?:command )?not found$/gm)].map(
    ([, name]) => name,
  );
  const tool = toolsOfImage.find((name) => missing.includes(name));
  return tool === undefined
    ? "a command isn't installed; add it to the image that fluxd runs in"
    : `${tool} isn't installed; run fluxd in the image ${ownImage(version)}, which has it, or install ${tool}`;
}
