import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ranges } from "./manifest.ts";

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Ranges;
  readonly devDependencies?: Ranges;
}

/** What the libraries consist of, and need. */
export interface Workspaces {
  /** The sources of entry points, e.g. "packages/base/src/node/index.ts" of "@weir/base/node". */
  readonly doors: ReadonlyMap<string, string>;
  /** The versions of packages of others that work. */
  readonly ranges: Ranges;
  /**
   * Those that whoever uses a library brings, if at all. In the repository, they're dependencies for development: as
   * optional peers, they would be installed for production, too.
   */
  readonly peers: Ranges;
}

/** Reads the package.json of the repository, and of its packages that are in libraries. */
export function readWorkspaces(root: string): Workspaces {
  const read = (folder: string): Manifest =>
    JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
  const main = read(".");
  const types = Object.entries(main.devDependencies ?? {}).filter(([name]) => name.startsWith("@types/"));
  const packages = ["base", "kube", "engine", "embedded-cluster", "flux"].map(
    (name) => [`packages/${name}`, read(`packages/${name}`)] as const,
  );
  const doors = packages.flatMap(([folder, { name, exports = {} }]) =>
    Object.entries(exports).map(
      ([door, source]) => [door.replace(/^\./, name), `${folder}/${source.replace("./", "")}`] as const,
    ),
  );
  const ranges = Object.assign(
    Object.fromEntries(types),
    main.dependencies,
    ...packages.map(([, { dependencies }]) => dependencies),
  ) as Ranges;
  const peers = Object.assign({}, ...packages.map(([, { devDependencies }]) => devDependencies)) as Ranges;
  return { doors: new Map(doors), ranges, peers };
}
