import { Listeners, type Logger, toError } from "@weir/base";
import type { KubeObject, ResourceKey } from "@weir/kube";
import type { ResourceEvent } from "../cache/resource-cache.ts";
import type { SyncTask } from "../plan/task.ts";
import type { OperationState, SyncUnitEvent } from "./ports.ts";

/** Reviews the tasks of a sync before it starts; returns the tasks to do, or throws to prevent the sync. */
export type BeforeSync = (
  unit: string,
  tasks: readonly SyncTask[],
) => readonly SyncTask[] | Promise<readonly SyncTask[]>;

/** The listeners of a fleet engine. One that throws doesn't affect the others, except those before a sync. */
export class FleetListeners {
  readonly beforeSync = new Listeners<BeforeSync>();
  readonly completed = new Listeners<(unit: string, state: OperationState) => void>();
  readonly initialized = new Listeners<(server: string) => void>();
  readonly updated = new Listeners<(cluster: string, object: KubeObject) => void>();
  readonly removed = new Listeners<(cluster: string, key: ResourceKey) => void>();
  readonly unitEvents = new Listeners<(unit: string, event: SyncUnitEvent) => void>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Lets one listener after the other review the tasks of a sync. Rejects with the error of a listener. */
  async review(unit: string, tasks: readonly SyncTask[]): Promise<readonly SyncTask[]> {
    let reviewed = tasks;
    for (const listener of this.beforeSync) {
      reviewed = await listener(unit, reviewed);
    }
    return reviewed;
  }

  tellCompleted(unit: string, state: OperationState): void {
    this.#tell(this.completed, (listener) => listener(unit, state));
  }

  tellInitialized(server: string): void {
    this.#tell(this.initialized, (listener) => listener(server));
  }

  tellResource(cluster: string, { key, after }: ResourceEvent): void {
    if (after === undefined) {
      this.#tell(this.removed, (listener) => listener(cluster, key));
    } else {
      this.#tell(this.updated, (listener) => listener(cluster, after));
    }
  }

  tellUnit(unit: string, event: SyncUnitEvent): void {
    this.#tell(this.unitEvents, (listener) => listener(unit, event));
  }

  #tell<Listener>(listeners: Listeners<Listener>, call: (listener: Listener) => void): void {
    for (const listener of listeners) {
      try {
        call(listener);
      } catch (error) {
        this.#logger.log({ warning: "a listener of the engine failed", err: toError(error) });
      }
    }
  }
}
