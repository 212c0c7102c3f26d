import type { ParsedFile } from "../parse.ts";

/**
 * A command in a .flux.yaml failed. The message contains the command's output, which may include the values of a
 * Secret, so it must not be shown as it is.
 */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** The .flux.yaml, as named in the source of its manifests. */
  readonly source: string;
  /** The output of earlier commands; undefined for updaters. */
  readonly generated: ParsedFile | undefined;

  constructor(message: string, source: string, generated?: ParsedFile) {
    super(message);
    this.source = source;
    this.generated = generated;
  }
}
