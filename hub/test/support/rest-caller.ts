import assert from "node:assert/strict";
import type { Actor } from "../../src/access/actor.ts";
import { type OperationName, type Route, routes } from "../../src/contract/routes.ts";
import { type Answer, type Schemas, schemas } from "../../src/contract/schemas.ts";
import type { AuditNote, Handlers } from "../../src/operations/call.ts";
import { checkMayCall } from "../../src/operations/may-call.ts";
import { checkForm } from "../../src/rest/check-form.ts";
import { assertDescribed } from "./described.ts";

/** What a call sends. */
export interface Sent {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
}

/** Calls handlers as requests of an actor do, who must be permitted to, and checks that answers have the form of the contract. */
export class RestCaller<Names extends OperationName> {
  /** What handlers said for the audit log. */
  readonly notes: AuditNote[] = [];
  readonly #handlers: Pick<Handlers, Names>;
  readonly #actor: Actor;

  constructor(handlers: Pick<Handlers, Names>, actor: Actor) {
    this.#handlers = handlers;
    this.#actor = actor;
  }

  async call<Name extends Names>(
    name: Name,
    { path = {}, query = {}, body = {} }: Sent = {},
  ): Promise<Answer<Name>> {
    const own: Schemas = schemas[name];
    const route: Route = routes[name];
    checkMayCall(route, this.#actor, path);
    const call = {
      actor: this.#actor,
      path,
      query: own.query && checkForm(own.query, query, "query"),
      body: own.body && checkForm(own.body, body, "body"),
      origin: { address: "192.0.2.1", userAgent: "test" },
      setSession: () => undefined,
      audit: (note: AuditNote) => void this.notes.push(note),
      signal: new AbortController().signal,
    };
    const handler = this.#handlers[name] as (call: unknown) => Promise<Answer<Name>>;
    const answer = await handler(call);
    if (own.answer === undefined) {
      assert.equal(answer, undefined);
    } else {
      assert.deepEqual(own.answer.parse(JSON.parse(JSON.stringify(answer))), answer);
    }
    const sentBody = own.body === undefined ? undefined : body;
    assertDescribed(name, {
      query,
      body: sentBody,
      answer: JSON.parse(JSON.stringify(answer ?? null)) ?? undefined,
    });
    return answer;
  }
}
