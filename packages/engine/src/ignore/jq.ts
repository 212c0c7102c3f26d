import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type Clock, Deadline, isJsonArray, type JsonValue, Mutex } from "@weir/base";
import type { JsonPath } from "./json-path.ts";
import type { PathFinder } from "./path-finder.ts";

/** What the thread is asked. */
export interface JqQuestion {
  readonly program: string;
  /** As JSON. */
  readonly documents: readonly string[];
}

/** What the thread answers. */
export interface JqAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A jq path expression can't be used. */
export class JqError extends Error {
  override readonly name = "JqError";

  constructor(expression: string, problem: string) {
    super(`cannot use the jq path expression ${JSON.stringify(expression)}: ${problem}`);
  }
}

/** How long an expression may take, after jq is loaded; in Argo CD, it's 1 s by default. */
const limitMs = 2_000;

/**
 * jq itself, compiled to WebAssembly, in a thread that has no access to files, the environment, and the network. The
 * thread starts with a question, and ends when there are no more, or when an expression takes too long. Such an
 * expression isn't tried again.
 */
export class JqThread implements PathFinder {
  readonly #clock: Clock;
  readonly #turn = new Mutex();
  readonly #tooSlow = new Map<string, JqError>();
  #worker: Promise<Worker> | undefined;
  #pending = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async find(
    expression: string,
    documents: readonly JsonValue[],
    signal: AbortSignal,
  ): Promise<readonly (readonly JsonPath[])[]> {
    this.#pending += 1;
    try {
      return await this.#turn.run(() => this.#find(expression, documents, signal), signal);
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) {
        await this.#stop();
      }
    }
  }

  async #find(
    expression: string,
    documents: readonly JsonValue[],
    signal: AbortSignal,
  ): Promise<readonly (readonly JsonPath[])[]> {
    const known = this.#tooSlow.get(expression);
    if (known !== undefined) {
      throw known;
    }
    // An expression that fails for a document, such as `.missing[]`, selects nothing in it.
    const program = `try [path(\n${expression}\n)] catch []`;
    const texts = documents.map((document) => JSON.stringify(document));
    const answer = await this.#ask({ program, documents: texts }, expression, signal);
    const lines = answer.stdout.split("\n").filter((line) => line !== "");
    if (answer.exitCode !== 0 || lines.length !== documents.length) {
      throw new JqError(expression, answer.stderr.split("\n")[0] ?? "");
    }
    return documents.map((document, index) => readPaths(document, lines[index] ?? "[]"));
  }

  async #ask(question: JqQuestion, expression: string, signal: AbortSignal): Promise<JqAnswer> {
    this.#worker ??= startWorker();
    const worker = await this.#worker;
    const late = (): JqError => new JqError(expression, `it took longer than ${limitMs / 1000} s`);
    using limit = new Deadline(this.#clock, limitMs, signal, late);
    try {
      const answered = once(worker, "message", { signal: limit.signal });
      worker.postMessage(question);
      const [answer] = (await answered) as [JqAnswer];
      return answer;
    } catch (error) {
      await this.#stop();
      signal.throwIfAborted();
      const problem = limit.expired ? late() : new JqError(expression, String(error));
      this.#tooSlow.set(expression, problem);
      throw problem;
    }
  }

  async #stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await (await worker)?.terminate();
  }
}

async function startWorker(): Promise<Worker> {
  // In the packed package, it is compiled like this file.
  const worker = new Worker(new URL(`./jq-worker${extname(import.meta.url)}`, import.meta.url), {
    env: {},
    stdout: true,
    stderr: true,
  });
  await once(worker, "message");
  return worker;
}

/** The paths as jq prints them, with places that count from the end, and slices, as indices. */
function readPaths(document: JsonValue, text: string): readonly JsonPath[] {
  const paths = JSON.parse(text) as readonly (readonly JsonValue[])[];
  return paths.flatMap((path) => spread(document, path));
}

function spread(value: JsonValue | undefined, steps: readonly JsonValue[]): readonly JsonPath[] {
  const [step, ...rest] = steps;
  if (step === undefined) {
    return value === undefined ? [] : [[]];
  }
  if (isJsonArray(value)) {
    const indices = indicesOf(value, step);
    return indices.flatMap((index) => spread(value[index], rest).map((path) => [index, ...path]));
  }
  if (
    value === null ||
    typeof value !== "object" ||
    typeof step !== "string" ||
    !Object.hasOwn(value, step)
  ) {
    return [];
  }
  return spread(value[step], rest).map((path) => [step, ...path]);
}

function indicesOf(list: readonly JsonValue[], step: JsonValue): readonly number[] {
  const all = list.map((_, index) => index);
  if (typeof step === "number") {
    return all.slice(step, step === -1 ? undefined : step + 1);
  }
  if (typeof step !== "object" || step === null || isJsonArray(step)) {
    return [];
  }
  const [start, end] = [step["start"], step["end"]];
  return all.slice(typeof start === "number" ? start : 0, typeof end === "number" ? end : undefined);
}
