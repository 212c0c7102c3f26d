import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Keyboard } from "../../cmd/fluxctl/terminal.ts";
import { askBefore, callBefore } from "../support/fluxctl.ts";
import type { ApiAnswer, ApiCall } from "../support/scripted-api.ts";

const revision = "0123456789abcdef0123456789abcdef01234567";
const app = "default:deployment/app";
const web = "default:deployment/web";
const appUpdate = { Container: "main", Current: "app:1", Target: "app:2" };
const webUpdate = { Container: "main", Current: "web:1", Target: "web:2" };
const result = {
  [app]: { Status: "success", PerContainer: [appUpdate] },
  [web]: { Status: "success", PerContainer: [webUpdate] },
};
const table = `WORKLOAD                STATUS   UPDATES
default:deployment/app  success  main: app:1 -> 2
default:deployment/web  success  main: web:1 -> 2
`;

/** A daemon that makes every update, with those results one after the other, and syncs at once. */
class Daemon {
  readonly results: object[];
  readonly others: (call: ApiCall) => ApiAnswer | undefined;

  constructor(
    results: readonly object[],
    others: (call: ApiCall) => ApiAnswer | undefined = () => undefined,
  ) {
    this.results = [...results];
    this.others = others;
  }

  readonly answer = (call: ApiCall): ApiAnswer | undefined => {
    const other = this.others(call);
    if (other !== undefined) {
      return other;
    }
    if (call.line === "POST /v9/update-manifests") {
      return { json: "job" };
    }
    if (call.line === "GET /v6/jobs?id=job") {
      return { json: { Result: this.results.shift() ?? {}, Err: "", StatusString: "succeeded" } };
    }
    return call.line === `GET /v6/sync?ref=${revision}` ? { json: [] } : undefined;
  };
}

function updatesIn(calls: readonly ApiCall[]): readonly unknown[] {
  return calls.filter(({ line }) => line === "POST /v9/update-manifests").map(({ body }) => body);
}

describe("fluxctl release", () => {
  const spec = (given: object): object => ({
    type: "image",
    cause: { Message: "", User: "" },
    spec: {
      ServiceSpecs: ["<all>"],
      ImageSpec: "<all latest>",
      Kind: "execute",
      Excludes: null,
      Force: false,
      ...given,
    },
  });

  for (const [args, given] of [
    [["--all", "--update-all-images"], {}],
    [["--all", "-i", "quay.io/o/app:2"], { ImageSpec: "quay.io/o/app:2" }],
    [
      ["--workload=deployment/app,other:Deployment/x", "-n", "ns", "-i", "a:1"],
      { ServiceSpecs: ["ns:deployment/app", "other:deployment/x"], ImageSpec: "a:1" },
    ],
    [["--all", "--workload=deployment/app", "--update-all-images"], {}],
    [["--all", "--update-all-images", "--exclude=deployment/app"], { Excludes: [app] }],
    [
      ["--workload=deployment/app", "-i", "a:1", "-f"],
      { ServiceSpecs: [app], ImageSpec: "a:1", Force: true },
    ],
  ] as const) {
    it(`asks with "${args.join(" ")}" for what is meant, and tells what was done`, async () => {
      const daemon = new Daemon([{ revision, result }]);

      const { calls, result: released } = await askBefore(daemon.answer, ["release", ...args]);

      assert.deepEqual(updatesIn(calls), [spec(given)]);
      assert.deepEqual(released, {
        exit: 0,
        stdout: table,
        stderr: "Submitting release ...\nCommit pushed:\t0123456\nCommit applied:\t0123456\n",
      });
    });
  }

  it("only looks with --dry-run", async () => {
    const daemon = new Daemon([{ result }]);
    const args = ["release", "--all", "--update-all-images", "--dry-run"];

    const { stdout, stderr, calls } = await askBefore(daemon.answer, args);

    assert.deepEqual(updatesIn(calls), [spec({ Kind: "plan" })]);
    assert.deepEqual([stdout, stderr], [table, "Submitting dry-run release ...\n"]);
  });

  it("warns where --force has less effect than it seems", async () => {
    const daemon = new Daemon([{}, {}]);
    const everyImage = ["release", "--workload=deployment/a", "--update-all-images", "-f"];

    const all = await callBefore(daemon.answer, ["release", "--all", "-i", "a:1", "-f"]);
    const latest = await callBefore(daemon.answer, everyImage);

    assert.match(
      all.stderr,
      /^Warning: --force will not ignore locked workloads when used with --all\nSubmitting/,
    );
    assert.match(
      latest.stderr,
      /^Warning: --force will not ignore container image tags when used with --update-all-images\nSubmitting release \.\.\.\nNothing to do\n$/,
    );
  });

  it("fails with the help that the daemon gives to a dry run it cannot do", async () => {
    const refusal = { type: "user", help: "Help yourself.\n", error: "no" };
    const { exit, stderr } = await callBefore(
      () => ({ status: 422, json: refusal }),
      ["release", "--all", "--update-all-images", "--dry-run"],
    );

    assert.deepEqual(
      [exit, stderr],
      [1, "Submitting dry-run release ...\n== Error ==\n\nHelp yourself.\n\n"],
    );
  });

  it("does not fail where the commit is not applied in time, and says what to do", async () => {
    const daemon = new Daemon([{ revision, result }], ({ line }) =>
      line.startsWith("GET /v6/sync") ? { json: [revision] } : undefined,
    );
    const { exit, stderr } = await callBefore(daemon.answer, [
      "release",
      "--all",
      "--update-all-images",
      "--timeout=100ms",
    ]);

    assert.equal(exit, 0);
    assert.match(
      stderr,
      /Commit pushed:\t0123456\n\nThe operation succeeded, but we timed out[^]*\n {4}fluxctl sync\n/,
    );
  });

  it("gives up where the job takes too long", async () => {
    const running = { Result: {}, Err: "", StatusString: "running" };
    const daemon = new Daemon([], ({ line }) =>
      line.startsWith("GET /v6/jobs") ? { json: running } : undefined,
    );
    const { exit, stderr } = await callBefore(daemon.answer, [
      "release",
      "--all",
      "--update-all-images",
      "--timeout=100ms",
    ]);

    assert.equal(exit, 1);
    assert.equal(stderr, "Submitting release ...\nError: timeout\nRun 'fluxctl release --help' for usage.\n");
  });
});

describe("fluxctl release --watch", () => {
  function workload(id: string, status: string, rollout: object): object {
    return {
      ID: id,
      Containers: [{ Name: "main", Current: { ID: "app:2", Labels: {} } }],
      Status: status,
      Rollout: rollout,
    };
  }

  async function watched(...looks: readonly (readonly object[])[]) {
    const left = [...looks];
    const daemon = new Daemon([{ revision, result }], ({ line }) =>
      line.startsWith("GET /v11/services") ? { json: left.shift() } : undefined,
    );
    const args = ["release", "--all", "--update-all-images", "--watch"];
    const asked = await askBefore(daemon.answer, args);
    return { ...asked, looks: asked.lines.filter((line) => line.startsWith("GET /v11/services")) };
  }

  it("shows what was released until all of it is ready", async () => {
    const { exit, stdout, stderr, looks } = await watched(
      [
        workload(app, "updating", { Updated: 1, Desired: 2 }),
        workload(web, "ready", { Updated: 1, Desired: 1 }),
      ],
      [
        workload(app, "ready", { Updated: 2, Desired: 2 }),
        workload(web, "ready", { Updated: 1, Desired: 1 }),
      ],
    );

    assert.equal(exit, 0);
    assert.match(stderr, /Commit applied:\t0123456\nMonitoring rollout \.\.\.\nAll workloads ready\.\n$/);
    assert.deepEqual(stdout.match(/\d\/\d$/gm), ["1/2", "1/1", "2/2", "1/1"]);
    assert.equal(looks[0], `GET /v11/services?namespace=&services=${encodeURIComponent(`${app},${web}`)}`);
  });

  it("fails at the first workload that something stands in the way of", async () => {
    const { exit, stderr } = await watched([workload(app, "error", { Messages: ["no room", "no luck"] })]);

    assert.equal(exit, 1);
    assert.match(
      stderr,
      /There was a problem releasing default:deployment\/app:\nno room\nno luck\nError: the rollout of default:deployment\/app has a problem\n/,
    );
  });
});

describe("fluxctl release --interactive", () => {
  /** Runs it before a keyboard on which those keys are pressed. */
  async function run(
    keys: readonly string[],
    results: readonly object[],
    args: readonly string[] = [],
    columns = 40,
  ) {
    let keyboardGivenBack = false;
    const keyboard: Keyboard = {
      input: ReadableStream.from(keys),
      [Symbol.dispose]: () => (keyboardGivenBack = true),
    };
    const { calls, result: printed } = await askBefore(
      new Daemon(results).answer,
      ["release", "--all", "--update-all-images", "--interactive", "--user=", ...args],
      {
        env: { NO_COLOR: "1" },
        screen: { columns: () => columns, rows: () => 24 },
        openKeyboard: () => keyboard,
      },
    );
    return { ...printed, keyboardGivenBack, second: updatesIn(calls)[1] };
  }

  const containers = (given: object): object => ({
    type: "containers",
    cause: { Message: "", User: "" },
    spec: {
      Kind: "execute",
      ContainerSpecs: { [app]: [appUpdate] },
      SkipMismatches: false,
      Force: false,
      ...given,
    },
  });

  it("releases what is chosen, and nothing else", async () => {
    const { exit, stdout, stderr, second, keyboardGivenBack } = await run(
      ["j", " ", "\r"],
      [{ result }, { revision, result: { [app]: result[app] } }],
    );

    assert.equal(exit, 0);
    assert.deepEqual(second, containers({}));
    assert.equal(
      stderr,
      "Submitting dry-run release ...\nSubmitting selected release ...\nCommit pushed:\t0123456\nCommit applied:\t0123456\n",
    );
    assert.match(
      stdout,
      /⇒ ◯ default:deployment\/web[^]*default:deployment\/app {2}success {2}main: app:1 -> 2\n$/,
    );
    assert.ok(stdout.includes("\x1b[9A"), "draws over the lines of before, the long ones of which take two");
    assert.ok(stdout.indexOf("\x1b[?25l") < stdout.indexOf("\x1b[?25h"), "shows the cursor again");
    assert.ok(keyboardGivenBack);
  });

  it("takes a screen of unknown width for one that is wide enough", async () => {
    const { stdout } = await run(["j", "q"], [{ result }], [], 0);

    assert.ok(stdout.includes("\x1b[5A"));
  });

  it("with --dry-run releases nothing", async () => {
    const { exit, second, stderr } = await run(
      ["j \r"],
      [{ result }, { result: { [app]: result[app] } }],
      ["--dry-run"],
    );

    assert.equal(exit, 0);
    assert.deepEqual(second, containers({ Kind: "plan" }));
    assert.doesNotMatch(stderr, /Commit/);
  });

  for (const [what, keys] of [
    ["q", ["q"]],
    ["Ctrl-C", ["\x03"]],
    ["Escape", ["\x1b"]],
    ["a keyboard that is gone", []],
  ] as const) {
    it(`does nothing after ${what}`, async () => {
      const { exit, stderr, second, keyboardGivenBack } = await run(keys, [{ result }]);

      assert.deepEqual([exit, stderr, second], [0, "Submitting dry-run release ...\nAborted.\n", undefined]);
      assert.ok(keyboardGivenBack);
    });
  }

  it("says so where there is nothing to choose", async () => {
    const { exit, stderr } = await run(
      [],
      [{ result: { [app]: { Status: "skipped", Error: "locked", PerContainer: null } } }],
      ["-v"],
    );

    assert.deepEqual([exit, stderr], [0, "Submitting dry-run release ...\nNo changes found.\n"]);
  });

  it("says that it needs a terminal where there is none", async () => {
    const args = ["release", "--all", "--update-all-images", "--interactive"];

    const { exit, stderr } = await callBefore(new Daemon([{ result }]).answer, args);

    assert.equal(exit, 1);
    assert.match(stderr, /Error: --interactive needs a terminal; /);
  });
});
