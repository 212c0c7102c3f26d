import { isJsonObject, type JsonValue } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { type AuditedWrite, AuditLog, type PodsKubectl, TempFolder, until } from "@weir/testing";
import { type FluxInstall, withImage } from "../../flux-installs.ts";
import type { FluxctlResult } from "../../fluxctl.ts";
import { parseStandInFlags } from "../flux-stand-in/settings.ts";
import { GitServerPod } from "../git-server-pod.ts";
import { type KeyPair, makeKeyPair } from "../key-pair.ts";
import { PodWorld } from "../pod-world.ts";
import { objectContents } from "./cluster-objects.ts";
import { switchImages } from "./images.ts";
import { knownImages, memcachedContent } from "./memcached-content.ts";
import { manualChanges, syncedFilesWithNamespace, team } from "./synced-files.ts";

/** How long the stand-in may take on a busy machine: it starts kubectl for each of hundreds of workloads. */
const hundredsOfWorkloadsSeconds = 540;

/** An installation of Flux v1 that is to be switched. */
export interface SwitchOptions {
  readonly namespace: string;
  /** What is synced; all kinds of objects unless told otherwise. */
  readonly files?: Readonly<Record<string, string>>;
  readonly install: (git: GitServerPod) => FluxInstall;
  /** Creates its objects, in place of `kubectl apply`. */
  readonly create?: (pods: PodWorld, install: FluxInstall, git: GitServerPod) => Promise<void>;
  /** Creates the Secret with the deploy key first, as people do who bring a key along. */
  readonly bringsKey?: boolean;
  /** What the installation takes for granted, such as a Secret with the key. */
  readonly prerequisites?: (git: GitServerPod) => readonly KubeObject[];
}

/** All that a switch must leave as it is. */
export interface SwitchState {
  /** The branch, the sync tag, and the notes. */
  readonly refs: string;
  /** The objects of the whole cluster but fluxd's own, the Secret with the deploy key included. */
  readonly objects: object;
  /** What Flux v1 found out about images. */
  readonly images: object;
}

/** A cluster in which a stand-in for Flux v1 has done its work, and whose image can be changed. */
export class SwitchWorld implements AsyncDisposable {
  readonly pods: PodWorld;
  readonly git: GitServerPod;
  readonly install: FluxInstall;
  readonly #broughtKey: string | undefined;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(made: Made, cleanup: AsyncDisposableStack) {
    this.pods = made.pods;
    this.git = made.git;
    this.install = made.install;
    this.#broughtKey = made.broughtKey;
    this.#cleanup = cleanup;
  }

  /** Installs the stand-in; resolves when it is in sync and the cluster has come to rest. */
  static async start(options: SwitchOptions): Promise<SwitchWorld> {
    await using cleanup = new AsyncDisposableStack();
    const made = await make(options, cleanup);
    const world = new SwitchWorld(made, cleanup.move());
    try {
      await world.#settle();
      return world;
    } catch (error) {
      const description = await world.pods.kubectl.describe(options.namespace);
      await world[Symbol.asyncDispose]();
      throw new Error(`the stand-in isn't in sync: ${description}`, { cause: error });
    }
  }

  /** Changes the image of fluxd's Deployment; resolves when the new pod is ready. */
  async switchTo(image: string): Promise<void> {
    const { namespace, deployment } = this.install;
    await this.setImage(image);
    await this.pods.kubectl.rolledOut({ namespace, name: `deployment/${deployment}` });
  }

  /** Changes the image, whether or not the new pod can become ready. */
  async setImage(image: string): Promise<void> {
    const { namespace, deployment, container } = this.install;
    const args = [`deployment/${deployment}`, `${container}=${image}`, "-n", namespace];
    await this.pods.kubectl.must(["set", "image", ...args]);
  }

  /** What fluxd's container has said so far, "" while there is none. */
  async logs(): Promise<string> {
    const { namespace, deployment } = this.install;
    return (await this.pods.kubectl.run(["logs", `deployment/${deployment}`, "-n", namespace])).stdout;
  }

  /** The same by applying the manifests again. */
  async applyWith(image: string): Promise<void> {
    const { namespace, deployment, objects } = withImage(this.install, image);
    await this.pods.kubectl.apply(objects);
    await this.pods.kubectl.rolledOut({ namespace, name: `deployment/${deployment}` });
  }

  /** Resolves when the stand-in runs, and has looked at everything. */
  async standInIsDone(): Promise<void> {
    const isInSync = async () => (await this.logs()).includes("in sync with");
    await until("the stand-in to be in sync", isInSync, hundredsOfWorkloadsSeconds);
  }

  /** Runs fluxctl as a person would, who has only to name a namespace that isn't "flux". */
  fluxctl(...args: readonly string[]): Promise<FluxctlResult> {
    return this.pods.fluxctl(...args, `--k8s-fwd-ns=${this.install.namespace}`);
  }

  async state(): Promise<SwitchState> {
    const refs = await this.git.repository.upstream("for-each-ref", `--format=${refFormat}`);
    const objects = await objectContents(this.pods.kube, (resource, object) => this.#isOwn(resource, object));
    return { refs, objects, images: await this.#images() };
  }

  /** The tag that fluxd moves, by its flags. */
  get syncTag(): string {
    const { objects, deployment } = this.install;
    const own = objects.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === deployment);
    return parseStandInFlags([...JSON.stringify(own).matchAll(/"(--[^"]*)"/g)].map(([, arg = ""]) => arg))
      .syncTag;
  }

  /** A log that begins now. */
  audit(): Promise<AuditLog> {
    return AuditLog.since(this.pods.cluster);
  }

  /** What was written with the rights of fluxd's service account. */
  async ownWrites(audit: AuditLog): Promise<readonly AuditedWrite[]> {
    const { namespace, serviceAccount } = this.install;
    const own = `system:serviceaccount:${namespace}:${serviceAccount}`;
    return (await audit.writes()).filter(({ user }) => user === own);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanup.disposeAsync();
  }

  /** Brings about what a running installation is like: a key that git knows, a sync, and changes by hand. */
  async #settle(): Promise<void> {
    const { kubectl } = this.pods;
    await this.git.authorize(await this.#publicKey());
    await this.standInIsDone();
    for (const change of manualChanges) {
      await kubectl.must([...change, "-n", team]);
    }
    await until("all workloads to come to rest", async () => {
      const list = await kubectl.json("get", "deployments,statefulsets", "-A");
      return isJsonObject(list) && (list["items"] as unknown as readonly Workload[]).every(isAtRest);
    });
  }

  /** The key that was brought along, or that the stand-in made. */
  async #publicKey(): Promise<string> {
    const { namespace, deployKeySecret } = this.install;
    return (
      this.#broughtKey ??
      (await until("a deploy key", async () => {
        const secret = await this.pods.kubectl.json("get", "secret", deployKeySecret, "-n", namespace);
        return publicKeyIn(secret);
      }))
    );
  }

  /** True for the Deployment of fluxd and for what controllers make of it. */
  #isOwn(resource: string, { metadata }: KubeObject): boolean {
    const { namespace, deployment, podLabels } = this.install;
    if (metadata.namespace !== namespace) {
      return false;
    }
    const { name, labels = {} } = metadata;
    switch (resource) {
      case "deployments":
      case "endpoints":
        return name === deployment;
      case "endpointslices":
        return labels?.["kubernetes.io/service-name"] === deployment;
      case "pods":
      case "replicasets":
        return Object.entries(podLabels).every(([key, value]) => labels?.[key] === value);
      default:
        return false;
    }
  }

  async #images(): Promise<object> {
    const { namespace, objects } = this.install;
    const names = objects.flatMap(({ kind, metadata }) => (kind === "Deployment" ? [metadata.name] : []));
    const deployment = names.find((name) => name?.endsWith("memcached"));
    return deployment === undefined
      ? {}
      : knownImages(await memcachedContent(this.pods.kubectl, { namespace, deployment }));
  }
}

/**
 * As Flux v1, the first sync of a process makes the sync tag anew where it is: its date changes, and so does its
 * signature, but nothing else.
 */
const refFormat =
  "%(refname) %(if)%(*objectname)%(then)%(*objectname) %(contents:subject) %(contents:body) %(if)%(contents:signature)%(then)signed%(end) %(taggername) %(taggeremail)%(else)%(objectname)%(end)";

interface Made {
  readonly pods: PodWorld;
  readonly git: GitServerPod;
  readonly install: FluxInstall;
  /** The public half of the key that was there first. */
  readonly broughtKey: string | undefined;
}

async function make(options: SwitchOptions, cleanup: AsyncDisposableStack): Promise<Made> {
  const { namespace, files = syncedFilesWithNamespace } = options;
  const pods = cleanup.use(await PodWorld.start());
  const { kubectl, cluster } = pods;
  const folder = cleanup.use(new TempFolder());
  const git = cleanup.use(await GitServerPod.start(kubectl, { namespace, files }));
  await cluster.useImages(switchImages(folder.write("known_hosts", git.knownHosts)));
  const install = options.install(git);
  const key = options.bringsKey === true ? await makeKeyPair() : undefined;
  await prepare(kubectl, [
    ...(options.prerequisites?.(git) ?? []),
    ...(key === undefined ? [] : [keySecret(install, key)]),
  ]);
  await (options.create?.(pods, install, git) ?? kubectl.apply(install.objects));
  await kubectl.rolledOut({ namespace, name: `deployment/${install.deployment}` });
  return { pods, git, install, broughtKey: key?.publicKey };
}

/** Applies objects; resolves when objects of the kinds that they define can be applied too. */
async function prepare(kubectl: PodsKubectl, objects: readonly KubeObject[]): Promise<void> {
  if (objects.length > 0) {
    await kubectl.apply(objects);
  }
  const definitions = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
  for (const { metadata } of definitions) {
    await kubectl.must(["wait", "--for=condition=Established", `crd/${metadata.name}`, "--timeout=30s"]);
  }
}

function keySecret({ namespace, deployKeySecret: name }: FluxInstall, { privateKey }: KeyPair): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, namespace },
    data: { identity: Buffer.from(privateKey).toString("base64") },
  };
}

function publicKeyIn(secret: JsonValue): string | undefined {
  const data = isJsonObject(secret) ? secret["data"] : undefined;
  const key = isJsonObject(data) ? data["identity.pub"] : undefined;
  return typeof key === "string" ? Buffer.from(key, "base64").toString() : undefined;
}

interface Workload {
  readonly metadata: { readonly generation: number };
  readonly spec: { readonly replicas: number };
  readonly status: {
    readonly observedGeneration?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly { readonly reason?: string; readonly type: string }[];
  };
}

/** True where the controllers have nothing more to write. */
function isAtRest({ metadata, spec, status }: Workload): boolean {
  const isKnown = status.observedGeneration === metadata.generation;
  const progress = status.conditions?.find(({ type }) => type === "Progressing");
  const isDone = progress === undefined || progress.reason === "NewReplicaSetAvailable";
  return isKnown && isDone && (status.availableReplicas ?? 0) === spec.replicas;
}
