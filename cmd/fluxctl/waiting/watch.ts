import { Deadline, type Environment } from "@weir/base";
import { type ApiClient, RequestError } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";
import { pollDaemon } from "../daemon/poll-daemon.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { type LiveView, openLiveView } from "../output/live-view.ts";
import { decide, type Goal, type Verdict } from "./decide.ts";

/** What to wait for; `revision` is "" for the head of the branch as it is now. */
export interface Wait extends Goal {
  /** "" for all namespaces. */
  readonly namespace: string;
  readonly timeoutMs: number;
}

/** How the waiting ended. */
export interface Ended {
  readonly how: "reached" | "stuck" | "timeout";
  readonly verdict: Verdict;
}

/** fluxd fetches a revision that it doesn't know only with every so many looks. */
const fetchEvery = 10;

const unseen: Verdict = { waiting: ["fluxd's answer"], reached: [], stuck: [], suspects: new Set() };

/** Waits; on a terminal, shows for what. Rejects if fluxd can't be asked. */
export async function watch(wait: Wait, client: ApiClient, context: CommandContext): Promise<Ended> {
  using view = viewFor(context);
  using deadline = new Deadline(context.clock, wait.timeoutMs, context.signal);
  const looker = new Looker(wait);
  const ask = async (asked: ApiClient, signal: AbortSignal): Promise<boolean> => {
    const { waiting, stuck } = await looker.look(asked, signal);
    view?.show(waiting.map((line) => `${context.paint.pending("Waiting:")} ${oneLine(line)}\n`).join(""));
    return waiting.length === 0 || stuck.length > 0;
  };
  const poll = { ask, lost: (reason: string) => view?.lost(reason), found: () => view?.found() };
  try {
    await pollDaemon(poll, client, { ...context, signal: deadline.signal });
  } catch (error) {
    context.signal.throwIfAborted();
    if (!deadline.expired) {
      throw error;
    }
    return { how: "timeout", verdict: looker.verdict };
  }
  return { how: looker.verdict.stuck.length > 0 ? "stuck" : "reached", verdict: looker.verdict };
}

/** Looks again and again, and remembers what it saw. */
class Looker {
  readonly #wait: Wait;
  #goal: Goal | undefined;
  #looks = 0;
  #missing: number | undefined;
  verdict: Verdict = unseen;

  constructor(wait: Wait) {
    this.#wait = wait;
  }

  async look(client: ApiClient, signal: AbortSignal): Promise<Verdict> {
    const fetch = this.#mustFetch();
    this.#looks += 1;
    const status = await requireWeir("`fluxctl wait`", client.status({ fetch, brief: true }, signal));
    const goal = (this.#goal ??=
      this.#wait.revision === "" ? { ...this.#wait, revision: status.head } : this.#wait);
    const { revision, health, image } = goal;
    this.#missing = revision === undefined ? 0 : await missingUpTo(revision, client, signal);
    const isSynced = this.#missing === 0;
    const { namespace } = this.#wait;
    const [resources, workloads] = await Promise.all([
      isSynced && (health || image !== undefined)
        ? client.tree({ namespace }, signal).then((tree) => tree.resources)
        : [],
      isSynced && (goal.ids.length > 0 || image !== undefined)
        ? client.listWorkloads({ namespace, workloads: [] }, signal)
        : [],
    ]);
    const { suspects } = this.verdict;
    this.verdict = decide(goal, { status, missing: this.#missing, resources, workloads, suspects });
    return this.verdict;
  }

  #mustFetch(): boolean {
    const isUnknown = this.#looks > 0 && this.#missing === undefined;
    return (
      this.#wait.revision !== undefined &&
      (this.#looks === 0 || (isUnknown && this.#looks % fetchEvery === 0))
    );
  }
}

/** Undefined if fluxd doesn't know the revision, or has no repository yet. */
async function missingUpTo(
  revision: string,
  client: ApiClient,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (revision === "") {
    return undefined;
  }
  try {
    return (await client.syncStatus(revision, signal)).length;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestError) {
      throw error;
    }
    return undefined;
  }
}

/** Only a terminal shows what changes; a pipe gets the end. */
function viewFor(context: CommandContext): (LiveView & Disposable) | undefined {
  const { screen, env }: { readonly screen?: unknown; readonly env: Environment } = context;
  return screen === undefined || env["TERM"] === "dumb" ? undefined : openLiveView("", context);
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, "; ");
}
