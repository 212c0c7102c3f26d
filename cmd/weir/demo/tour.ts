import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Lesson } from "./guide/lesson.ts";
import type { Workplace } from "./guide/workplace.ts";
import type { Keys } from "./keys.ts";
import type { Narration } from "./narration/narration.ts";
import type { Narrator } from "./narrator.ts";

const lookEveryMs = 100;
/** How long to wait for what a lesson makes fluxd do, in looks. */
const mostLooks = 300;
/** News may come in parts; this many looks without any mean that it's all. */
const quietLooks = 4;

/** Walks through the lessons. Resolves to the topics of those that failed; rejects if aborted. */
export async function walkThrough(options: TourOptions, signal: AbortSignal): Promise<readonly string[]> {
  const { lessons, narrator, keys } = options;
  const failed: string[] = [];
  for (const lesson of lessons.filter(({ needsKeys }) => keys !== undefined || needsKeys !== true)) {
    narrator.chapter(lesson.topic);
    lesson.lines.forEach((line) => narrator.command(line));
    const answer = (await keys?.ask("Enter runs it, s skips it, q ends the tour: ", signal)) ?? "";
    if (answer.startsWith("q")) {
      break;
    }
    if (!answer.startsWith("s") && !(await take(lesson, options, signal))) {
      failed.push(lesson.topic);
    }
  }
  return failed;
}

export interface TourOptions {
  readonly lessons: readonly Lesson[];
  readonly workplace: Workplace;
  readonly narration: Narration;
  readonly narrator: Narrator;
  /** Undefined if nobody is there to press a key. */
  readonly keys: Keys | undefined;
}

/** Runs the lesson; true if it went as it should. */
async function take(
  lesson: Lesson,
  { workplace, narration, narrator }: TourOptions,
  signal: AbortSignal,
): Promise<boolean> {
  narrator.gap();
  const failure = await runLines(lesson, workplace, signal);
  if (failure !== undefined) {
    narrator.tell((await narration.look(signal)).told);
    narrator.saw("!", `that ended with exit status ${failure}`);
    return false;
  }
  if (!(await tellUntilDone(lesson, { narration, narrator }, signal))) {
    narrator.saw("!", "fluxd did nothing about it in time");
    return false;
  }
  narrator.gap();
  narrator.say(lesson.look);
  return true;
}

/** Resolves to the exit status of the line that failed, or undefined. */
async function runLines(
  { lines, statuses = [0] }: Lesson,
  workplace: Workplace,
  signal: AbortSignal,
): Promise<number | undefined> {
  for (const line of lines) {
    const status = await runLine(line, workplace, signal);
    if (!(line.startsWith("fluxctl ") ? statuses : [0]).includes(status)) {
      return status;
    }
  }
  return undefined;
}

/** Resolves to the exit status; 128 if a signal ended it. */
async function runLine(line: string, { clone, env }: Workplace, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const child = spawn("sh", ["-c", line], { cwd: clone, env, stdio: "inherit" });
  const stop = (): void => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => resolve(code ?? 128));
    });
  } finally {
    signal.removeEventListener("abort", stop);
    signal.throwIfAborted();
  }
}

/** Tells what the lesson leads to, until all is synced and quiet; false if that takes too long. */
async function tellUntilDone(
  { leadsTo }: Lesson,
  { narration, narrator }: Pick<TourOptions, "narration" | "narrator">,
  signal: AbortSignal,
): Promise<boolean> {
  let hasCome = leadsTo === undefined;
  for (let looks = 0, quiet = 0; looks < mostLooks; looks += 1, quiet += 1) {
    const { told, seen } = await narration.look(signal);
    narrator.tell(told);
    hasCome ||= seen.some((each) => each === leadsTo);
    quiet = told.length > 0 ? 0 : quiet;
    if (hasCome && quiet >= quietLooks && narration.isSynced()) {
      return true;
    }
    await sleep(lookEveryMs, undefined, { signal });
  }
  return false;
}
