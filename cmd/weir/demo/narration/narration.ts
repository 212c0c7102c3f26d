import {
  type ClusterWatcher,
  type DemoRepository,
  type Memory,
  nothingTold,
  type Seen,
  type Told,
  tellCommits,
} from "@weir/demo";
import type { ApiClient } from "@weir/flux/client";
import { tellEvents } from "./tell-events.ts";
import { noProgress, tellProgress } from "./tell-progress.ts";

/** Where the demo sees what happens. */
export interface Sources {
  readonly api: Pick<ApiClient, "events" | "lastSync">;
  readonly repository: Pick<DemoRepository, "commitsBetween" | "head" | "isSynced">;
  readonly cluster: Pick<ClusterWatcher, "look">;
}

/** What a look found. */
export interface News {
  readonly told: readonly Told[];
  readonly seen: readonly Seen[];
}

/** Tells what happens in git, in fluxd, and in the cluster, each thing once. */
export class Narration {
  readonly #sources: Sources;
  #memory: Memory;
  #progress = noProgress;
  #head: string;

  private constructor(sources: Sources, memory: Memory, head: string) {
    this.#sources = sources;
    this.#memory = memory;
    this.#head = head;
  }

  /** Begins with what happens from now on. */
  static async start(sources: Sources, signal: AbortSignal): Promise<Narration> {
    const { api, repository, cluster } = sources;
    const events = await api.events({ after: 0, waitMs: 0 }, signal);
    await cluster.look();
    return new Narration(sources, tellEvents(events, nothingTold).memory, repository.head());
  }

  /** What is new since the last look. Rejects if fluxd doesn't answer. */
  async look(signal: AbortSignal): Promise<News> {
    const { api, repository, cluster } = this.#sources;
    // A look that fails tells nothing, and the next one tells all of it.
    const head = repository.head();
    const pushed = head === this.#head ? [] : tellCommits(repository.commitsBetween(this.#head, head));
    const events = await api.events({ after: this.#memory.lastEvent, waitMs: 0 }, signal);
    const progress = tellProgress(await api.lastSync(signal), this.#progress);
    const objects = await cluster.look();
    const { told, seen, memory } = tellEvents(events, this.#memory);
    this.#head = head;
    this.#memory = memory;
    this.#progress = progress.memory;
    return {
      told: [...pushed, ...progress.told, ...told, ...objects],
      seen: [...(pushed.length > 0 ? (["push"] as const) : []), ...seen],
    };
  }

  /** True if fluxd has synced all that was pushed. */
  isSynced(): boolean {
    return this.#sources.repository.isSynced();
  }
}
