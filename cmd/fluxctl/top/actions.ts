import { messageOf } from "@weir/base";
import { FluxError, printImageRef, withoutBookkeeping } from "@weir/flux";
import type { WorkloadImagesReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import type { Command, CommandContext } from "../command.ts";
import { lockCommand } from "../commands/lock.ts";
import { releaseCommand } from "../commands/release.ts";
import { unlockCommand } from "../commands/unlock.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { authorFromGit } from "../flags/author.ts";
import { printDiff } from "../output/diff.ts";
import { plain } from "../output/paint.ts";
import { printResult } from "../output/result.ts";
import { awaitJob } from "../waiting/await-job.ts";
import type { Effect, ImageChoice, Remark, TopEvent } from "./model.ts";

/** What actions use. */
export interface ActionTools {
  readonly context: CommandContext;
  /** The current connection. */
  readonly client: () => ApiClient;
  readonly tell: (event: TopEvent) => void;
}

/** Something that fluxd is asked for. */
export type Action = Exclude<Effect, { kind: "quit" }>;

/** Does what the model asks for, and tells it the result; a failure is a result too. */
export async function act(action: Action, tools: ActionTools): Promise<void> {
  try {
    tools.tell(await resultOf(action, tools));
  } catch (error) {
    if (!tools.context.signal.aborted) {
      tools.tell(failureOf(action, error));
    }
  }
}

async function resultOf(action: Action, tools: ActionTools): Promise<TopEvent> {
  switch (action.kind) {
    case "diff":
      return diff(action, tools);
    case "list-images":
      return listImages(action, tools);
    case "plan":
      return plan(action, tools);
    case "release":
      return run(await releaseCommand(), { workload: action.id, "update-image": action.image }, tools);
    case "lock":
      return lock(action, tools);
    case "unlock":
      return run(await unlockCommand(), { workload: action.id, message: action.reason }, tools);
  }
}

function failureOf(action: Action, error: unknown): TopEvent {
  const reason = linesOf(error).join(" ");
  return "task" in action
    ? { kind: "failed", task: action.task, reason }
    : { kind: "changed", remark: { tone: "bad", text: reason } };
}

async function diff(
  { task, id }: Extract<Effect, { kind: "diff" }>,
  { client, context }: ActionTools,
): Promise<TopEvent> {
  const report = await requireWeir("diffs", client().diff({ ref: "" }, context.signal));
  const changes = withoutBookkeeping(report.changes).filter((change) => id === undefined || change.id === id);
  const title = id === undefined ? "What a sync would change" : `What a sync would change in ${id}`;
  const lines = printDiff({ ...report, changes }, plain)
    .trimEnd()
    .split("\n")
    .map(diffLine);
  const nothing: readonly Remark[] = [{ tone: "good", text: "Nothing: the cluster is as git wants it." }];
  return { kind: "diffed", task, title, lines: changes.length === 0 ? nothing : lines };
}

function diffLine(text: string): Remark {
  if (/^(---|\+\+\+|@@)/.test(text)) {
    return { tone: "faint", text };
  }
  return { tone: text.startsWith("+") ? "good" : text.startsWith("-") ? "bad" : "plain", text };
}

async function listImages(
  { task, id }: Extract<Effect, { kind: "list-images" }>,
  { client, context }: ActionTools,
): Promise<TopEvent> {
  const query = { workload: id, namespace: "", fields: [] } as const;
  const workloads = await client().listImages(query, context.signal);
  return { kind: "listed", task, id, choices: workloads.flatMap(choicesIn) };
}

/** The images of all containers, newest first for each. */
function choicesIn({ containers }: WorkloadImagesReport): readonly ImageChoice[] {
  return containers.flatMap(({ name, current, available }) =>
    available
      .filter(({ ref }) => ref.image !== "" && ref.tag !== "")
      .map(({ ref, createdAt }) => ({
        container: name,
        image: printImageRef(ref),
        createdAt: createdAt ?? "",
        isRunning: ref.tag === current.ref.tag,
      })),
  );
}

/** A dry run of the release. */
async function plan(
  { task, id, image }: Extract<Effect, { kind: "plan" }>,
  tools: ActionTools,
): Promise<TopEvent> {
  const { client, context } = tools;
  const cause = { message: "", user: await authorFromGit() };
  const spec = { workloads: [id], image, kind: "plan", excludes: null, force: false } as const;
  const job = await client().updateManifests({ type: "image", cause, spec }, context.signal);
  const { result } = await awaitJob(client(), job, quiet(tools));
  const text = result ? printResult(result, 2, plain) : "Nothing to do";
  const changes = [...(result ?? new Map()).values()].some(({ status }) => status === "success");
  const lines = text.trimEnd().split("\n");
  return {
    kind: "planned",
    task,
    id,
    image,
    changes,
    lines: lines.map((line) => ({ tone: "plain", text: line })),
  };
}

/** As in Flux v1, a lock says why only if it also says who. */
async function lock({ id, reason }: { id: string; reason: string }, tools: ActionTools): Promise<TopEvent> {
  const done = await run(await lockCommand(), { workload: id, message: reason }, tools);
  const isReasonKept = reason === "" || (await authorFromGit()) !== "";
  return isReasonKept ? done : { kind: "changed", remark: { tone: "pending", text: reasonNotKept } };
}

const reasonNotKept =
  "Locked, but the lock does not say why: fluxctl takes your name from git, where user.name and user.email are not set.";

/** Runs a command as from a command line; what it prints to stderr is the result. */
async function run(
  command: Command,
  flags: Readonly<Record<string, string>>,
  tools: ActionTools,
): Promise<TopEvent> {
  for (const [name, value] of Object.entries(flags)) {
    command.flags.find(({ declaration }) => declaration.name === name)?.set(value);
  }
  const said: string[] = [];
  const tellProgress = (what: string): void => tools.tell({ kind: "progress", what: `waiting for ${what}` });
  await command.run(
    [],
    quiet(tools, (text) => said.push(text), tellProgress),
  );
  const text = said
    .join("")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("; ");
  return { kind: "changed", remark: { tone: "good", text: text === "" ? "Done." : text } };
}

/** The environment of a command that draws nothing itself. It's told what the command prints to stderr. */
function quiet(
  { context, client }: ActionTools,
  said: (text: string) => void = () => undefined,
  tellProgress: (what: string) => void = () => undefined,
): CommandContext {
  return {
    ...context,
    out: () => undefined,
    outDocument: () => undefined,
    err: said,
    paint: plain,
    errPaint: plain,
    connect: () => Promise.resolve(client()),
    exitWith: () => undefined,
    waitFor: (what, work) => {
      tellProgress(what);
      return work(tellProgress);
    },
  };
}

/** What's wrong, and the remedy. */
function linesOf(error: unknown): readonly string[] {
  const text = error instanceof FluxError ? error.advice : messageOf(error);
  const advice =
    error instanceof Error && "advice" in error && Array.isArray(error.advice) ? error.advice : [];
  return [text, ...advice.map(String)].map((line) => line.trim()).filter((line) => line !== "");
}
