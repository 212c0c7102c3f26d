import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks, until } from "@weir/testing";
import { TestBrowser } from "../../../hub/test/support/test-browser.ts";
import { lacksHelm } from "../../support/chart/helm.ts";
import { helmIn } from "../../support/chart/installed.ts";
import { ConsoleImage } from "../../support/pods/console-image.ts";
import { databaseImage, startDatabase } from "../../support/pods/database-pod.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { PortForward } from "../../support/pods/port-forward.ts";

const namespace = "weir";
const deployment = "deployment/weir-console";
const chart = join(import.meta.dirname, "../../../chart/weir-console");
const account = { login: "ada", name: "Ada", password: "a horse with a battery that is correct" };

const lacking = PodWorld.lacks() || lacksHelm() || lacks("PostgreSQL");

describe("the console's chart, in pods", { skip: lacking }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let console: PortForward;
  before(async () => {
    const { image } = started.use(await ConsoleImage.prepare());
    world = started.use(await PodWorld.start([image, databaseImage]));
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await world.kubectl.apply([
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace, labels } },
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "data" } },
    ]);
    const url = await startDatabase(world.kubectl, "data");
    await world.kubectl.apply([
      secret("database", { DATABASE_URL: url }),
      secret("keys", { keys: randomBytes(32).toString("base64") }),
    ]);
    const values = {
      "image.repository": "docker.io/weirdev/weir-console",
      publicUrl: "https://weir.example.com",
      "database.secretName": "database",
      "encryption.secretName": "keys",
    };
    const set = Object.entries(values).map(([name, value]) => `--set=${name}=${value}`);
    await helmIn(world.cluster, "install", "weir-console", chart, "--namespace", namespace, ...set);
    await world.kubectl.rolledOut({ namespace, name: deployment });
    console = started.use(await PortForward.start(world, { namespace, name: deployment, port: 8080 }));
  });
  after(() => started.disposeAsync());

  it("runs where only restricted pods are admitted, with a file system that it can't write to", async () => {
    const run = (...args: readonly string[]) =>
      world.kubectl.run(["exec", "-n", namespace, deployment, "--", ...args]);

    // Not of this shell, whose command line has the pattern itself.
    const owner = "stat --format=%u $(grep -l start-weir-consol[e] /proc/[0-9]*/cmdline | head -n 1)";
    assert.equal((await run("sh", "-c", owner)).stdout.trim(), "1000");
    assert.match((await run("touch", "/opt/weir/file")).stderr, /Read-only file system/);
  });

  it("shows its page, and lets the first administrator in", async () => {
    const page = await (await fetch(`${console.url}/`)).text();
    const [, script = ""] = /<script type="module"[^>]* src="([^"]+)"/.exec(page) ?? [];
    const token = await until("the link", async () => {
      return /\/invitation#(\S+)/.exec(await world.kubectl.logs(namespace, deployment))?.[1];
    });
    const browser = new TestBrowser(console.url);
    await browser.ask("acceptInvitation", { body: { token, ...account } });
    const { rows } = await browser.ask("instances");

    assert.match(page, /<title>/);
    assert.equal((await fetch(new URL(script, console.url))).status, 200);
    assert.deepEqual(rows, []);
  });

  it("has metrics at a port of their own", async () => {
    await using metrics = await PortForward.start(world, { namespace, name: deployment, port: 9090 });

    assert.match(await (await fetch(`${metrics.url}/metrics`)).text(), /^# HELP /m);
    assert.doesNotMatch(await (await fetch(`${console.url}/metrics`)).text(), /^# HELP /m);
  });
});

function secret(name: string, stringData: Readonly<Record<string, string>>): object {
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, stringData };
}
