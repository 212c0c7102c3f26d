import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { automationFlags, DemoDaemon, DemoRepository } from "@weir/demo";

/** A cluster to show: how it differs from what the repository of the demo begins with. */
export interface DemoCluster {
  readonly name: string;
  readonly description: string;
  readonly change: (repository: DemoRepository) => void;
}

/** Two that differ, so that there's something to compare. */
export const demoClusters: readonly DemoCluster[] = [
  {
    name: "production",
    description: "The shop, as customers see it",
    change: () => undefined,
  },
  {
    name: "staging",
    description: "The shop, one version ahead",
    change: (repository) => {
      repository.edit("shop/web.yaml", { from: "web:1.0.0", to: "web:1.1.0" }, "Try web 1.1.0");
      repository.remove("shop/old-banner.yaml", "Remove the summer banner");
    },
  },
];

/** Where a cluster is started, and what its daemon connects to. */
export interface DemoClusterOptions {
  /** With fluxd. */
  readonly programs: string;
  readonly folder: string;
  readonly registryHost: string;
  readonly connectTo: string;
  readonly token: string;
  /** Where the search for a free port of fluxd begins; another one may have been chosen, but isn't used yet. */
  readonly firstPort: number;
}

/** Starts a cluster in a process of its own, with a repository, and a fluxd that connects to the console. */
export async function startDemoCluster(
  { name, change }: DemoCluster,
  { programs, folder, registryHost, connectTo, token, firstPort }: DemoClusterOptions,
): Promise<DemoDaemon> {
  const own = join(folder, name);
  mkdirSync(own);
  const repository = new DemoRepository(own, registryHost);
  change(repository);
  return DemoDaemon.start({
    programs,
    gitUrl: repository.url,
    folder: own,
    firstPort,
    flags: [...automationFlags(registryHost), `--connect=${connectTo}`, `--token=${token}`],
  });
}
