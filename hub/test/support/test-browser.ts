import assert from "node:assert/strict";
import { addressOf } from "../../page/api/address.ts";
import { type OperationName, routes } from "../../src/contract/routes.ts";
import { type Answer, type Schemas, schemas } from "../../src/contract/schemas.ts";
import { assertDescribed } from "./described.ts";

/** What a call sends. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back. */
export interface Received<Name extends OperationName> {
  readonly status: number;
  /** Undefined if the call failed, and for operations without an answer. */
  readonly answer: Answer<Name> | undefined;
  /** What the problem says, without its remedy; "" if the call succeeded. */
  readonly problem: string;
  readonly headers: Headers;
}

/** What the console's page does in a browser: keeps cookies, and sends the CSRF token with each change. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  csrfToken = "";
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Calls an operation, and checks that the answer has the form of the contract. */
  async call<Name extends OperationName>(name: Name, sent: Sent = {}): Promise<Received<Name>> {
    const { method } = routes[name];
    const { body, headers = {} } = sent;
    const response = await this.fetch(addressOf(name, sent), {
      method,
      headers: {
        ...(method === "GET" || this.csrfToken === "" ? {} : { "x-csrf-token": this.csrfToken }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const value: unknown = text === "" ? undefined : JSON.parse(text);
    if (!response.ok) {
      const { detail } = value as { readonly detail: string };
      return { status: response.status, answer: undefined, problem: detail, headers: response.headers };
    }
    const { answer: schema }: Schemas = schemas[name];
    assert.deepEqual(schema?.parse(value), value);
    const answer = value as Answer<Name>;
    assertDescribed(name, { query: sent.query, body, answer });
    this.#trust(answer);
    return { status: response.status, answer, problem: "", headers: response.headers };
  }

  /** What an operation answers; fails if it's refused. */
  async ask<Name extends OperationName>(name: Name, sent: Sent = {}): Promise<Answer<Name>> {
    const { status, problem, answer } = await this.call(name, sent);
    assert.equal(status < 300, true, `${name}: ${status} ${problem}`);
    return answer as Answer<Name>;
  }

  /** Sends a request with the cookies, and keeps those that come back; follows no redirects. */
  async fetch(address: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = new Headers(init.headers);
    if (cookie !== "") {
      headers.set("cookie", cookie);
    }
    const response = await fetch(new URL(address, this.#url), { redirect: "manual", ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      const [name = "", value = ""] = pair.split("=", 2);
      if (/max-age=0/i.test(set)) {
        this.cookies.delete(name);
      } else {
        this.cookies.set(name, value);
      }
    }
    return response;
  }

  #trust(answer: unknown): void {
    if (typeof answer === "object" && answer !== null && "csrfToken" in answer) {
      this.csrfToken = String(answer.csrfToken);
    }
  }
}
