import type { ParsedFile } from "../parse.ts";

/**
 * A command of a .flux.yaml failed. The message holds what the command said, and may tell what a Secret holds:
 * it is not to be shown as it is.
 */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** The .flux.yaml, as the manifests that it generates have it. */
  readonly source: string;
  /** What the commands had generated until then; undefined for updaters. */
  readonly generated: ParsedFile | undefined;

  constructor(message: string, source: string, generated?: ParsedFile) {
    super(message);
    this.source = source;
    this.generated = generated;
  }
}
