/**
 * A reporter for node:test that writes one JSON line a finished test: what the run's summary is made of.
 * Suites are not counted, since their tests are.
 */
import type { TestEvent } from "node:test/reporters";

/** What became of one test. */
export interface TestOutcome {
  readonly name: string;
  readonly file: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it was skipped. */
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
    const line: TestOutcome = { name, file, outcome, reason: typeof skip === "string" ? skip : "" };
    yield `${JSON.stringify(line)}\n`;
  }
}
