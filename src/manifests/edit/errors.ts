/**
 * Why a file cannot be edited: malformed YAML, or a manifest of a shape that the edit does not fit. `line`
 * counts from 1 where the place is known.
 */
export class EditError extends Error {
  override readonly name = "EditError";
  readonly reason: string;
  readonly line: number | undefined;

  constructor(reason: string, line?: number, options?: ErrorOptions) {
    super(line === undefined ? reason : `line ${line}: ${reason}`, options);
    this.reason = reason;
    this.line = line;
  }
}

/** The file holds no manifest (or, for an image, no container) that the edit names. */
export class ManifestNotFoundError extends Error {
  override readonly name = "ManifestNotFoundError";

  constructor() {
    super("manifest not found");
  }
}

/** Paths that lead nowhere in the manifest, or to a mapping; nothing is changed. */
export class UnresolvedPathsError extends Error {
  override readonly name = "UnresolvedPathsError";
  readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    super(`unable to resolve path(s):\n${paths.join("\n")}`);
    this.paths = paths;
  }
}
