/** An entry of layers.json: a folder of product code, the folders of ours that it may import, and its purpose. */
export interface Layer {
  /** The name of its group; absent for the demos and the examples. */
  readonly group?: string;
  /** A folder imports only from layers with the same number or a lower one. */
  readonly layer: number;
  readonly folder: string;
  readonly imports: readonly string[];
  /** A phrase. */
  readonly purpose: string;
}

/** A group of folders, as docs/architecture.md shows them to a reader. */
export interface Group {
  /** As in the `group` of an entry in layers.json. */
  readonly name: string;
  readonly purpose: string;
}

/** All groups, the lowest first: a group imports only lower ones. The demos and the examples belong to none. */
export const groups: readonly Group[] = [
  { name: "base", purpose: "time, waiting, JSON, text, logs, and limits, which everything uses" },
  {
    name: "formats and protocols",
    purpose:
      "YAML, OpenPGP, sops, git-secret, HTTP, the clouds' credentials, and command lines, each without a word of Flux",
  },
  {
    name: "Kubernetes",
    purpose:
      "objects and the API's client, the engine that keeps clusters in sync, and an API server inside the process",
  },
  {
    name: "Flux's words",
    purpose:
      "what fluxd, fluxctl, and the hub say to each other: images, workloads, updates, events, errors, the API, and both ends of the websocket",
  },
  { name: "fluxd", purpose: "the daemon: git, manifests, registries, the loop, and its API" },
  {
    name: "fluxctl and switching",
    purpose: "the command line, and the ways in from Flux v1 and out to Flux v2",
  },
  {
    name: "the hub",
    purpose: "`weir-console`: what many clusters share, in a database, with a web page",
  },
];
