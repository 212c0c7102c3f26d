/** SHA-256 in hex by path. */
export type Digests = ReadonlyMap<string, string>;

/** What a release was made of, and what came of it. */
export interface Provenance {
  readonly version: string;
  /** The full name of the commit. */
  readonly commit: string;
  /** Files of the commit that pin what was fetched from elsewhere, such as package-lock.json. */
  readonly materials: Digests;
  readonly made: Digests;
  /** The version of Node.js that ran the build. */
  readonly node: string;
}

/** The in-toto statement about a release, with a predicate of SLSA's provenance, version 1. */
export function provenanceStatement({ version, commit, materials, made, node }: Provenance): object {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: describe(made),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "https://weir.dev/release/v1",
        externalParameters: { command: "npm run release", version },
        internalParameters: {},
        resolvedDependencies: [{ name: "source", digest: { gitCommit: commit } }, ...describe(materials)],
      },
      runDetails: { builder: { id: "https://weir.dev/release", version: { node } } },
    },
  };
}

function describe(digests: Digests): readonly object[] {
  return [...digests]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sha256]) => ({ name, digest: { sha256 } }));
}
