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
 * Runs the generators of a .flux.yaml one after another and parses their output. Rejects with a CommandError for the
 * first one that fails; its output doesn't count.
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

/** Same as in Flux v1, which prints the errors twice. */
function commandError(
  { command }: ShellCommand,
  { failure, stderr }: ShellResult,
  outputs: readonly Buffer[],
  { file, source }: ConfigPlace,
): CommandError {
  const isShort = outputs.reduce((sum, { length }) => sum + length, 0) <= generatorLimits.searchedForSecrets;
  const said = isShort ? stderr : "(not shown: the output is too long to check for the values of Secrets)";
  const message = `error executing generator command ${quoteGo(command)} from file ${quoteGo(file)}: ${failure}\nerror output:\n${said}\ngenerated output:\n${said}`;
  return new CommandError(message, source, isShort ? finish(parse(outputs, source)) : undefined);
}

/** Converts each byte to one character, so that none is lost before the check for valid UTF-8. */
function parse(outputs: readonly Buffer[], source: string): Steps<ParsedFile> {
  const text = joinDocuments(outputs.map((output) => output.toString("latin1")));
  return parseInSteps(decodeSource(Buffer.from(text, "latin1")), source, new ManifestSum());
}
