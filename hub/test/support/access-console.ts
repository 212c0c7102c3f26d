import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { callAll, Listeners, silentLogger, systemClock } from "@weir/base";
import { FakeClock, keepIdleConnections, RecordedLog, until } from "@weir/testing";
import { Access, type AccessOptions } from "../../src/access/access.ts";
import type { Grant } from "../../src/access/actor.ts";
import { DatabaseBus } from "../../src/bus/bus.ts";
import type { OperationName } from "../../src/contract/routes.ts";
import { accessHandlers } from "../../src/operations/access/access.ts";
import type { Handlers } from "../../src/operations/call.ts";
import { instanceHandlers } from "../../src/operations/listed-instances.ts";
import { consoleApp } from "../../src/rest/app.ts";
import { openApi } from "../../src/rest/openapi.ts";
import type { LiveChange } from "../../src/rest/stream.ts";
import { type AuditEntry, listAudit } from "../../src/store/audit.ts";
import type { Database } from "../../src/store/database.ts";
import { grantRole } from "../../src/store/roles.ts";
import { createUser } from "../../src/store/users.ts";
import { TestBrowser } from "./test-browser.ts";

const page = "<!doctype html>";

interface AccessConsoleOptions extends Partial<AccessOptions> {
  /** Instead of those of the console. */
  readonly handlers?: Partial<Handlers>;
}

/** The REST API of one console with everything about access, on a database that the test owns. */
export class AccessConsole implements AsyncDisposable {
  readonly access: Access;
  readonly database: Database;
  /** Stands still at the time of its start, unless the test moves it. */
  readonly clock: FakeClock;
  readonly log = new RecordedLog();
  readonly url: string;
  readonly #server: Server;
  readonly #bus: DatabaseBus;
  readonly #stop = new AbortController();
  readonly #busEnded: Promise<void>;
  readonly #gaps = new Listeners<() => void>();

  private constructor(
    {
      database,
      clock,
      server,
      bus,
    }: { database: Database; clock: FakeClock; server: Server; bus: DatabaseBus },
    { handlers = {}, ...options }: AccessConsoleOptions,
  ) {
    this.database = database;
    this.clock = clock;
    this.#server = server;
    this.#bus = bus;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.access = new Access({
      connection: database.connection,
      bus: {
        publish: (...message) => bus.publish(...message),
        subscribe: (topic, handler) => bus.subscribe(topic, handler),
        onGap: (handler) => this.#gaps.add(handler),
      },
      ...{ clock, logger: this.log, trustedProxies: [], hasPasswords: true },
      publicUrl: new URL(this.url),
      ...options,
    });
    this.#serve(handlers);
    bus.onGap(() => this.missMessages());
    this.#busEnded = bus.run(this.#stop.signal);
  }

  static async start(database: Database, options: AccessConsoleOptions = {}): Promise<AccessConsole> {
    const clock = new FakeClock();
    await clock.advance(Date.now());
    const bus = new DatabaseBus({ database, clock: systemClock, log: silentLogger });
    const server = createServer().listen(0, "127.0.0.1");
    keepIdleConnections(server);
    await once(server, "listening");
    let listens = false;
    bus.onGap(() => (listens = true));
    const console = new AccessConsole({ database, clock, server, bus }, options);
    await until("the bus to listen", () => listens);
    return console;
  }

  #serve(instead: Partial<Handlers>): void {
    const { access } = this;
    const { connection } = this.database;
    const own: Partial<Handlers> = {
      ...accessHandlers(access, { version: "1.2.3", flux: "ws://console/api/flux" }),
      ...instanceHandlers(connection),
      ...instead,
    };
    const app = consoleApp({
      handlers: new Proxy({} as Handlers, {
        get: (_handlers, name: OperationName) => own[name] ?? (() => Promise.resolve({})),
      }),
      gate: access.gate,
      auditor: access.audit,
      streams: {
        clock: systemClock,
        subscribe: (listener: (change: LiveChange) => void) =>
          this.#bus.subscribe("test", () => listener({ type: "reload" })),
        ended: (actor, signal) => access.endings.ended(actor, signal),
      },
      openApi: openApi("1.2.3"),
      page: (_request, response) => void response.type("html").send(page),
      isOverTls: access.publicUrl.protocol === "https:",
      logger: this.log,
      stop: this.#stop.signal,
    });
    this.#server.on("request", (request, response) => {
      const next = (): void => {
        app(request, response);
      };
      if (access.openId === undefined) {
        next();
      } else {
        access.openId.handle(request, response, next);
      }
    });
  }

  /** Says that messages of other consoles may have been missed. */
  missMessages(): void {
    callAll(this.#gaps);
  }

  /** A browser that isn't logged in. */
  browser(): TestBrowser {
    return new TestBrowser(this.url);
  }

  /** Adds a user; resolves to the ID. */
  async addUser(login: string, grants: readonly Grant[] = []): Promise<string> {
    const { connection } = this.database;
    const now = this.clock.now();
    const userId = await createUser(connection, { login, name: "", email: "", groups: [] }, now);
    for (const grant of grants) {
      await grantRole(connection, { ...grant, userId, groupName: null, createdBy: null }, now);
    }
    return userId;
  }

  /** A browser in which a new user with these roles is logged in. */
  async user(login: string, ...grants: readonly Grant[]): Promise<TestBrowser> {
    return this.logIn(await this.addUser(login, grants));
  }

  /** A browser in which a user is logged in. */
  async logIn(userId: string): Promise<TestBrowser> {
    const beginning = { userId, method: "password", address: "192.0.2.1", userAgent: "test" } as const;
    const { secret } = await this.access.sessions.begin(this.database.connection, beginning, undefined);
    const browser = this.browser();
    browser.cookies.set("weir-session", secret);
    assert.equal((await browser.call("session")).status, 200);
    return browser;
  }

  /** The audit log, the newest entry first. */
  async audited(): Promise<readonly AuditEntry[]> {
    const pageOfAll = { sort: "at", descending: true, limit: 100 } as const;
    return (await listAudit(this.database.connection, {}, pageOfAll)).items;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#busEnded;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
