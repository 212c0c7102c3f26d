import { quoteGo } from "../../base/go-quote.ts";
import { joinDocuments } from "../documents.ts";
import { type ParsedFile, parseManifests } from "../parse.ts";
import { decodeSource } from "../yaml/source-text.ts";
import { CommandError } from "./command-error.ts";
import type { ConfigPlace } from "./find-config.ts";
import { runInShell, type ShellSettings } from "./shell.ts";

/**
 * Runs the generators of a .flux.yaml one after the other and reads what they print. Rejects with a CommandError
 * for the first that fails; what then was printed is no manifest of anybody.
 */
export async function generateManifests(
  place: ConfigPlace,
  settings: Omit<ShellSettings, "workingDir">,
  signal: AbortSignal,
): Promise<ParsedFile> {
  const { config, workingDir, file, source } = place;
  const outputs: string[] = [];
  for (const generator of config.generators) {
    const { failure, stdout, stderr } = await runInShell(generator, { ...settings, workingDir }, signal);
    outputs.push(stdout.toString("latin1"));
    if (failure !== undefined) {
      const message = `error executing generator command ${quoteGo(generator.command)} from file ${quoteGo(file)}: ${failure}\nerror output:\n${stderr}\ngenerated output:\n${stderr}`;
      throw new CommandError(message, source, parse(outputs, source));
    }
  }
  return parse(outputs, source);
}

/** Bytes as characters, so that none is lost before it is looked whether they are UTF-8. */
function parse(outputs: readonly string[], source: string): ParsedFile {
  return parseManifests(decodeSource(Buffer.from(joinDocuments(outputs), "latin1")), source);
}
