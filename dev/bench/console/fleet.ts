import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLogger, systemClock } from "@weir/base";
import { freePort, TempFolder, until } from "@weir/testing";
import { newSecret } from "../../../hub/src/access/secrets.ts";
import { createApiToken } from "../../../hub/src/store/api-tokens.ts";
import { Database } from "../../../hub/src/store/database.ts";
import { createInstance } from "../../../hub/src/store/instances.ts";
import { migrate } from "../../../hub/src/store/migrate.ts";
import { grantRole } from "../../../hub/src/store/roles.ts";
import { hashOfSecret } from "../../../hub/src/store/secret-hash.ts";
import { createSession } from "../../../hub/src/store/sessions.ts";
import { createUser } from "../../../hub/src/store/users.ts";
import { residentMemory } from "../support/processes.ts";
import { note, type Row, row } from "../support/table.ts";
import { DaemonsProcess } from "./daemons-process.ts";
import { Reader } from "./reader.ts";
import { openings, Screen } from "./screen.ts";
import { bytesOfRow } from "./sizes.ts";
import { percentile, seconds } from "./times.ts";

const perSecond = 500;
const postedFor = 20;
/**
 * How long the console reads its daemons after they have connected, in milliseconds, and a browser works after it was
 * started: until they are idle.
 */
const settling = 15_000;

const program = join(import.meta.dirname, "..", "..", "..", "dist", "weir-console");

/**
 * Measures the console as delivered with this many daemons, which have ten workloads each: memory, a restart, events
 * until they have arrived at somebody who watches, and pages of lists.
 */
export async function measureFleet(databaseUrl: string, daemons: number): Promise<readonly Row[]> {
  const port = await freePort();
  await using database = await Database.open(
    { kind: "server", url: databaseUrl },
    { log: silentLogger, connections: 2 },
  );
  await migrate(database);
  const url = `http://127.0.0.1:${port}`;
  const { token, session } = await prepare(database, daemons);
  const reader = new Reader(url, token);
  using folder = new TempFolder();
  const launch = { databaseUrl, port, folder: folder.path };
  const first = await RunningConsole.start(launch);
  await using fleet = new DaemonsProcess(`${url}/api/flux`, daemons);
  const connecting = await seconds(() => fleet.allConnected());
  const reading = await seconds(() => untilAllAreRead(database, daemons));
  const loaded = first.memory();
  await first[Symbol.asyncDispose]();
  await until("the daemons to notice", async () => (await fleet.connected()) === 0);
  await using second = await RunningConsole.start(launch);
  const reconnecting = await seconds(() => fleet.allConnected());
  await systemClock.sleep(settling, new AbortController().signal);
  const idlePages = await timesOfPages(reader);
  const facets = await timesOfFacets(reader);
  const opening = await openings(url, session, 9);
  const stop = new AbortController();
  const ages = reader.agesOfEvents(stop.signal);
  const posted = await fleet.post(perSecond, postedFor);
  const busyPages = await timesOfPages(reader);
  await systemClock.sleep(2_000, stop.signal);
  stop.abort();
  const arrived = await ages;
  const shown = await timesOnScreen({ url, session, fleet });
  return [
    note("until all are connected, at first", connecting, "s"),
    note("until all of their workloads are stored, after that", reading, "s"),
    row("resident memory of the console then", { measured: loaded, limit: 512, unit: "MiB" }),
    row("until all are connected again, once the console is back", {
      measured: reconnecting,
      limit: 30,
      unit: "s",
    }),
    row(`${perSecond * postedFor} events posted and stored`, {
      measured: posted.seconds,
      limit: postedFor * 1.05,
      unit: "s",
    }),
    note("of these accepted", posted.accepted, "events"),
    note("of these arrived at who watches", arrived.length, "events"),
    note("from posting an event until it has arrived, median", percentile(arrived, 0.5), "ms"),
    row("the same, 99th percentile", {
      measured: percentile(arrived, 0.99),
      limit: 1_000,
      unit: "ms",
    }),
    note("with a browser instead, of as many events shown on its screen", shown.length, "events"),
    note("from posting an event until it was on the screen, median", percentile(shown, 0.5), "ms"),
    row("the same, 99th percentile", { measured: percentile(shown, 0.99), limit: 1_000, unit: "ms" }),
    row(`a page of 50 of ${daemons * 10} workloads, 95th percentile`, {
      measured: percentile(idlePages, 0.95) * 1000,
      limit: 100,
      unit: "ms",
    }),
    row("what the list can be narrowed down to, 95th percentile", {
      measured: percentile(facets, 0.95) * 1000,
      limit: 100,
      unit: "ms",
    }),
    row("from an empty cache until the list of workloads can be used in a browser, median", {
      measured: percentile(
        opening.map(({ usable }) => usable),
        0.5,
      ),
      limit: 1,
      unit: "s",
    }),
    note(
      "until Playwright has clicked there",
      percentile(
        opening.map(({ clicked }) => clicked),
        0.5,
      ),
      "s",
    ),
    note("a workload in the database, with its indexes", await bytesOfRow(database, "workloads"), "B"),
    note("an event in the database, with its indexes", await bytesOfRow(database, "events"), "B"),
    note("a page right after the events", percentile(busyPages, 0.95) * 1000, "ms"),
    row("resident memory of the console at the end", { measured: second.memory(), limit: 512, unit: "MiB" }),
  ];
}

/** Posts the events once more while somebody looks at the timeline; resolves to how old each was when it was shown. */
async function timesOnScreen({
  url,
  session,
  fleet,
}: {
  readonly url: string;
  readonly session: string;
  readonly fleet: DaemonsProcess;
}): Promise<readonly number[]> {
  await using screen = await Screen.open(url, session);
  await systemClock.sleep(settling, new AbortController().signal);
  await fleet.post(perSecond, postedFor);
  await systemClock.sleep(2_000, new AbortController().signal);
  return await screen.ages();
}

/** Adds the instances, and somebody who may read everything; resolves to a token and a session of theirs. */
async function prepare(
  { connection }: Database,
  daemons: number,
): Promise<{ readonly token: string; readonly session: string }> {
  const now = Date.now();
  for (let index = 0; index < daemons; index += 1) {
    const name = `instance-${index}`;
    await createInstance(connection, { name, description: "", tokenHash: hashOfSecret(name) }, now);
  }
  const user = { login: "ann", name: "Ann", email: "", groups: [] };
  const userId = await createUser(connection, user, now);
  const everywhere = { userId, groupName: null, instanceId: null, namespace: null };
  await grantRole(connection, { ...everywhere, role: "administrator", createdBy: null }, now);
  const secret = newSecret("token");
  const limits = { scopes: ["read"], instanceId: null, namespace: null, expiresAt: null };
  await createApiToken(
    connection,
    { ...limits, userId, name: "bench", tokenHash: hashOfSecret(secret) },
    now,
  );
  const session = newSecret("session");
  const beginning = { userId, method: "password", address: "", userAgent: "bench" } as const;
  const expiresAt = new Date(now + 3_600_000);
  await createSession(connection, { ...beginning, tokenHash: hashOfSecret(session), expiresAt }, now);
  return { token: secret, session };
}

async function untilAllAreRead({ connection }: Database, daemons: number): Promise<void> {
  await until(
    "the workloads of all daemons",
    async () => {
      const { count } = await connection
        .selectFrom("workloads")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count) === daemons * 10;
    },
    180,
  );
}

const sorts = ["id", "-id", "health", "-changedAt", "newImages"];
const filters = ["", "&q=web-7", "&namespace=shop", "&health=healthy", "&policy=automated"];

/** In seconds: the first four pages in each order and with each filter. */
async function timesOfPages(reader: Reader): Promise<readonly number[]> {
  const times: number[] = [];
  for (const sort of sorts) {
    for (const filter of filters) {
      let cursor = "";
      for (let page = 0; page < 4; page += 1) {
        times.push(
          await seconds(async () => {
            const answer = await reader.get(`/workloads?limit=50&sort=${sort}${filter}${cursor}`);
            const { next } = answer as { readonly next: string | null };
            cursor = next === null ? "" : `&cursor=${encodeURIComponent(next)}`;
          }),
        );
      }
    }
  }
  return times;
}

/** In seconds: as often as pages, with each filter. */
async function timesOfFacets(reader: Reader): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    for (const filter of filters) {
      times.push(await seconds(() => reader.get(`/workload-facets?${filter.slice(1)}`)));
    }
  }
  return times;
}

interface Launch {
  readonly databaseUrl: string;
  readonly port: number;
  /** For its key. */
  readonly folder: string;
}

/** The console as delivered. */
class RunningConsole implements AsyncDisposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start({ databaseUrl, port, folder }: Launch): Promise<RunningConsole> {
    const key = join(folder, "key");
    writeFileSync(key, `${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 });
    const child = spawn(program, ["serve", `--listen=127.0.0.1:${port}`, `--secret-key-file=${key}`], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      stdio: ["ignore", "ignore", "inherit"],
    });
    await until("the console to be ready", async () => {
      if (child.exitCode !== null) {
        return true;
      }
      const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`);
      return ok;
    });
    if (child.exitCode !== null) {
      throw new Error(`the console has ended with ${child.exitCode}`);
    }
    return new RunningConsole(child);
  }

  /** In MiB. */
  memory(): number {
    return residentMemory(this.#child.pid ?? 0).now;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}
