import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { until } from "@weir/testing";
import { askAgain } from "../../../page/api/ask-again.ts";

/** Shows the answer to a question, and lets a test answer each time that it's asked. */
class Shown implements Disposable {
  readonly queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  readonly asked: PromiseWithResolvers<string>[] = [];
  readonly #observer = new QueryObserver<string>(this.queries, {
    queryKey: ["workloads"],
    queryFn: () => {
      const answer = Promise.withResolvers<string>();
      this.asked.push(answer);
      return answer.promise;
    },
  });
  readonly #unsubscribe = this.#observer.subscribe(() => undefined);

  get text(): string | undefined {
    return this.#observer.getCurrentResult().data;
  }

  /** Resolves when it was asked so often. */
  async wasAsked(times: number): Promise<void> {
    await until(`question ${times}`, () => this.asked.length === times);
  }

  async answer(text: string): Promise<void> {
    this.asked.at(-1)?.resolve(text);
    await until("the answer to be shown", () => this.text === text);
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.queries.clear();
  }
}

describe("asking again", () => {
  it("gets a new answer for one that's there", async () => {
    using shown = new Shown();
    await shown.answer("old");

    askAgain(shown.queries, () => true);
    await shown.wasAsked(2);
    await shown.answer("new");
  });

  it("leaves answers alone that aren't stale", async () => {
    using shown = new Shown();
    await shown.answer("old");

    askAgain(shown.queries, ({ queryKey }) => queryKey[0] === "events");

    assert.deepEqual(shown.queries.isFetching(), 0);
  });

  it("gets a new answer after the first, which was read before the change", async () => {
    using shown = new Shown();

    askAgain(shown.queries, () => true);
    await shown.answer("old");
    await shown.wasAsked(2);
    await shown.answer("new");
  });

  it("lets an answer arrive however often things change meanwhile, and asks once more then", async () => {
    using shown = new Shown();
    await shown.answer("first");
    askAgain(shown.queries, () => true);
    await shown.wasAsked(2);

    for (let change = 0; change < 5; change += 1) {
      askAgain(shown.queries, () => true);
    }
    await shown.answer("second");
    await shown.wasAsked(3);
    await shown.answer("third");

    assert.equal(shown.queries.isFetching(), 0);
    assert.equal(shown.asked.length, 3);
  });

  it("asks again after an answer that failed", async () => {
    using shown = new Shown();

    askAgain(shown.queries, () => true);
    shown.asked[0]?.reject(new Error("not now"));
    await shown.wasAsked(2);
    await shown.answer("new");
  });
});
