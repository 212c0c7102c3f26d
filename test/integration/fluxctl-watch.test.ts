import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { StartedProgram, TempFolder, until } from "@weir/testing";
import { kubeconfigFor, startClusterStandIn } from "../support/cluster-stand-in.ts";
import { askBefore, callBefore, callFluxctl } from "../support/fluxctl.ts";
import { type ApiAnswer, type ApiCall, ScriptedApi } from "../support/scripted-api.ts";
import { answerSync } from "../support/scripted-sync.ts";

const program = join(import.meta.dirname, "..", "..", "dist", "fluxctl");

function startFluxctl(args: readonly string[], env: Readonly<Record<string, string>>): StartedProgram {
  return new StartedProgram(program, args, { env: { PATH: process.env["PATH"], ...env } });
}

function workload(name: string, status: string, messages: readonly string[] | null = null): object {
  return {
    ID: `default:deployment/${name}`,
    Containers: [{ Name: "main", Current: { ID: `${name}:1`, Labels: {} } }],
    Status: status,
    Rollout: { Desired: 1, Updated: 1, Messages: messages },
    Policies: {},
  };
}

const ready = "default:deployment/app  main  app:1  ready  \n";
const updating = "default:deployment/app  main  app:1  updating  \n";

describe("fluxctl list-workloads --watch in a pipe", () => {
  async function watching(...args: readonly string[]) {
    let answer: ApiAnswer = { json: [workload("app", "ready")] };
    const api = await ScriptedApi.start(() => answer);
    const fluxctl = startFluxctl(["list-workloads", "--watch", "--no-headers", ...args], {
      FLUX_URL: api.url,
    });
    return {
      fluxctl,
      looks: () => api.calls.length,
      change: (next: ApiAnswer) => (answer = next),
      async [Symbol.asyncDispose]() {
        await fluxctl[Symbol.asyncDispose]();
        await api[Symbol.asyncDispose]();
      },
    };
  }

  it("prints a list only when it changed, and ends by Ctrl-C as if that were never caught", async () => {
    await using rig = await watching();
    await until("two looks", () => rig.looks() > 2);
    assert.equal(rig.fluxctl.stdout, ready);

    rig.change({ json: [workload("app", "updating")] });
    await until("the change", () => rig.fluxctl.stdout.length > ready.length);
    const ended = await rig.fluxctl.end("SIGINT");

    assert.equal(rig.fluxctl.stdout, `${ready}\n${updating}`);
    assert.equal(rig.fluxctl.stderr, "");
    assert.deepEqual(ended, { code: null, signal: "SIGINT" });
  });

  it("goes on while the daemon is away, and says so once", async () => {
    await using rig = await watching();
    await until("the list", () => rig.fluxctl.stdout === ready);

    rig.change({ status: 502, text: "bad gateway" });
    const looks = rig.looks();
    await until("tries again", () => rig.looks() > looks + 1);
    rig.change({ json: [workload("app", "updating")] });
    await until("the change", () => rig.fluxctl.stdout === `${ready}\n${updating}`);
    // The two streams arrive in any order.
    await until("word of it", () => rig.fluxctl.stderr.endsWith("again.\n"));

    assert.equal(
      rig.fluxctl.stderr,
      "Warning: fluxd is unavailable, retrying: executing HTTP request: 502 Bad Gateway bad gateway\nfluxd is available again.\n",
    );
    assert.deepEqual(await rig.fluxctl.end("SIGTERM"), { code: null, signal: "SIGTERM" });
  });

  it("finds the new pod of a daemon that was replaced", async () => {
    using folder = new TempFolder();
    let [answer, pod]: [ApiAnswer, string] = [{ json: [workload("app", "ready")] }, "flux-1"];
    await using api = await ScriptedApi.start(() => answer);
    await using cluster = await startClusterStandIn(() => [pod], api.port);
    const KUBECONFIG = folder.write("config", kubeconfigFor(cluster.url));
    await using fluxctl = startFluxctl(["list-workloads", "-w", "--no-headers"], { KUBECONFIG });
    await until("the list", () => fluxctl.stdout === ready);

    [answer, pod] = [{ status: 502, text: "" }, "flux-2"];
    await until("the outage", () => fluxctl.stderr !== "");
    answer = { json: [workload("app", "updating")] };
    await until("the change", () => fluxctl.stdout === `${ready}\n${updating}`);

    const forwards = cluster.asked.filter((line) => line.startsWith("UPGRADE"));
    assert.match(forwards.at(0) ?? "", /\/pods\/flux-1\/portforward/);
    assert.match(forwards.at(-1) ?? "", /\/pods\/flux-2\/portforward/);
  });

  it("ends where the daemon refuses", async () => {
    await using rig = await watching();
    await until("the list", () => rig.fluxctl.stdout === ready);

    rig.change({ status: 401, text: "" });

    assert.deepEqual(await rig.fluxctl.ended(), { code: 1, signal: null });
    assert.match(rig.fluxctl.stderr, /^== Error ==\n\nThe request failed authentication\n/);
  });

  it("prints a document for each change as YAML", async () => {
    await using rig = await watching("-o", "yaml");
    await until("the list", () => rig.fluxctl.stdout !== "");
    const first = rig.fluxctl.stdout;

    rig.change({ json: [] });
    await until("the change", () => rig.fluxctl.stdout.length > first.length);

    assert.match(first, /^- ID: default:deployment\/app\n/);
    assert.equal(rig.fluxctl.stdout, `${first}---\n[]\n`);
  });
});

describe("fluxctl list-images --watch", () => {
  it("fails at once where there is no daemon", async () => {
    const { exit, stderr } = await callFluxctl(["list-images", "--watch", "--url=http://127.0.0.1:1"]);

    assert.equal(exit, 1);
    assert.match(stderr, /connection refused\n/);
  });

  it("names images for other commands", async () => {
    const image = (tag: string): object => ({ ID: `quay.io/o/app:${tag}`, Labels: {} });
    const container = { Name: "main", Current: image("1"), Available: [image("3"), image("2"), image("1")] };
    const { stdout } = await callBefore(
      () => ({
        json: [{ ID: "default:deployment/app", Containers: [container, container] }],
      }),
      ["list-images", "-o", "name", "-l", "2"],
    );

    assert.equal(stdout, "quay.io/o/app:3\nquay.io/o/app:2\n");
  });
});

describe("fluxctl sync --watch", () => {
  /** A sync in which the lists of all workloads are those, and then the watched ones. */
  async function synced(lists: readonly (readonly object[])[], watched: readonly (readonly object[])[]) {
    const [all, looks] = [[...lists], [...watched]];
    const answer = (call: ApiCall): ApiAnswer => {
      if (call.line.startsWith("GET /v6/services")) {
        return { json: all.shift() };
      }
      return call.line.startsWith("GET /v11/services")
        ? { json: looks.shift() }
        : (answerSync(call) ?? { json: [] });
    };
    const asked = await askBefore(answer, ["sync", "--watch"]);
    return { ...asked, watched: asked.lines.filter((line) => line.startsWith("GET /v11/services")) };
  }

  const old = workload("old", "error", ["no luck"]);

  it("follows what the sync changed until it is ready, and nothing else", async () => {
    const { exit, stdout, stderr, watched } = await synced(
      [
        [old, workload("app", "ready")],
        [old, workload("app", "started"), workload("new", "ready")],
      ],
      [
        [workload("app", "updating"), workload("new", "ready")],
        [workload("app", "ready"), workload("new", "ready")],
      ],
    );

    assert.equal(exit, 0);
    assert.match(stderr, /\nDone\.\nMonitoring rollout \.\.\.\nAll workloads ready\.\n$/);
    assert.deepEqual(stdout.match(/(updating|ready) /g), ["updating ", "ready ", "ready ", "ready "]);
    assert.deepEqual(
      watched,
      Array.from(
        { length: 2 },
        () => "GET /v11/services?namespace=&services=default%3Adeployment%2Fapp%2Cdefault%3Adeployment%2Fnew",
      ),
    );
  });

  it("ends at once where the sync changed no workload", async () => {
    const { exit, stdout, watched } = await synced([[old], [old]], []);

    assert.deepEqual([exit, stdout, watched], [0, "", []]);
  });

  it("fails where a rollout has a problem", async () => {
    const { exit, stderr } = await synced(
      [[], [workload("app", "updating")]],
      [[workload("app", "error", ["no room"])]],
    );

    assert.equal(exit, 1);
    assert.match(
      stderr,
      /There was a problem releasing default:deployment\/app:\nno room\nError: the rollout of default:deployment\/app has a problem\n/,
    );
  });
});
