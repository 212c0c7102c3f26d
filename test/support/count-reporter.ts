/**
 * A reporter for node:test that writes one JSON line a finished test: what the run's summary is made of.
 * Suites are not counted, since their tests are.
 */
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

/** What became of one test. */
export interface TestOutcome {
  readonly name: string;
  readonly file: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it was skipped, or what failed with where. */
  readonly reason: string;
}

type Finished = Extract<TestEvent, { type: "test:fail" | "test:pass" }>;

/** How much is kept of what a file complains of, in characters. */
const longestComplaint = 3000;

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const complaints = new Map<string, string>();
  for await (const event of events) {
    if (event.type === "test:stderr") {
      const { file, message } = event.data;
      complaints.set(file, `${complaints.get(file) ?? ""}${message}`.slice(-longestComplaint));
    }
    if (event.type !== "test:pass" && event.type !== "test:fail") {
      continue;
    }
    const { name, file = "", skip, details } = event.data;
    const isSuite = details.type === "suite";
    const failed = event.type === "test:fail";
    if (isSuite && !failed) {
      continue;
    }
    const outcome = failed ? "failed" : skip === undefined || skip === false ? "passed" : "skipped";
    const reason = crashOf(event, complaints) ?? ("error" in details ? inspect(details.error.cause) : skip);
    const line: TestOutcome = { name, file, outcome, reason: typeof reason === "string" ? reason : "" };
    yield `${JSON.stringify(line)}\n`;
  }
}

/**
 * How the process of a file ended, and what it complained of before: then no test of the file says so. Undefined where a
 * test has failed, or nothing.
 */
function crashOf({ data }: Finished, complaints: ReadonlyMap<string, string>): string | undefined {
  const error: object | undefined = "error" in data.details ? data.details.error : undefined;
  if (error === undefined || !("exitCode" in error) || !("signal" in error)) {
    return undefined;
  }
  const { exitCode, signal } = error;
  const end = typeof signal === "string" ? `by ${signal}` : `with exit code ${String(exitCode)}`;
  return `the file's process ended ${end}; its standard error ends with:\n${complaints.get(data.name) ?? "(nothing)"}`;
}
