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
