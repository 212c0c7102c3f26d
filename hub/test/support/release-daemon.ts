import {
  parseImageRef,
  printImageRef,
  type ResourceId,
  type UpdateResult,
  type UpdateSpec,
  type WorkloadResult,
} from "@weir/flux";
import type { ApiServer, WorkloadStatusReport } from "@weir/flux/api";

/** A daemon with workloads of one container `app` each, which does what a genuine one does when it's asked for a release. */
export class ReleaseDaemon {
  /** By workload. */
  readonly images: Map<string, string>;
  readonly policies = new Map<string, Readonly<Record<string, string>>>();
  newest = "ghcr.io/example/app:2";
  /** What it was asked for, without dry runs. */
  readonly done: UpdateSpec[] = [];
  readonly #results = new Map<string, UpdateResult>();

  constructor(ids: readonly string[]) {
    this.images = new Map(ids.map((id) => [id, "ghcr.io/example/app:1"]));
  }

  get answers(): Partial<ApiServer> {
    return {
      listWorkloads: () => Promise.resolve([...this.images].map(([id, image]) => this.#workload(id, image))),
      updateManifests: (spec) => Promise.resolve(this.#update(spec)),
      jobStatus: (id) => {
        const result = this.#results.get(id);
        const error =
          result && [...result.values()].some(({ status }) => status === "failed")
            ? "cannot satisfy specs"
            : "";
        const state = error === "" ? "succeeded" : "failed";
        return Promise.resolve({ state, error, result: { revision: "c0ffee1", result: result ?? null } });
      },
    };
  }

  #workload(id: string, image: string): WorkloadStatusReport {
    return {
      id: id as ResourceId,
      containers: [{ name: "app", image: parseImageRef(image) }],
      readOnly: "",
      status: "ready",
      rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: null },
      syncError: "",
      antecedent: "",
      labels: null,
      policies: this.policies.get(id) ?? {},
    };
  }

  #update(spec: UpdateSpec): string {
    const job = `job-${this.#results.size + 1}`;
    const isPlan = (spec.type === "image" || spec.type === "containers") && spec.spec.kind === "plan";
    const result = this.#resultOf(spec);
    this.#results.set(job, result);
    if (!isPlan) {
      this.done.push(spec);
      for (const [id, { containers }] of result) {
        containers?.forEach(({ target }) => this.images.set(id, printImageRef(target)));
      }
    }
    return job;
  }

  /** As genuine daemons, it tells of all workloads, whatever it was asked for. */
  #resultOf(spec: UpdateSpec): UpdateResult {
    if (spec.type === "containers") {
      return new Map(
        [...(spec.spec.containers ?? [])].map(([id, updates]): readonly [ResourceId, WorkloadResult] => {
          const runs = this.images.get(id) ?? "";
          const isExpected = (updates ?? []).every(
            ({ current }) => current === undefined || printImageRef(current) === runs,
          );
          return isExpected
            ? [
                id,
                {
                  status: "success",
                  containers: (updates ?? []).map((each) => ({ ...each, current: parseImageRef(runs) })),
                },
              ]
            : [id, { status: "failed", error: "container(s) tag mismatch: app", containers: null }];
        }),
      );
    }
    if (spec.type !== "image") {
      return new Map();
    }
    const { workloads } = spec.spec;
    return new Map(
      [...this.images].map(([id, image]) => [
        id as ResourceId,
        !workloads?.includes(id)
          ? { status: "ignored", error: "not included", containers: null }
          : image === this.newest
            ? { status: "skipped", error: "image(s) up to date", containers: null }
            : {
                status: "success",
                containers: [
                  { container: "app", current: parseImageRef(image), target: parseImageRef(this.newest) },
                ],
              },
      ]),
    );
  }
}
