import {
  borrowPodCluster,
  KubeEyes,
  lacksPods,
  type PodCluster,
  type PodImage,
  PodsKubectl,
} from "@weir/testing";
import { type FluxctlResult, runFluxctl } from "../fluxctl.ts";
import type { GitServerPod } from "./git-server-pod.ts";
import { usualImages } from "./images.ts";
import { withKnownHosts } from "./known-hosts.ts";

/** What to install, beside what the git server determines. */
export interface Installation {
  readonly namespace: string;
  /** Further arguments of `fluxctl install`. */
  readonly args?: readonly string[];
}

/** A cluster with a node that knows the images of these tests, and those who work with it. */
export class PodWorld implements AsyncDisposable {
  readonly cluster: PodCluster;
  /** What a person on the outside does. */
  readonly kubectl: PodsKubectl;
  readonly kube: KubeEyes;

  private constructor(cluster: PodCluster, kubectl: PodsKubectl) {
    this.cluster = cluster;
    this.kubectl = kubectl;
    this.kube = new KubeEyes(cluster.url, cluster.token);
  }

  /** For the `skip` option of a test: why this machine cannot run pods, false where it can. */
  static lacks(): string | false {
    return lacksPods();
  }

  /** Starts one, or borrows it where the test run lends clusters. The node knows these images, too. */
  static async start(images: readonly PodImage[] = []): Promise<PodWorld> {
    const cluster = await borrowPodCluster([...images, ...usualImages()]);
    return new PodWorld(cluster, await PodsKubectl.for(cluster));
  }

  /** Runs fluxctl as a person would, with nothing but a kubeconfig. */
  fluxctl(...args: readonly string[]): Promise<FluxctlResult> {
    return this.fluxctlIn({}, ...args);
  }

  /** The same, with further variables in the environment. */
  fluxctlIn(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<FluxctlResult> {
    return runFluxctl(args, { KUBECONFIG: this.cluster.kubeconfigPath, HOME: "/nonexistent", ...env });
  }

  /** `fluxctl install … | kubectl apply -f -`, made to know the git server; resolves when fluxd is ready. */
  async install(git: GitServerPod, { namespace, args = [] }: Installation): Promise<void> {
    const flags = [`--git-url=${git.url}`, "--git-email=flux@example.test", `--namespace=${namespace}`];
    const { exit, stdout, stderr } = await this.fluxctl("install", ...flags, ...args);
    if (exit !== 0) {
      throw new Error(`fluxctl install failed: ${stderr}`);
    }
    await this.kubectl.apply(withKnownHosts(stdout, namespace, git.knownHosts));
    await this.kubectl.rolledOut({ namespace, name: "deployment/flux" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kube[Symbol.asyncDispose]();
    await this.kubectl[Symbol.asyncDispose]();
    await this.cluster.stop();
  }
}
