import assert from "node:assert/strict";
import { until } from "@weir/testing";
import type { FluxctlResult } from "../fluxctl.ts";
import type { TestRepository } from "../repository.ts";
import { GitServerPod } from "./git-server-pod.ts";
import { makeKeyPair } from "./key-pair.ts";
import type { PodWorld } from "./pod-world.ts";

/** What fluxd is to find. */
export interface InstalledOptions {
  /** What the first commit holds. */
  readonly files: Readonly<Record<string, string>>;
  /** What runs before fluxd does, as manifests: its images are scanned at once, and not only a minute later. */
  readonly running?: string;
  /** Arguments of fluxd, beside those that `fluxctl install` gives it. */
  readonly fluxd?: readonly string[];
  /** Further arguments of `fluxctl install`. */
  readonly install?: readonly string[];
}

const namespace = "flux";

/** fluxd in a pod, by `fluxctl install`, with a deploy key that the git server, in a pod too, knows already. */
export class InstalledFluxd implements AsyncDisposable {
  readonly namespace = namespace;
  /** What is in git. */
  readonly repository: TestRepository;
  readonly #git: GitServerPod;
  readonly #world: PodWorld;

  private constructor(world: PodWorld, git: GitServerPod) {
    this.#world = world;
    this.#git = git;
    this.repository = git.repository;
  }

  /** Resolves when the first sync is done. */
  static async start(world: PodWorld, options: InstalledOptions): Promise<InstalledFluxd> {
    const { files, running, fluxd = [], install = [] } = options;
    if (running !== undefined) {
      await world.kubectl.apply(running);
    }
    const { privateKey, publicKey } = await makeKeyPair();
    const git = await GitServerPod.start(world.kubectl, {
      namespace,
      files,
      authorizedKeys: [publicKey.trim()],
    });
    const installed = new InstalledFluxd(world, git);
    try {
      // Not applied: what is applied later has no key, and would take it away.
      await createSecret(world, "flux-git-deploy", { identity: privateKey });
      await world.install(git, {
        namespace,
        args: [...install, ...fluxd.map((flag) => `--fluxd-arg=${flag}`)],
      });
      await installed.synced();
      return installed;
    } catch (error) {
      await installed[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Runs fluxctl, however it ends. */
  run(...args: readonly string[]): Promise<FluxctlResult> {
    return this.#world.fluxctl(`--k8s-fwd-ns=${namespace}`, ...args);
  }

  /** Runs a fluxctl that must succeed; resolves to what it printed. */
  async fluxctl(...args: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await this.run(...args);
    assert.equal(exit, 0, `fluxctl ${args.join(" ")}: ${stderr}${stdout}`);
    return stdout;
  }

  /** Commits, and has it synced by `fluxctl sync`. */
  async commit(files: Readonly<Record<string, string | null>>, message = "change"): Promise<void> {
    await this.repository.pull();
    await this.repository.push(files, message);
    await this.fluxctl("sync");
  }

  /** Resolves when the sync tag is on the newest commit. */
  async synced(): Promise<void> {
    const head = await this.repository.upstream("rev-parse", "master");
    await until("the sync", async () => (await this.repository.synced("flux")) === head).catch(
      async (error: unknown) => {
        throw new Error(`nothing is synced:${await this.#world.kubectl.describe(namespace)}`, {
          cause: error,
        });
      },
    );
  }

  /** Resolves when the tag is listed for what runs in the namespace demo. */
  async scanned(tag: string): Promise<void> {
    await until(`tag ${tag} to be listed`, async () =>
      (await this.fluxctl("list-images", "--namespace=demo")).includes(tag),
    );
  }

  /** What fluxd has said so far. */
  log(): Promise<string> {
    return this.#world.kubectl.logs(namespace, "deployment/flux");
  }

  /** Replaces arguments of fluxd; resolves when it runs with the new ones, and has synced. */
  async restart(change: (args: readonly string[]) => readonly string[]): Promise<void> {
    await this.rollOut(change);
    await until("the sync", async () => (await this.run("sync")).exit === 0);
  }

  /** Replaces arguments of fluxd; resolves when it runs with the new ones, whether or not it can sync. */
  async rollOut(change: (args: readonly string[]) => readonly string[]): Promise<void> {
    const name = "deployment/flux";
    const path = "/spec/template/spec/containers/0/args";
    const args = await this.#world.kubectl.must([
      ...["get", name, "-n", namespace],
      ...["-o", "jsonpath={.spec.template.spec.containers[0].args}"],
    ]);
    const value = change(JSON.parse(args) as readonly string[]);
    const patch = JSON.stringify([{ op: "replace", path, value }]);
    await this.#world.kubectl.must(["patch", name, "-n", namespace, "--type=json", "-p", patch]);
    await this.#world.kubectl.rolledOut({ namespace, name });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#git[Symbol.asyncDispose]();
  }
}

async function createSecret(
  { kubectl }: PodWorld,
  name: string,
  stringData: Readonly<Record<string, string>>,
): Promise<void> {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, stringData };
  await kubectl.must(["create", "-f", "-"], JSON.stringify(secret));
}
