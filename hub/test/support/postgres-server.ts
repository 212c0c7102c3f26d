import { execFile } from "node:child_process";
import { chownSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram, KeptProcess, TempFolder, until } from "@weir/testing";
import pg from "pg";

const run = promisify(execFile);

/** Settings for data that nobody needs after the test, and for many small databases. */
const settings = [
  "listen_addresses=",
  "fsync=off",
  "full_page_writes=off",
  "synchronous_commit=off",
  "max_connections=200",
  "shared_buffers=64MB",
  "autovacuum_naptime=5s",
];

/** A real PostgreSQL in a folder of its own, behind a Unix socket. It refuses to run as root, so then as another user. */
export class PostgresServer implements AsyncDisposable {
  readonly #folder: TempFolder;
  readonly #admin: pg.Pool;
  #process: KeptProcess | undefined;
  #starts = 0;

  private constructor(folder: TempFolder) {
    this.#folder = folder;
    this.#admin = new pg.Pool({ connectionString: this.url("postgres"), max: 2 });
    this.#admin.on("error", () => undefined);
  }

  static async start(): Promise<PostgresServer> {
    const folder = new TempFolder();
    const user = serverUser();
    if (user !== undefined) {
      chownSync(folder.path, user.uid, user.gid);
    }
    const options = ["--username=weir", "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"];
    const [program, ...args] = asUser("initdb", [`--pgdata=${join(folder.path, "data")}`, ...options]);
    await run(program, args, { cwd: "/" });
    const server = new PostgresServer(folder);
    await server.start();
    return server;
  }

  /** The URL of one of its databases. */
  url(database: string): string {
    return `postgresql://weir@/${database}?host=${encodeURIComponent(this.#folder.path)}`;
  }

  /** Runs a statement about databases, or about the server. */
  async administer(statement: string): Promise<void> {
    await this.#admin.query(statement);
  }

  /** Starts it again, with the data that it had. */
  async start(): Promise<void> {
    // After a kill, the processes of its connections take a moment to notice; until then, a new server ends at once.
    await until("the server before to be gone", async () => (await this.#tryToStart()) === "started");
  }

  async #tryToStart(): Promise<"started" | "in use"> {
    const options = [...settings, `unix_socket_directories=${this.#folder.path}`].flatMap((each) => [
      "-c",
      each,
    ]);
    const [program, ...args] = asUser("postgres", ["-D", join(this.#folder.path, "data"), ...options]);
    this.#starts += 1;
    const log = join(this.#folder.path, `log-${this.#starts}`);
    const process = new KeptProcess(program, args, log);
    this.#process = process;
    return until("PostgreSQL to answer", async () => {
      if (process.ended && readFileSync(log, "utf8").includes("is still in use")) {
        return "in use";
      }
      process.check();
      return (await this.#admin.query("select 1")).rowCount === 1 && "started";
    });
  }

  /** Ends all connections and stops, in the way in which an administrator does. */
  async stop(): Promise<void> {
    const data = join(this.#folder.path, "data");
    if (this.#process !== undefined && existsSync(join(data, "postmaster.pid"))) {
      const [program, ...args] = asUser("pg_ctl", ["stop", "-D", data, "-m", "fast", "-w"]);
      await run(program, args, { cwd: "/" });
    }
    await this.#process?.stop();
    this.#process = undefined;
  }

  /** Stops without warning, as after a loss of power. */
  async kill(): Promise<void> {
    await this.#process?.stop();
    this.#process = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#admin.end();
    await this.stop();
    this.#folder[Symbol.dispose]();
  }
}

/** A command line that runs a program of PostgreSQL as a user that it accepts. */
function asUser(program: string, args: readonly string[]): [string, ...string[]] {
  const command = [findProgram(program) ?? program, ...args] as const;
  const user = serverUser();
  return user === undefined
    ? [...command]
    : ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", ...command];
}

/** If this process is root's, the user that Debian's package makes, or else nobody. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const [, , uid, gid] =
    users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
