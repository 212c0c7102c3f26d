import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DemoDaemon } from "./daemon.ts";
import { DemoRegistry } from "./registry.ts";
import { until } from "./until.ts";
import { DemoRepository } from "./upstream.ts";
import { ClusterWatcher } from "./watcher.ts";

/** The initial images in the registry, oldest first. */
const images = [
  "web:1.0.0",
  "web:1.1.0",
  "cart:3.1.0",
  "cart:3.2.0",
  "cart-migrate:3.1.0",
  "report:0.4.2",
  "collector:2.6.0",
  "collector:2.7.1",
];

/** fluxd and its cluster, once they run. */
export interface Running {
  readonly daemon: DemoDaemon;
  readonly cluster: ClusterWatcher;
}

/** All that the demo consists of; nothing of it is left when it's disposed. */
export class Stage implements AsyncDisposable {
  readonly folder: string;
  readonly registry: DemoRegistry;
  readonly repository: DemoRepository;
  readonly #programs: string;
  #daemon: DemoDaemon | undefined;
  #cluster: ClusterWatcher | undefined;

  private constructor(programs: string, folder: string, registry: DemoRegistry) {
    this.#programs = programs;
    this.folder = folder;
    this.registry = registry;
    this.repository = new DemoRepository(folder, registry.host);
  }

  /** With a registry and a repository. fluxd and fluxctl are in the folder `programs`. */
  static async open(programs: string): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), "weir-demo-"));
    let registry: DemoRegistry | undefined;
    try {
      registry = await DemoRegistry.start(join(folder, "registry"), images);
      return new Stage(programs, folder, registry);
    } catch (error) {
      registry?.stop();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Starts fluxd with a cluster inside it. */
  async run(signal: AbortSignal): Promise<Running> {
    signal.throwIfAborted();
    const { registry, repository, folder } = this;
    const daemon = await DemoDaemon.start({
      programs: this.#programs,
      gitUrl: repository.url,
      folder,
      flags: automationFlags(registry.host),
    });
    this.#daemon = daemon;
    await until("the cluster", () => Promise.resolve(daemon.hasCluster()), signal);
    const cluster = await ClusterWatcher.connect(daemon.kubeconfig);
    this.#cluster = cluster;
    return { daemon, cluster };
  }

  /** Stops everything and removes the folder; resolves to the exit code of fluxd, if it ran. */
  async close(): Promise<number | null | undefined> {
    await this.#cluster?.close();
    this.#cluster = undefined;
    const code = await this.#daemon?.stop();
    this.registry.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * Scans only the demo's own registry, so that nothing leaves this machine; edits change a single line, so
 * that the change is easy to see.
 */
export function automationFlags(host: string): readonly string[] {
  return [
    `--registry-insecure-host=${host}`,
    `--registry-include-image=${host}/*`,
    "--memcached-hostname=",
    "--write-back-style=minimal",
  ];
}
