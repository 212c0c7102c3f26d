import { after, before, describe } from "node:test";
import type { PGlite } from "@electric-sql/pglite";
import { silentLogger } from "@weir/base";
import { lacks, realServers } from "@weir/testing";
import { Database } from "../../src/store/database.ts";
import { EmbeddedEngine, startPglite } from "../../src/store/embedded-engine.ts";
import { migrate } from "../../src/store/migrate.ts";
import { PostgresServer } from "./postgres-server.ts";

/** Where the tests of a file get their databases. Each is empty, and belongs to one test, which disposes of it. */
export interface TestDatabases {
  readonly kind: Database["kind"];
  /** A database with all tables. */
  open(): Promise<Database>;
  /** A database without any. */
  openBlank(): Promise<Database>;
}

/** The same, on a server: several consoles can use one database. */
export interface ServerDatabases extends TestDatabases {
  readonly kind: "postgresql";
  readonly server: PostgresServer;
  /** The URL of a new database, with all tables or without any. */
  create(): Promise<string>;
  createBlank(): Promise<string>;
  /** Opens a database by its URL; at most three connections. */
  connect(url: string): Promise<Database>;
}

/** Tests where the database's behaviour is in question: on PGlite, or on PostgreSQL; one for all tests of a process. */
export function describeOnBothDatabases(title: string, tests: (databases: TestDatabases) => void): void {
  if (realServers) {
    describeOnServer(title, tests);
    return;
  }
  describe(`${title} (PGlite)`, () => {
    const databases = new EmbeddedTestDatabases();
    before(() => databases.start());
    tests(databases);
  });
}

/** Runs tests on a real PostgreSQL only: those about several consoles, or about a server that fails. */
export function describeOnServer(title: string, tests: (databases: ServerDatabases) => void): void {
  if (!realServers) {
    return;
  }
  describe(`${title} (PostgreSQL)`, { skip: lacks("PostgreSQL") }, () => {
    const databases = new ServerTestDatabases();
    before(() => databases.start());
    tests(databases);
  });
}

/** Databases on one server of the process; `template` has all tables and is copied. */
class ServerTestDatabases implements ServerDatabases {
  readonly kind = "postgresql";

  get server(): PostgresServer {
    return started(running.server);
  }

  async start(): Promise<void> {
    running.server ??= await startServer();
  }

  async open(): Promise<Database> {
    return this.connect(await this.create());
  }

  async openBlank(): Promise<Database> {
    return this.connect(await this.createBlank());
  }

  create(): Promise<string> {
    return createDatabase(this.server, "weir_template");
  }

  createBlank(): Promise<string> {
    return createDatabase(this.server, "template1");
  }

  connect(url: string): Promise<Database> {
    return Database.open({ kind: "server", url }, { log: silentLogger, connections: 3 });
  }
}

/** What this process has started, for all its tests; and the names of the tables in the PGlite, if it has all. */
const running: { server?: PostgresServer; pglite?: PGlite; tables?: string } = {};

after(async () => {
  await running.server?.[Symbol.asyncDispose]();
  await running.pglite?.close();
});

async function startServer(): Promise<PostgresServer> {
  const server = await PostgresServer.start();
  await server.administer("create database weir_template");
  const location = { kind: "server", url: server.url("weir_template") } as const;
  await using template = await Database.open(location, { log: silentLogger });
  await migrate(template);
  return server;
}

let created = 0;

async function createDatabase(server: PostgresServer, template: string): Promise<string> {
  created += 1;
  const name = `test_${created}`;
  await server.administer(`create database ${name} template ${template}`);
  return server.url(name);
}

/** Without triggers, as those of the audit log let nothing be removed. The row of `dispatch_progress` is a migration's. */
const emptyTables = `
  set session_replication_role = replica;
  do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
      execute 'delete from ' || name;
    end loop;
    perform setval(sequencename::regclass, 1, false) from pg_sequences;
  end $$;
  set session_replication_role = origin;
  insert into dispatch_progress (last_event_id) values (0)`;

async function tablesIn(pglite: PGlite): Promise<string> {
  const query =
    "select string_agg(tablename, ' ' order by tablename) as names from pg_tables where schemaname = 'public'";
  return (await pglite.query<{ names: string }>(query)).rows[0]?.names ?? "";
}

/**
 * One PGlite for all tests of the process, as it takes five seconds of processor time to start, and a migration a third of
 * a second. A test that changes the tables themselves takes a blank database, or drops one, so that the next one makes them again.
 */
class EmbeddedTestDatabases implements TestDatabases {
  readonly kind = "pglite";

  async start(): Promise<void> {
    running.pglite ??= await startPglite();
  }

  async open(): Promise<Database> {
    const pglite = started(running.pglite);
    if (running.tables !== undefined && (await tablesIn(pglite)) === running.tables) {
      await pglite.exec(emptyTables);
      return new Database(EmbeddedEngine.over(pglite));
    }
    const database = await this.openBlank();
    await migrate(database);
    running.tables = await tablesIn(pglite);
    return database;
  }

  async openBlank(): Promise<Database> {
    const pglite = started(running.pglite);
    delete running.tables;
    await pglite.exec("drop schema public cascade; create schema public");
    return new Database(EmbeddedEngine.over(pglite));
  }
}

function started<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error("the databases of this test aren't running");
  }
  return value;
}
