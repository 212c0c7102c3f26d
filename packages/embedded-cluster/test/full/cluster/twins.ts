import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { type BorrowedControlPlane, borrowControlPlane, lacks, until } from "@weir/testing";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../../src/server.ts";
import { type Answer, ask, type Dial } from "../../support/answer.ts";
import { fill, post, type Request } from "../../support/request.ts";
import { differences } from "./differences.ts";
import { Normaliser } from "./normalise.ts";

/** Requests that are sent one after the other in a namespace of their own, by what they show. */
export type Scenarios = Readonly<Record<string, readonly Request[]>>;

/**
 * Sends the same requests to the embedded cluster and to a real API server, and compares the answers whole. Where
 * they differ, the embedded one is wrong.
 */
export function describeSameAnswers(title: string, scenarios: Scenarios): void {
  describe(title, { skip: lacks("Go") }, () => {
    const twins = new Twins();
    before(() => twins.start());
    after(() => twins.stop());

    for (const [name, requests] of Object.entries(scenarios)) {
      it(name, () => twins.compare(requests));
    }
  });
}

class Twins {
  #real: BorrowedControlPlane | undefined;
  #embedded: EmbeddedCluster | undefined;

  async start(): Promise<void> {
    this.#embedded = await startEmbeddedCluster({ controllerManager: false });
    this.#real = await borrowControlPlane();
  }

  async stop(): Promise<void> {
    await this.#embedded?.stop();
    await this.#real?.stop();
  }

  /** Plays a scenario on both, and compares all that was said. */
  async compare(requests: readonly Request[]): Promise<void> {
    assert.ok(this.#real && this.#embedded);
    const namespace = `test-${randomUUID().slice(0, 8)}`;

    const [expected, said] = await Promise.all([
      play(this.#real, requests, namespace),
      play(this.#embedded, requests, namespace),
    ]);

    const found = requests.flatMap(({ method, path }, index) =>
      differences(expected[index], said[index]).map((line) => `${index + 1} (${method} ${path}) ${line}`),
    );
    assert.equal(found.join("\n"), "");
  }
}

/** The answers to a scenario, normalised. */
async function play(dial: Dial, requests: readonly Request[], namespace: string): Promise<readonly Answer[]> {
  await ask(dial, post("/api/v1/namespaces", namespaceObject(namespace)));
  const normaliser = new Normaliser();
  const answers: unknown[] = [];
  const told: Answer[] = [];
  for (const request of requests) {
    const answer = await askUntil(dial, fill(request, { namespace, answers }));
    answers.push(answer.body);
    const body = request.bodyless === true ? "" : normaliser.normalise(answer.body);
    told.push({ ...answer, body: request.inOwnWords === true ? withoutWords(body) : body });
  }
  return told;
}

function askUntil(dial: Dial, request: Request): Promise<Answer> {
  const { until: what, events } = request;
  if (what === undefined && events === undefined) {
    return ask(dial, request);
  }
  return until(`${request.path} to say ${what ?? `${events} events`}`, async () => {
    const answer = await ask(dial, request);
    const isDone = what === undefined ? eventsIn(answer.body) >= (events ?? 0) : isSettled(answer.body, what);
    return isDone && answer;
  });
}

/** How many events a stream told; one is read as that event, and none as no text. */
function eventsIn(body: unknown): number {
  return Array.isArray(body) ? body.length : body === "" ? 0 : 1;
}

/** True for that text, a document of that kind, a refusal for that reason, and an object with such a condition. */
function isSettled(body: unknown, what: string): boolean {
  if (typeof body === "string") {
    return body.trim() === what;
  }
  const { kind, reason, status } = body as Partial<Settling>;
  const isThere = (status?.conditions ?? []).some((one) => one.type === what && one.reason !== "Installing");
  return kind === what || reason === what || isThere;
}

/** As much as is looked at of a document that may be about to change. */
interface Settling {
  readonly kind: string;
  readonly reason: string;
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly reason: string }[] };
}

/** A refusal without the messages that it holds. */
function withoutWords(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === "message" ? "" : value));
}

function namespaceObject(name: string): object {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}
