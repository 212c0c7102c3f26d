/** What every step of a release is given. */
export interface ReleaseContext {
  /** The sources: a clone of the commit, in which everything has the version, and `dist` is built. */
  readonly root: string;
  /** Without a "v", e.g. "0.2.0". */
  readonly version: string;
  /** The full name of the commit that is released. */
  readonly commit: string;
  /** When it was committed, in seconds since the epoch: the only time that may appear in what is made. */
  readonly sourceDate: number;
  /** Where steps put what is published. Each step has folders or file names of its own in it. */
  readonly out: string;
  /** For what isn't published. It's removed in the end. */
  readonly work: string;
  /** The file with the private key to sign with, for cosign; undefined if the release isn't signed. */
  readonly key?: string | undefined;
  /** Tells the person who waits what is done now, a line each time. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * A part of a release. The same context on the same machine gives the same bytes. Resolves to the paths of what it
 * made, in `out`.
 */
export type ReleaseStep = (context: ReleaseContext) => Promise<readonly string[]>;
