/** A library to publish: a part of the repository, as a package that needs no other package of ours. */
export interface Library {
  readonly name: string;
  readonly description: string;
  /** The entry points of the package, as in `exports`, with the sources behind them. */
  readonly doors: Readonly<Record<string, string>>;
  /** Sources that no import leads to, because they run in threads of their own. */
  readonly threads: readonly string[];
  readonly readme: string;
  /** Folders to copy as they are, from the path in the repository to the one in the package. */
  readonly data: Readonly<Record<string, string>>;
}

const engine = "packages/engine";
const cluster = "packages/embedded-cluster";

/** All libraries. */
export const libraries: readonly Library[] = [
  {
    name: "@weir/engine",
    description: "A watch-based GitOps engine: cache, diff, plan, apply, prune, and health",
    doors: {
      ".": `${engine}/src/index.ts`,
      "./client-node": `${engine}/src/connect/client-node.ts`,
      "./diff": `${engine}/src/diff/index.ts`,
      "./lua": `${engine}/src/lua/index.ts`,
      "./plan": `${engine}/src/plan/index.ts`,
    },
    threads: [`${engine}/src/ignore/jq-worker.ts`],
    readme: `${engine}/README.md`,
    // Where lib/engine/lua looks for them.
    data: { [`${engine}/health-scripts`]: "lib/health-scripts", "examples/agent": "example" },
  },
  {
    name: "@weir/embedded-cluster",
    description:
      "A Kubernetes API server with controllers inside the process, for tests of programs that talk to one",
    doors: { ".": `${cluster}/src/index.ts`, "./client-node": `${cluster}/src/client-node.ts` },
    threads: [],
    readme: `${cluster}/README.md`,
    data: Object.fromEntries(
      ["api-data", "api-text"].map((name) => [
        `${cluster}/src/schema/${name}.json.br`,
        `lib/embedded-cluster/schema/${name}.json.br`,
      ]),
    ),
  },
  {
    name: "@weir/upstream-server",
    description:
      "The console's end of the connection that fluxd makes with --connect: calls daemons, and gets their events",
    doors: { ".": "packages/upstream-server/src/index.ts" },
    threads: [],
    readme: "packages/upstream-server/README.md",
    data: { "examples/console": "example" },
  },
];
