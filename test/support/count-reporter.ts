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

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
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
    const reason = "error" in details ? inspect(details.error.cause) : skip;
    const line: TestOutcome = { name, file, outcome, reason: typeof reason === "string" ? reason : "" };
    yield `${JSON.stringify(line)}\n`;
  }
}
