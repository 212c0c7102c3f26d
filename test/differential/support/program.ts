import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "@weir/base";
import { startEmbeddedCluster } from "@weir/embedded-cluster";
import type { ImageRegistry } from "@weir/flux";
import { dialOf, KubeEyes, until } from "@weir/testing";
import { OwnFluxd } from "../../support/own-fluxd.ts";
import { ask } from "../../support/raw-http.ts";
import { TestRepository } from "../../support/repository.ts";

/** What a program starts from. */
export interface ProgramOptions {
  /** The files of its repository. */
  readonly files: Readonly<Record<string, string>>;
  readonly images: ImageRegistry;
  readonly flags?: readonly string[];
  /** Does something to the cluster before fluxd comes. */
  readonly prepare?: (kube: KubeEyes) => Promise<void>;
}

/** A whole fluxd with a repository and an embedded cluster, as far from outside as it is seen by others. */
export class Program implements AsyncDisposable {
  readonly repository: TestRepository;
  readonly kube: KubeEyes;
  readonly fluxd: OwnFluxd;
  readonly #parts: AsyncDisposableStack;

  private constructor(
    parts: AsyncDisposableStack,
    repository: TestRepository,
    kube: KubeEyes,
    fluxd: OwnFluxd,
  ) {
    this.#parts = parts;
    this.repository = repository;
    this.kube = kube;
    this.fluxd = fluxd;
  }

  /** Starts it all; resolves after the first sync. */
  static async start({ files, images, flags = [], prepare }: ProgramOptions): Promise<Program> {
    await using parts = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), "weir-differential-"));
    parts.defer(() => rm(folder, { recursive: true, force: true }));
    const cluster = await startEmbeddedCluster({ controllerManager: false });
    parts.defer(() => cluster.stop());
    const kubeconfigPath = join(folder, "kubeconfig");
    await writeFile(kubeconfigPath, cluster.kubeconfig, { mode: 0o600 });
    const { url, token } = await dialOf(kubeconfigPath);
    const kube = parts.use(new KubeEyes(url, token));
    await kube.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", helmReleases);
    await until("the kind HelmRelease", () =>
      kube.get("/apis/helm.fluxcd.io/v1").then((found) => found !== undefined),
    );
    await prepare?.(kube);
    const repository = parts.use(await TestRepository.create(files));
    const fluxd = parts.use(await OwnFluxd.start({ repository, kubeconfigPath, flags, images }));
    return new Program(parts.move(), repository, kube, fluxd);
  }

  /** Sends a request to the API; resolves to the status and the JSON of the answer. */
  async call(method: string, path: string, body?: JsonValue): Promise<{ status: number; json: JsonValue }> {
    const url = new URL(`${this.fluxd.apiUrl}${path}`);
    const answer = await ask(url.host, {
      method,
      path: url.pathname + url.search,
      headers: { Accept: "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      status: answer.status,
      json: answer.body === "" ? null : (JSON.parse(answer.body) as JsonValue),
    };
  }

  /** How a job ended. */
  ended(id: JsonValue): Promise<JsonObject> {
    const path = `/v6/jobs?id=${JSON.stringify(id).replaceAll('"', "")}`;
    return until("the end of a job", async () => {
      const status = (await this.call("GET", path)).json as JsonObject;
      const state = status["StatusString"];
      return (state === "succeeded" || state === "failed") && status;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }
}

const helmReleases = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "helmreleases.helm.fluxcd.io" },
  spec: {
    group: "helm.fluxcd.io",
    names: { plural: "helmreleases", kind: "HelmRelease" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
