import assert from "node:assert/strict";
import { it } from "node:test";
import { readTable } from "../../../../test/support/parity.ts";
import { RawDaemon } from "../../../../test/support/raw-daemon.ts";
import { describeOnServer, type ServerDatabases } from "../../support/databases.ts";
import { TestConsole } from "../../support/test-console.ts";

/** A request to Flux's API, what Flux v1 asks the daemon for it in a version of the protocol, and all answers. */
interface Row {
  readonly version: number;
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly calls: readonly string[];
  readonly answers: readonly string[];
  readonly status: number;
  readonly type: string;
  readonly answer: string;
}

const token = "t0ken";

/** Recorded with Flux 1.25.4's own server, RPC clients of each version, and RPC server; v6 without envelopes. */
const rows = readTable("upstream/recorded-calls.jsonl") as readonly Row[];

/** What was recorded of Flux v1 and isn't kept; docs/differences.md says so, and other tests show what is done. */
const mended: readonly ((row: Row) => boolean)[] = [
  // No daemon of Flux v1 ever served this call of version 11.
  ({ answer }) => answer.includes("can't find method RPCServer.ListServicesWithOptions"),
  // Older daemons are asked to sync.
  ({ version, path }) => version < 9 && path === "/v11/notify",
];
const kept = rows.filter((row) => !mended.some((isMended) => isMended(row)));
const groups = Map.groupBy(kept, ({ version, what }) => `version ${version}, ${what}`);

describeOnServer("a console between a recorded daemon and a client", (databases) => {
  for (const [title, group] of groups) {
    it(`asks and answers as Flux v1 does: ${title}`, async () => {
      await using played = await Played.start(databases, group);

      for (const row of group) {
        const { asked, ...answered } = await played.play(row);

        const { status, type } = row;
        const expected = { status, type, answer: withoutSecondAnswer(row) };
        assert.deepEqual(answered, expected, `${row.method} ${row.path} ${row.body ?? ""}`);
        for (const call of neededCalls(row).map(withoutId)) {
          assert.ok(asked.includes(call), `${row.method} ${row.path}: ${call} isn't in\n${asked.join("\n")}`);
        }
      }
    });
  }
});

/** A console with a daemon that gives the recorded answers. */
class Played implements AsyncDisposable {
  readonly #console: TestConsole;
  readonly #daemon: RawDaemon;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(console: TestConsole, daemon: RawDaemon, cleanup: AsyncDisposableStack) {
    this.#console = console;
    this.#daemon = daemon;
    this.#cleanup = cleanup;
  }

  static async start(databases: ServerDatabases, group: readonly Row[]): Promise<Played> {
    const cleanup = new AsyncDisposableStack();
    const console = cleanup.use(await TestConsole.start(cleanup.use(await databases.open())));
    const instanceId = await console.addInstance("prod", token);
    const recorded = new Map(
      group.flatMap(({ calls, answers }) => calls.map((call, at) => [withoutId(call), answers[at] ?? ""])),
    );
    const url = `${console.url}/v${group[0]?.version}/daemon`;
    const daemon = cleanup.use(
      await RawDaemon.connect({ url, token }, (line) =>
        withId(recorded.get(withoutId(line)) ?? unknown, line),
      ),
    );
    await console.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);
    return new Played(console, daemon, cleanup);
  }

  async play({ method, path, body }: Row): Promise<Answered> {
    const before = this.#daemon.asked.length;
    const response = await fetch(`${this.#console.url}${path}`, {
      method,
      headers: { Authorization: `Scope-Probe token=${token}`, Accept: "application/json" },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      answer: await response.text(),
      asked: this.#daemon.asked.slice(before).map(withoutId),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}

interface Answered {
  readonly status: number;
  readonly type: string;
  readonly answer: string;
  readonly asked: readonly string[];
}

/** Flux v1 sends the empty settings right after an error; fluxctl can't read what comes of that. */
function withoutSecondAnswer({ path, status, answer }: Row): string {
  return path === "/v9/git-repo-config" && status !== 200 ? answer.replace(/\{"remote":.*$/, "") : answer;
}

/** For the images of a namespace, Flux v1 asks a daemon before version 10 for the workloads of all. */
function neededCalls({ version, path, calls }: Row): readonly string[] {
  const isOfNamespace = version < 10 && path.startsWith("/v10/images") && path.includes("namespace=");
  return isOfNamespace ? calls.filter((call) => !call.includes("RPCServer.ListServices")) : calls;
}

/** What the console asks on its own account, and Flux v1 never did. */
const unknown = `{"id":0,"result":null,"error":"rpc: can't find method"}\n`;

const idAtEnd = /,"id":([^,}]+)\}\n?$/;

function withoutId(call: string): string {
  return call.replace(idAtEnd, "}");
}

function withId(answer: string, call: string): string {
  return answer.replace(/^\{"id":\d+/, `{"id":${idAtEnd.exec(call)?.[1] ?? "null"}`);
}
