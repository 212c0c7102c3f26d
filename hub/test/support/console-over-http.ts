import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { silentLogger, systemClock } from "@weir/base";
import { keepIdleConnections } from "@weir/testing";
import type { Actor, Grant } from "../../src/access/actor.ts";
import type { AuditRecord } from "../../src/access/auditor.ts";
import { actorOfToken } from "../../src/access/credentials.ts";
import type { OperationName } from "../../src/contract/routes.ts";
import type { Answer } from "../../src/contract/schemas.ts";
import { jobAdmission } from "../../src/operations/admission.ts";
import type { Handlers } from "../../src/operations/call.ts";
import { operationHandlers } from "../../src/operations/handlers.ts";
import { instanceHandlers } from "../../src/operations/listed-instances.ts";
import { workloadHandlers } from "../../src/operations/listed-workloads.ts";
import { consoleApp } from "../../src/rest/app.ts";
import { createApiToken, type NewApiToken } from "../../src/store/api-tokens.ts";
import type { Database } from "../../src/store/database.ts";
import { grantRole } from "../../src/store/roles.ts";
import { createUser } from "../../src/store/users.ts";
import { RecordedAudit } from "./recorded-audit.ts";
import { type Received, type Sent as SentByBrowser, TestBrowser } from "./test-browser.ts";
import { TestConsole } from "./test-console.ts";

type Handled = ReturnType<typeof operationHandlers> &
  ReturnType<typeof instanceHandlers> &
  ReturnType<typeof workloadHandlers>;

/** The operations about instances and daemons, over HTTP, for people whose bearer tokens are their names. */
export class ConsoleOverHttp implements AsyncDisposable {
  readonly console: TestConsole;
  readonly #audit = new RecordedAudit();
  readonly #server: Server;
  readonly #people = new Map<string, Actor>();

  private constructor(console: TestConsole) {
    this.console = console;
    const { database, hub, bus, url } = console;
    const handlers: Handled = {
      ...instanceHandlers(database.connection),
      ...workloadHandlers(database.connection),
      ...operationHandlers({
        ...{ database, hub, clock: systemClock, connectTo: url.replace("http", "ws") },
        bus,
      }),
    };
    const app = consoleApp({
      handlers: handlers as Handlers,
      gate: {
        identify: ({ headers }) =>
          Promise.resolve(this.#people.get(headers.authorization?.replace("Bearer ", "") ?? "")),
        origin: () => ({ address: "192.0.2.1", userAgent: "test" }),
        setSession: () => undefined,
      },
      auditor: this.#audit,
      streams: {
        clock: systemClock,
        subscribe: () => () => undefined,
        ended: () => new Promise(() => undefined),
      },
      openApi: {},
      page: (_request, response) => void response.sendStatus(404),
      isOverTls: false,
      logger: silentLogger,
      stop: new AbortController().signal,
    });
    this.#server = createServer(app);
    keepIdleConnections(this.#server);
  }

  static async start(database: Database): Promise<ConsoleOverHttp> {
    const admitJob = jobAdmission({ database, clock: systemClock });
    const over = new ConsoleOverHttp(await TestConsole.start(database, { admitJob }));
    over.#server.listen(0, "127.0.0.1");
    await once(over.#server, "listening");
    return over;
  }

  /** What was done, or tried. */
  get audited(): readonly AuditRecord[] {
    return this.#audit.records;
  }

  /** Adds somebody who has these roles. */
  async addPerson(name: string, ...grants: readonly Partial<Grant>[]): Promise<void> {
    const user = { login: name, name, email: "", groups: [] };
    const userId = await createUser(this.console.database.connection, user, systemClock.now());
    const roles = grants.map((grant) => ({
      ...{ role: "viewer" as const, instanceId: null, namespace: null },
      ...grant,
    }));
    for (const role of roles) {
      const given = { ...role, userId, groupName: null, createdBy: null };
      await grantRole(this.console.database.connection, given, systemClock.now());
    }
    this.#people.set(name, { kind: "user", userId, credentialId: name, name, grants: roles });
  }

  /** Adds an API token of somebody, which is used by its name; resolves to its ID. */
  async addToken(
    name: string,
    owner: string,
    limits: { readonly scopes: readonly string[] } & Partial<NewApiToken>,
  ): Promise<string> {
    const { connection } = this.console.database;
    const { userId } = this.person(owner);
    const now = systemClock.now();
    const token = { userId, name, tokenHash: name, instanceId: null, namespace: null, expiresAt: null };
    const id = await createApiToken(connection, { ...token, ...limits }, now);
    const { actor } = (await actorOfToken(connection, { id }, now)) ?? assert.fail(`${name} doesn't work`);
    this.#people.set(name, actor);
    return id;
  }

  /** Somebody who was added. */
  person(name: string): Actor {
    return this.#people.get(name) ?? assert.fail(`there is no ${name}`);
  }

  /** Calls an operation as somebody. */
  call<Name extends keyof Handled & OperationName>(
    person: string,
    name: Name,
    sent: Sent,
  ): Promise<Received<Name>> {
    return this.#browser().call(name, as(person, sent));
  }

  /** Like `call`, but rejects if the answer is a problem. */
  ask<Name extends keyof Handled & OperationName>(
    person: string,
    name: Name,
    sent: Sent,
  ): Promise<Answer<Name>> {
    return this.#browser().ask(name, as(person, sent));
  }

  /** Like `call`, but resolves to the status and what's wrong; rejects if there's no problem. */
  async refusal(person: string, name: keyof Handled & OperationName, sent: Sent): Promise<string> {
    const { status, problem } = await this.call(person, name, sent);
    assert.notEqual(problem, "", `${name} was answered`);
    return `${status} ${problem}`;
  }

  #browser(): TestBrowser {
    return new TestBrowser(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.console[Symbol.asyncDispose]();
  }
}

function as(person: string, { path = {}, ...sent }: Sent): SentByBrowser {
  return { ...sent, params: path, headers: { authorization: `Bearer ${person}` } };
}

interface Sent {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}
