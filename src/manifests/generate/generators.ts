import { generatorLimits, quoteGo } from "@weir/base";
import { decodeSource, finish, type Steps } from "@weir/yaml/go-yaml";
import { joinDocuments } from "../documents.ts";
import { ManifestSum } from "../manifest-sum.ts";
import { type ParsedFile, parseInSteps } from "../parse.ts";
import { Turns } from "../turns.ts";
import { CommandError } from "./command-error.ts";
import type { ShellCommand } from "./config-file.ts";
import type { ConfigPlace } from "./find-config.ts";
import { runInShell, type ShellResult, type ShellSettings } from "./shell.ts";

/**
 * Runs the generators of a .flux.yaml one after the other and reads what they print. Rejects with a CommandError
 * for the first that fails; what then was printed is no manifest of anybody.
 */
export async function generateManifests(
  place: ConfigPlace,
  settings: Omit<ShellSettings, "workingDir" | "mostOutput">,
  signal: AbortSignal,
): Promise<ParsedFile> {
  const { config, workingDir, source } = place;
  const outputs: Buffer[] = [];
  let room: number = generatorLimits.output;
  for (const generator of config.generators) {
    const result = await runInShell(generator, { ...settings, workingDir, mostOutput: room }, signal);
    outputs.push(result.stdout);
    room -= result.stdout.length;
    if (result.failure !== undefined) {
      throw commandError(generator, result, outputs, place);
    }
  }
  return await new Turns().run(parse(outputs, source), signal);
}

/** As Flux v1, which gives the errors twice. */
function commandError(
  { command }: ShellCommand,
  { failure, stderr }: ShellResult,
  outputs: readonly Buffer[],
  { file, source }: ConfigPlace,
): CommandError {
  const isShort = outputs.reduce((sum, { length }) => sum + length, 0) <= generatorLimits.searchedForSecrets;
  const said = isShort
    ? stderr
    : "(not shown: it printed too much to be sure that this tells nothing of a Secret)";
  const message = `error executing generator command ${quoteGo(command)} from file ${quoteGo(file)}: ${failure}\nerror output:\n${said}\ngenerated output:\n${said}`;
  return new CommandError(message, source, isShort ? finish(parse(outputs, source)) : undefined);
}

/** Bytes as characters, so that none is lost before it is looked whether they are UTF-8. */
function parse(outputs: readonly Buffer[], source: string): Steps<ParsedFile> {
  const text = joinDocuments(outputs.map((output) => output.toString("latin1")));
  return parseInSteps(decodeSource(Buffer.from(text, "latin1")), source, new ManifestSum());
}
