import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { lacks, TempFolder, until } from "@weir/testing";
import { kubeconfigFor, startClusterStandIn } from "../../support/cluster-stand-in.ts";
import { type ApiAnswer, type ApiCall, ScriptedApi } from "../../support/scripted-api.ts";
import { answerSync, syncedRevision as revision } from "../../support/scripted-sync.ts";
import { type TerminalOptions, TestTerminal } from "../../support/terminal.ts";

const skip = lacks("tmux");
const app = "default:deployment/app";
const web = "default:deployment/web";
const appUpdate = { Container: "main", Current: "app:1", Target: "app:2" };
const webUpdate = { Container: "main", Current: "web:1", Target: "web:2" };
const planned = {
  [app]: { Status: "success", PerContainer: [appUpdate] },
  "default:deployment/locked": { Status: "skipped", Error: "locked", PerContainer: null },
  [web]: { Status: "success", PerContainer: [webUpdate] },
};

function workload(name: string, status: string, namespace = "default"): object {
  return {
    ID: `${namespace}:deployment/${name}`,
    Containers: [{ Name: "main", Current: { ID: `${name}:1`, Labels: {} } }],
    Status: status,
    Rollout: { Desired: 1, Updated: 1, Messages: null },
  };
}

/** A daemon and a person at a terminal who works with it. */
async function rig(script: (call: ApiCall) => ApiAnswer | undefined, options: TerminalOptions = {}) {
  const api = await ScriptedApi.start(script);
  const terminal = await TestTerminal.start({ ...options, env: { FLUX_URL: api.url, ...options.env } });
  return {
    api,
    terminal,
    /** The updates that the daemon was asked for, the plan of the release first. */
    asked: () => api.calls.filter(({ line }) => line === "POST /v9/update-manifests").map(({ body }) => body),
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

function releases({ line }: ApiCall): ApiAnswer | undefined {
  if (line === "POST /v9/update-manifests") {
    return { json: "job" };
  }
  if (line.startsWith("GET /v6/jobs")) {
    return { json: { Result: { revision, result: planned }, Err: "", StatusString: "succeeded" } };
  }
  return line.startsWith("GET /v6/sync") ? { json: [] } : undefined;
}

const release = "fluxctl release --all --update-all-images --interactive -v --user=";

/** The configuration of a repository that fluxd has cloned and can push to. */
const readyRepository = {
  remote: { url: "ssh://git@example.test/org/repo", branch: "main", path: "" },
  publicSSHKey: { key: "" },
  status: "ready",
  errors: "",
};

describe("the menu of fluxctl release on a screen", { skip }, () => {
  const opened = `Submitting dry-run release ...
    WORKLOAD                   STATUS   UPDATES
⇒ ◉ default:deployment/app     success  main: app:1 -> 2
    default:deployment/locked  skipped  locked
  ◉ default:deployment/web     success  main: web:1 -> 2

Use arrow keys and [Space] to toggle updates; hit [Enter] to release selected.`;

  it("lets a person choose by keys, and releases that and nothing else", async () => {
    await using world = await rig(releases);
    const { terminal } = world;
    await terminal.enter(`${release}; echo "exit $?"`);
    assert.equal(await terminal.shows("Use arrow keys"), opened);
    assert.equal(await terminal.showsCursor(), false);

    await terminal.press("Down", "Space");
    const toggled = await terminal.shows("⇒ ◯");
    assert.equal(
      toggled,
      opened.replace("⇒ ◉", "  ◉").replace("  ◉ default:deployment/web", "⇒ ◯ default:deployment/web"),
    );

    await terminal.press("Enter");
    const screen = await terminal.finished();

    assert.equal(
      screen.slice(screen.indexOf("Submitting selected")),
      `Submitting selected release ...
WORKLOAD                   STATUS   UPDATES
default:deployment/app     success  main: app:1 -> 2
default:deployment/locked  skipped  locked
default:deployment/web     success  main: web:1 -> 2
Commit pushed:  0123456
Commit applied: 0123456
exit 0
`,
    );
    assert.equal(await terminal.showsCursor(), true);
    assert.deepEqual(world.asked()[1], {
      type: "containers",
      cause: { Message: "", User: "" },
      spec: { Kind: "execute", ContainerSpecs: { [app]: [appUpdate] }, SkipMismatches: false, Force: false },
    });
  });

  it("draws over itself where lines are longer than the screen", async () => {
    await using world = await rig(releases, { columns: 40 });
    const { terminal } = world;
    await terminal.enter(release);
    await terminal.shows("release selected.");

    await terminal.press("j", "j", "j", " ");
    const screen = await terminal.shows(/⇒ ◯/);

    assert.equal(screen.split("WORKLOAD").length, 2);
    assert.match(screen, /\n⇒ ◯ default:deployment\/web/);
  });

  it("scrolls where it is longer than the screen", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `default:deployment/app-${10 + index}`,
        { Status: "success", PerContainer: [appUpdate] },
      ]),
    );
    await using world = await rig(
      (call) =>
        call.line.startsWith("GET /v6/jobs")
          ? { json: { Result: { revision, result: many }, Err: "", StatusString: "succeeded" } }
          : releases(call),
      { columns: 50, rows: 16 },
    );
    await world.terminal.enter(release);
    await world.terminal.shows(/⇒ ◉ default:deployment\/app-10[^]*after[^]*selected\.$/);

    await world.terminal.press("Up", "Space", "Up");
    const screen = await world.terminal.shows(/⇒ ◉ default:deployment\/app-68/);

    assert.match(screen, /^ {4}WORKLOAD[^]* ◯ default:deployment\/app-69 [^]*\.\.\. 0 after\n\nUse arrow/m);
    assert.equal(screen.split("WORKLOAD").length, 2);
  });

  for (const key of ["q", "C-c", "Escape"]) {
    it(`changes nothing after ${key}, and leaves the terminal as it was`, async () => {
      await using world = await rig(releases);
      const { terminal } = world;
      await terminal.enter(`${release}; echo "exit $?"`);
      await terminal.shows("Use arrow keys");

      await terminal.press(key);
      const screen = await terminal.finished();

      assert.match(screen, /\nAborted\.\nexit 0\n$/);
      assert.equal(await terminal.showsCursor(), true);
      assert.equal(world.asked().length, 1);
      await terminal.enter("stty -a | grep -woE -- '-?(echo|icanon)'");
      assert.equal(await terminal.finished(), "icanon\necho\n");
    });
  }

  it("gives the terminal back where it is ended from outside", async () => {
    await using world = await rig(releases);
    const { terminal } = world;
    await terminal.enter(`sh -c 'echo $$ >~/pid; exec ${release}'`);
    await terminal.shows("Use arrow keys");

    process.kill(Number(readFileSync(join(terminal.home, "pid"), "utf8")), "SIGTERM");
    await terminal.shows(/ready>$/);

    assert.equal(await terminal.status(), 143);
    assert.equal(await terminal.showsCursor(), true);
  });
});

describe("what fluxctl shows while it waits", { skip }, () => {
  /** A sync whose job waits and runs until the test says otherwise. */
  async function slowSync(env: Readonly<Record<string, string>> = {}) {
    let state = "queued";
    const world = await rig((call) => answerSync(call, state) ?? { json: [] }, { env });
    return {
      ...world,
      become: (next: string) => (state = next),
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  }

  it("is one line that says what for, and is gone at the end", async () => {
    await using world = await slowSync();
    const { terminal } = world;
    await terminal.enter("fluxctl sync");

    const queued = await terminal.shows(/^. Waiting for fluxd to run the job, which is queued \(\ds\)$/m);
    world.become("running");
    const running = await terminal.shows("which is running");
    world.become("succeeded");
    const screen = await terminal.finished();

    assert.equal(queued.split("\n").length, 2);
    assert.match(running, /^Synchronizing with ssh:\/\/git\/repo\n[⠀-⣿] Waiting for [^\n]*$/);
    assert.equal(
      screen,
      `Synchronizing with ssh://git/repo
Revision of main to apply is 0123456
Waiting for 0123456 to be applied ...
Done.
`,
    );
  });

  it("is gone after Ctrl-C, which ends fluxctl", async () => {
    await using world = await slowSync();
    await world.terminal.enter("fluxctl sync");
    await world.terminal.shows("Waiting for fluxd to run the job");

    await world.terminal.press("C-c");
    const screen = await world.terminal.finished();

    assert.match(screen, /^Synchronizing with ssh:\/\/git\/repo\n(\^C)?\n?$/);
    assert.equal(await world.terminal.status(), 130);
  });

  for (const [what, command] of [
    ["stderr is no screen", "fluxctl sync 2>&1 | cat"],
    ["the terminal is dumb", "TERM=dumb fluxctl sync"],
  ] as const) {
    it(`is nothing where ${what}`, async () => {
      await using world = await slowSync();
      await world.terminal.enter(command);
      await world.terminal.shows("Synchronizing");
      await until("some looks", () => world.api.calls.length > 8);
      const meanwhile = await world.terminal.screen();
      world.become("succeeded");
      await world.terminal.finished();

      assert.equal(meanwhile, "Synchronizing with ssh://git/repo");
    });
  }
});

describe("fluxctl list-workloads --watch on a screen", { skip }, () => {
  async function watching(first: readonly object[], options: TerminalOptions = {}) {
    let answer: ApiAnswer = { json: first };
    const world = await rig(() => answer, options);
    await world.terminal.enter("fluxctl list-workloads -w");
    return {
      ...world,
      change: (next: ApiAnswer) => (answer = next),
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  }

  const list = (
    status: string,
  ): string => `WORKLOAD                CONTAINER  IMAGE  RELEASE${" ".repeat(Math.max(2, status.length - 5))}POLICY
default:deployment/app  main       app:1  ${status}
Watching; press Ctrl-C to stop.`;

  it("draws each list over the one before, and leaves the last one behind", async () => {
    await using world = await watching([workload("app", "ready")]);
    const { terminal } = world;
    assert.equal(await terminal.shows("Watching"), list("ready"));

    world.change({ json: [workload("app", "updating")] });
    assert.equal(await terminal.shows("updating"), list("updating"));
    assert.equal(await terminal.showsCursor(), false);
    await terminal.press("C-c");
    const screen = await terminal.finished();

    assert.ok(screen.startsWith(list("updating")));
    assert.equal(await terminal.status(), 130);
    assert.equal(await terminal.showsCursor(), true);
  });

  it("says below the list that the daemon is away, and goes on", async () => {
    await using world = await watching([workload("app", "ready")]);
    await world.terminal.shows("Watching");

    world.change({ status: 503, text: "going down" });
    assert.equal(
      await world.terminal.shows("is unavailable"),
      list("ready").replace(
        /Watching.*/,
        "fluxd is unavailable, retrying: executing HTTP request: 503 Service Unavailable going down",
      ),
    );
    world.change({ json: [workload("app", "error")] });

    assert.equal(await world.terminal.shows("Watching"), list("error"));
  });

  it("shows of a long list what there is room for", async () => {
    const many = Array.from({ length: 40 }, (_, index) => workload(`app-${10 + index}`, "ready"));
    await using world = await watching(many, { rows: 12 });

    const screen = await world.terminal.shows("Watching");

    assert.equal(screen.split("\n").length, 11);
    assert.match(screen, /\n\.\.\. and 32 more lines\nWatching/);
  });
});

describe("fluxctl's colours", { skip }, () => {
  const list = ({ line }: ApiCall): ApiAnswer | undefined =>
    line.startsWith("GET /v6/services")
      ? { json: [workload("app", "ready"), workload("bad", "error")] }
      : undefined;

  it("tell on a screen what is good and what is not", async () => {
    await using world = await rig(list);
    await world.terminal.enter("fluxctl list-workloads; fluxctl nonsense");
    await world.terminal.finished();
    const screen = await world.terminal.colouredScreen();

    assert.match(screen, /\x1b\[32mready\x1b/);
    assert.match(screen, /\x1b\[31merror\x1b/);
    assert.match(screen, /\x1b\[31mError:\x1b/);
  });

  for (const command of ["fluxctl list-workloads | cat", "NO_COLOR=1 fluxctl list-workloads"]) {
    it(`are not in what "${command}" shows`, async () => {
      await using world = await rig(list);
      await world.terminal.enter(command);
      const screen = await world.terminal.finished();

      assert.match(screen, /ready/);
      assert.doesNotMatch(await world.terminal.colouredScreen(), /\x1b\[3[0-9]m/);
    });
  }
});

describe("what fluxctl tells a person to do", { skip }, () => {
  const workloads = [workload("app", "ready"), workload("db", "ready", "prod")];

  function daemon({ line }: ApiCall): ApiAnswer | undefined {
    const namespace = /^GET \/v6\/services\?namespace=(\w*)$/.exec(line)?.[1];
    if (namespace !== undefined) {
      return { json: workloads.filter((each) => JSON.stringify(each).includes(`"ID":"${namespace}`)) };
    }
    if (line === "POST /v9/update-manifests") {
      return { json: "job" };
    }
    return line.startsWith("GET /v6/jobs")
      ? { json: { Result: {}, Err: "no such resource", StatusString: "failed" } }
      : { json: [] };
  }

  for (const [command, below] of [
    ["list-workloads --namspace=x", "Did you mean --namespace?"],
    ["list-workloads -o table", "The formats are tab, json, yaml, wide, name, jsonpath=TEMPLATE."],
    ["list-workloads -n defualt", 'There are no workloads in namespace "defualt".\nDid you mean default?'],
    [
      "list-images -w deployment/ap",
      "The cluster doesn't have a workload default:deployment/ap.\nDid you mean default:deployment/app?",
    ],
    [
      "lock -w deployment/db",
      "Run 'fluxctl lock --help' for usage.\n\nThe cluster doesn't have a workload default:deployment/db.\nDid you mean prod:deployment/db?",
    ],
    [
      "--url=http://127.0.0.1:1 sync",
      "Nothing is listening there. Make sure that fluxd is running and that --url (or FLUX_URL) is correct",
    ],
  ] as const) {
    it(`stands below what "fluxctl ${command}" says, and not in a pipe`, async () => {
      await using world = await rig(daemon, { columns: 200 });
      await world.terminal.enter(`fluxctl ${command}`);
      const screen = await world.terminal.finished();
      await world.terminal.enter(`fluxctl ${command} 2>&1 | cat`);
      const piped = await world.terminal.finished();

      assert.ok(screen.includes(below), screen);
      assert.ok(screen.startsWith(piped.trimEnd()), piped);
      assert.ok(!piped.includes(below), piped);
    });
  }

  for (const [what, status, waited] of [
    [
      "a job",
      "queued",
      "Waited 200ms for job job, which is queued.\nIt is waiting for fluxd to finish its current job; fluxd runs one job at a time.",
    ],
    [
      "a sync",
      "succeeded",
      "Waited 200ms for commit 0123456 to be applied; 1 commit(s) are not applied yet.",
    ],
  ] as const) {
    it(`tells what it knows of the cause where ${what} takes too long`, async () => {
      let configs = 0;
      const slow = ({ line }: ApiCall): ApiAnswer | undefined => {
        switch (line.split("?")[0]) {
          case "POST /v9/git-repo-config":
            configs += 1;
            return {
              json: {
                ...readyRepository,
                errors: "no route",
                status: configs === 1 ? "ready" : "unreachable",
              },
            };
          case "POST /v9/update-manifests":
            return { json: "job" };
          case "GET /v6/jobs":
            return { json: { Result: { revision }, Err: "", StatusString: status } };
          case "GET /v6/sync":
            return { json: [revision] };
          default:
            return { json: [{ ID: "default:deployment/app", SyncError: "no such kind" }] };
        }
      };
      await using world = await rig(slow, { columns: 200 });

      await world.terminal.enter("fluxctl sync --timeout=200ms");

      const below = `${waited}
The git repository ssh://git@example.test/org/repo is unreachable: no route
default:deployment/app: no such kind
Check fluxd's log for details. To wait longer, use --timeout (or FLUX_TIMEOUT).`;
      const screen = await world.terminal.finished();
      assert.ok(screen.includes(`Run 'fluxctl sync --help' for usage.\n\n${below}`), screen);
    });
  }

  it("tells why the last sync failed, where it came to no workload", async () => {
    const found =
      "the last sync failed: loading resources from repo: duplicate definition of 'default:deployment/app'";
    const failing = ({ line }: ApiCall): ApiAnswer | undefined => {
      switch (line.split("?")[0]) {
        case "POST /v9/git-repo-config":
          return { json: readyRepository };
        case "POST /v9/update-manifests":
          return { json: "job" };
        case "GET /v6/jobs":
          return { json: { Result: { revision }, Err: "", StatusString: "succeeded" } };
        case "GET /v6/sync":
          return { json: [revision] };
        case "POST /v12/check":
          return {
            json: [
              { subject: "git read", verdict: "passed", found: "can read it", advice: "" },
              { subject: "sync", verdict: "failed", found, advice: "fix it" },
            ],
          };
        default:
          return { json: [{ ID: "default:deployment/app" }] };
      }
    };
    await using world = await rig(failing, { columns: 200 });

    await world.terminal.enter("fluxctl sync --timeout=200ms");

    const below = `Waited 200ms for commit 0123456 to be applied; 1 commit(s) are not applied yet.
The last sync failed: loading resources from repo: duplicate definition of 'default:deployment/app'
Check fluxd's log for details.`;
    const screen = await world.terminal.finished();
    assert.ok(screen.includes(below), screen);
  });

  it("names the namespace in which there is a pod of fluxd", async () => {
    using folder = new TempFolder();
    await using cluster = await startClusterStandIn(
      () => [],
      1,
      (line) =>
        line === "GET /api/v1/pods"
          ? { kind: "PodList", items: [{ metadata: { name: "flux", namespace: "flux-system" } }] }
          : undefined,
    );
    const KUBECONFIG = folder.write("config", kubeconfigFor(cluster.url));
    await using terminal = await TestTerminal.start({ env: { KUBECONFIG }, columns: 200 });

    await terminal.enter("fluxctl list-workloads");

    assert.match(
      await terminal.finished(),
      /\nRun 'fluxctl list-workloads --help' for usage\.\n\nNamespace "flux-system" has such a pod: use --k8s-fwd-ns=flux-system, or set FLUX_FORWARD_NAMESPACE\.\n$/,
    );
  });

  it("names what chooses cluster, namespace and pod where one may not look further", async () => {
    using folder = new TempFolder();
    await using cluster = await startClusterStandIn(() => [], 1);
    const KUBECONFIG = folder.write("config", kubeconfigFor(cluster.url));
    await using terminal = await TestTerminal.start({ env: { KUBECONFIG }, columns: 200 });

    await terminal.enter("fluxctl list-workloads");

    assert.match(
      await terminal.finished(),
      /\nUse --context to select another cluster [^\n]*\nTo list the pods there: kubectl get pods -n default --show-labels\n$/,
    );
  });
});
