import { join } from "node:path";
import { DemoRegistry } from "@weir/demo";
import { dialOf, KubeEyes, TempFolder, until } from "@weir/testing";
import { Fluxd } from "../../../test/support/fluxd.ts";
import { TestRepository } from "../../../test/support/repository.ts";

/** What a cluster begins with. */
export interface PageClusterOptions {
  /** Each "repository:tag", oldest first. */
  readonly images: readonly string[];
  /** The manifests in git, of images in a registry at this host. */
  readonly files: (host: string) => Readonly<Record<string, string>>;
}

/** A cluster with pods, its git repository, a registry, and the built fluxd as soon as it's told where to connect. */
export class PageCluster implements AsyncDisposable {
  readonly registry: DemoRegistry;
  readonly repository: TestRepository;
  readonly #folder: TempFolder;
  readonly #stack: AsyncDisposableStack;
  /** Names of repositories in the registry. */
  readonly #images: ReadonlySet<string>;
  #kube: KubeEyes | undefined;

  private constructor(
    { registry, repository }: Pick<PageCluster, "registry" | "repository">,
    folder: TempFolder,
    images: readonly string[],
    stack: AsyncDisposableStack,
  ) {
    this.registry = registry;
    this.repository = repository;
    this.#folder = folder;
    this.#images = new Set(images.map((each) => each.split(":", 1)[0] ?? ""));
    this.#stack = stack;
  }

  static async start({ images, files }: PageClusterOptions): Promise<PageCluster> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(new TempFolder());
    const registry = await DemoRegistry.start(join(folder.path, "registry"), images);
    stack.defer(() => registry.stop());
    const repository = stack.use(await TestRepository.create(files(registry.host)));
    return new PageCluster({ registry, repository }, folder, images, stack.move());
  }

  /** Reads the cluster, and changes it without Weir's code. */
  get kube(): KubeEyes {
    if (this.#kube === undefined) {
      throw new Error("fluxd isn't started, with the cluster in it");
    }
    return this.#kube;
  }

  /** Starts fluxd, with the cluster in it; resolves after its first sync. */
  async connect(flags: readonly string[]): Promise<Fluxd> {
    const { repository, registry } = this;
    const cluster = join(this.#folder.path, "cluster");
    const fluxd = this.#stack.use(
      await Fluxd.start({
        gitUrl: repository.url,
        flags: [
          `--embedded-cluster=${cluster}`,
          "--registry-disable-scanning=false",
          `--registry-insecure-host=${registry.host}`,
          `--registry-include-image=${registry.host}/*`,
          "--memcached-hostname=",
          ...flags,
        ],
      }),
    );
    await until("the first sync", async () => (await repository.synced()) !== "");
    for (const name of this.#images) {
      await fluxd.notifyImage(registry.host, name);
    }
    const { url, token } = await dialOf(join(cluster, "kubeconfig"));
    this.#kube = this.#stack.use(new KubeEyes(url, token));
    return fluxd;
  }

  /** What a file has at the head of the branch. */
  inGit(file: string): Promise<string> {
    return this.repository.upstream("show", `master:${file}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}
