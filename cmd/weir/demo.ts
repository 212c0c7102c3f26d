/**
 * `weir demo`: shows the main features. A git repository becomes a running cluster; then a change, a
 * removal, a manual edit, and a new image demonstrate applying, pruning, drift correction, and automation. Then it
 * stays up, tells what people do, and suggests what to try; with --tour, it walks through the commands instead. It
 * only needs Node.js and git: the cluster runs inside fluxd, and the image registry inside this process. With
 * --once, it exits by itself: with 0 if everything worked, or else with 1.
 */
import { setImmediate } from "node:timers/promises";
import { messageOf } from "@weir/base";
import { type Running, Stage, textAt, until } from "@weir/demo";
import { allWorkloadsSpec } from "@weir/flux";
import { ApiClient } from "@weir/flux/client";
import { type DemoArguments, DemoArgumentsError, parseDemoArguments, usage } from "./demo/arguments.ts";
import { lessons } from "./demo/guide/lessons.ts";
import { availableLessons } from "./demo/guide/programs.ts";
import { Workplace } from "./demo/guide/workplace.ts";
import { untilInterrupted } from "./demo/interruption.ts";
import { Keys } from "./demo/keys.ts";
import { Narration } from "./demo/narration/narration.ts";
import { Narrator } from "./demo/narrator.ts";
import { stayUp } from "./demo/stay.ts";
import { Story } from "./demo/story.ts";
import { type TourOptions, walkThrough } from "./demo/tour.ts";

/** Runs `weir demo` with the arguments that follow it, and with the programs in a folder. Resolves to the exit status. */
export async function demo(given: readonly string[], programs: string): Promise<number> {
  try {
    const args = parseDemoArguments(given);
    if (args === "help") {
      console.log(usage);
      return 0;
    }
    return await demonstrate(args, programs);
  } catch (error) {
    if (error instanceof DemoArgumentsError) {
      console.error(`Error: ${error.message}\n\n${usage}`);
      return 2;
    }
    throw error;
  }
}

/** Resolves to the exit status: 130 if it was interrupted before it had come to its end. */
async function demonstrate(args: DemoArguments, programs: string): Promise<number> {
  const signal = untilInterrupted();
  let stage: Stage | undefined;
  let status = 1;
  try {
    stage = await Stage.open(programs);
    status = await play(args, stage, signal);
  } catch (error) {
    // Ctrl-C also ends a git that this process waits for, and is noticed here one turn of the event loop later.
    await setImmediate();
    await setImmediate();
    if (signal.aborted) {
      status = 130;
    } else {
      console.error(`\nThe demo failed: ${messageOf(error)}`);
    }
  }
  const code = (await stage?.close()) ?? 0;
  if (signal.aborted) {
    console.log("\n   Stopped; nothing is left behind.");
  }
  if (code !== 0) {
    console.error(`fluxd exited with code ${code} instead of 0`);
    return 1;
  }
  return status;
}

async function play({ mode, yes }: DemoArguments, stage: Stage, signal: AbortSignal): Promise<number> {
  const narrator = new Narrator();
  const story = new Story(stage, narrator, signal);
  const running = await story.begin();
  if (mode !== "tour") {
    await story.goOn(running);
  }
  if (mode === "once") {
    return 0;
  }
  const workplace = new Workplace({
    folder: stage.folder,
    fluxctl: running.daemon.fluxctl,
    url: running.daemon.url,
    kubeconfig: running.daemon.kubeconfig,
    registry: stage.registry.folder,
    clone: stage.repository.clone,
  });
  const guided = { narrator, workplace, ...(await guide(stage, running, signal)) };
  if (mode === "tour") {
    return takeTour({ ...guided, keys: yes ? undefined : Keys.atTerminal() }, signal);
  }
  narrator.chapter("Everything keeps running, and it's your turn. In another terminal, type");
  narrator.command(`. ${workplace.file}`);
  narrator.gap();
  narrator.say("It takes you to a clone of the repository, and lets fluxctl and kubectl find this demo.");
  narrator.say("What you do there is told here. Press Ctrl-C to stop: the demo cleans up after itself.");
  await stayUp({ ...guided, assertRunning: () => running.daemon.assertRunning() }, signal);
  return 0;
}

/** What to try, and an eye on what comes of it. */
async function guide({ repository }: Stage, { daemon, cluster }: Running, signal: AbortSignal) {
  const api = new ApiClient({ url: new URL(daemon.url), token: "", env: process.env });
  const [available] = await Promise.all([
    availableLessons(lessons, daemon.fluxctl, signal),
    until("fluxd to know all commits and images", () => isCaughtUp(api, repository.head(), signal), signal),
  ]);
  return {
    lessons: available,
    narration: await Narration.start({ api, cluster, repository }, signal),
  };
}

/** True if fluxd has told of the newest commit that it's synced, so that it tells nothing old from now on. */
async function isCaughtUp(api: ApiClient, head: string, signal: AbortSignal): Promise<boolean> {
  const events = await api.events({ after: 0, waitMs: 0 }, signal);
  const query = { workload: allWorkloadsSpec, namespace: "", fields: ["Name", "Available"] } as const;
  const containers = (await api.listImages(query, signal)).flatMap((each) => each.containers);
  return (
    events.some(
      ({ type, metadata }) => type === "sync" && textAt(metadata, "commits", 0, "revision") === head,
    ) && containers.every(({ available }) => available.length > 0)
  );
}

async function takeTour(options: TourOptions, signal: AbortSignal): Promise<number> {
  const { narrator } = options;
  const failed = await walkThrough(options, signal);
  narrator.gap();
  narrator.say("That was the tour. Everything that it has started is stopped and removed now.");
  failed.forEach((topic) => narrator.saw("!", `did not go as it should: ${topic}`));
  return failed.length === 0 ? 0 : 1;
}
