import { groupOf, type OwnerReference } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import { LogsError } from "./errors.ts";
import type { PodView } from "./pod.ts";
import { between, getObject, type LoggedWorkload } from "./workload.ts";

/** Decides which pods belong to a workload, by the chain of their owners. */
export class Owners {
  readonly #client: RestClient;
  readonly #workload: LoggedWorkload;
  /** Whether an object between the workload and its pods belongs to the workload, by its UID. */
  readonly #known = new Map<string, boolean>();

  constructor(client: RestClient, workload: LoggedWorkload) {
    this.#client = client;
    this.#workload = workload;
  }

  /** Whether a pod that the workload selects is one of its own. Rejects with LogsError. */
  async owns({ owner }: PodView, signal: AbortSignal): Promise<boolean> {
    if (owner === undefined || this.#isWorkload(owner)) {
      return owner !== undefined;
    }
    const middle = between.get(this.#workload.resource.kind);
    if (middle?.kind !== owner.kind) {
      return false;
    }
    const known = this.#known.get(owner.uid) ?? (await this.#ask(owner, signal));
    this.#known.set(owner.uid, known);
    return known;
  }

  /** By name, so that it stays the same workload if it's deleted and created again. */
  #isWorkload({ apiVersion, kind, name }: OwnerReference): boolean {
    const { resource, name: wanted } = this.#workload;
    return kind === resource.kind && name === wanted && groupOf(apiVersion) === resource.group;
  }

  async #ask({ kind, name }: OwnerReference, signal: AbortSignal): Promise<boolean> {
    const { namespace, resource } = this.#workload;
    const middle = between.get(resource.kind);
    if (middle?.kind !== kind) {
      return false;
    }
    try {
      const found = await getObject(this.#client, { resource: middle, namespace, name }, signal);
      const owner = found?.metadata.ownerReferences?.find(({ controller }) => controller === true);
      return owner !== undefined && this.#isWorkload(owner);
    } catch (error) {
      // Without permission, the selector of a Deployment has to be enough, as for kubectl.
      if (error instanceof LogsError && resource.kind === "Deployment") {
        return true;
      }
      throw error;
    }
  }
}
