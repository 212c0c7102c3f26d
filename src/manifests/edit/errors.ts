/** The file doesn't contain the manifest (or, for an image, the container) to edit. */
export class ManifestNotFoundError extends Error {
  override readonly name = "ManifestNotFoundError";

  constructor() {
    super("manifest not found");
  }
}

/** Paths that don't exist in the manifest, or that lead to a mapping; nothing is changed. */
export class UnresolvedPathsError extends Error {
  override readonly name = "UnresolvedPathsError";
  readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    super(`unable to resolve path(s):\n${paths.join("\n")}`);
    this.paths = paths;
  }
}
