import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { lacks, type PodImage, Relay, TempFolder, until } from "@weir/testing";
import type { FluxctlResult } from "../../support/fluxctl.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { StartedFluxctl } from "../../support/started-fluxctl.ts";
import { TestTerminal } from "../../support/terminal.ts";

const namespace = "demo";

/** Runs that each print what they are told. */
const images: readonly PodImage[] = [
  ...["1", "2"].map((version) => ({
    match: `counter:${version}`,
    command: [
      "sh",
      "-c",
      `trap "exit 0" TERM; i=0; while :; do i=$((i+1)); echo "v${version} line $i"; sleep 0.05; done`,
    ],
  })),
  shell("hello:1", 'trap "exit 0" TERM; echo one; echo two; echo three; sleep infinity & wait'),
  shell("silent:1", 'trap "exit 0" TERM; sleep infinity & wait'),
  shell("crash:1", 'run=$(date +%s%N); for i in 1 2 3 4 5; do echo "run $run line $i"; done; exit 1'),
  shell("task:1", "for i in 1 2 3; do echo task $i; sleep 0.2; done"),
  shell("odd:1", `trap "exit 0" TERM; printf 'red \\033[31mtext\\007\\n'; sleep infinity & wait`),
  shell(
    "long:1",
    "trap 'exit 0' TERM; head -c 500000 /dev/zero | tr '\\0' x; echo; echo after; sleep infinity & wait",
  ),
];

function shell(match: string, script: string): PodImage {
  return { match, command: ["sh", "-c", script] };
}

function template(app: string, containers: Readonly<Record<string, string>>, more: object = {}): object {
  return {
    metadata: { labels: { app } },
    spec: {
      containers: Object.entries(containers).map(([name, image]) => ({ name, image })),
      terminationGracePeriodSeconds: 1,
      ...more,
    },
  };
}

function workload(
  kind: string,
  name: string,
  containers: Readonly<Record<string, string>>,
  replicas = 1,
): object {
  const scale = kind === "DaemonSet" ? {} : { replicas };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, namespace },
    spec: { selector: { matchLabels: { app: name } }, template: template(name, containers), ...scale },
  };
}

function job(name: string): object {
  const spec = { template: template(name, { main: "task:1" }, { restartPolicy: "Never" }) };
  return { apiVersion: "batch/v1", kind: "Job", metadata: { name, namespace }, spec };
}

/** The numbers in the lines of each pod and version or run, in order. */
function numbersBySource(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const line of lines) {
    const [, source = "", number = ""] = /^(\S+ (?:v\d|run \d+)) line (\d+)$/.exec(line) ?? [];
    assert.notEqual(source, "", line);
    found.set(source, [...(found.get(source) ?? []), Number(number)]);
  }
  return found;
}

/** Asserts that no line is missing between the first and the last one, and none is there twice. */
function assertWhole(numbers: readonly number[], source: string): void {
  const [first = 0] = numbers;
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => first + index),
    source,
  );
}

describe("fluxctl logs", { skip: PodWorld.lacks() || lacks("tmux") }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  before(async () => {
    world = started.use(await PodWorld.start());
    await world.cluster.useImages(images);
    await world.kubectl.must(["create", "namespace", namespace]);
  });
  after(() => started.disposeAsync());

  function logs(...args: readonly string[]): Promise<FluxctlResult> {
    return world.fluxctl("logs", "-n", namespace, ...args);
  }

  function follow(env: Readonly<Record<string, string>>, ...args: readonly string[]): StartedFluxctl {
    const surroundings = { KUBECONFIG: world.cluster.kubeconfigPath, ...env };
    return new StartedFluxctl(["logs", "-n", namespace, "--follow", ...args], surroundings);
  }

  async function run(...objects: readonly object[]): Promise<void> {
    await world.kubectl.apply(objects);
  }

  /** Resolves when the pods of an app have said something. */
  async function haveSaid(app: string, what: string, pods = 1): Promise<void> {
    await until(`${pods} pods of ${app} to say ${what}`, async () => {
      const { stdout } = await logs(app);
      return stdout.split("\n").filter((line) => line.endsWith(what)).length === pods;
    });
  }

  it("prints what all pods of a workload have said, with their names", async () => {
    await run(
      workload("StatefulSet", "pair", { main: "hello:1", side: "silent:1" }, 2),
      workload("Deployment", "other", { main: "hello:1" }),
      workload("DaemonSet", "each", { main: "hello:1" }),
    );
    await haveSaid("sts/pair", "three", 2);
    await haveSaid("ds/each", "three");

    const all = await logs("statefulset/pair");
    const tail = await logs(`${namespace}:statefulset/pair`, "-c", "main", "--tail=1", "--prefix=false");
    const timed = await logs("statefulset/pair", "--timestamps", "--since=1h", "--tail=1");
    const later = await logs("statefulset/pair", "--since-time=2999-01-01T00:00:00Z");

    const lines = ["pair-0", "pair-1"].flatMap((pod) =>
      ["one", "two", "three"].map((each) => `${pod}/main ${each}\n`),
    );
    assert.deepEqual(all, { exit: 0, stdout: lines.join(""), stderr: "" });
    assert.deepEqual(tail, { exit: 0, stdout: "three\nthree\n", stderr: "" });
    assert.match(timed.stdout, /^pair-0\/main \d{4}-\d\d-\d\dT\S+ three\npair-1\/main \S+ three\n$/);
    assert.deepEqual([later.exit, later.stdout], [0, ""]);
  });

  it("says which containers, pods and workloads there are not", async () => {
    const container = await logs("statefulset/pair", "-c", "nonsense");
    const missing = await logs("deployment/nonsense");
    const kind = await logs("service/pair");
    await run(workload("Deployment", "nobody", { main: "hello:1" }, 0));
    const empty = await logs("deployment/nobody");

    assert.match(
      container.stderr,
      /^Error: no container is called nonsense; the containers are main, side\n/,
    );
    assert.match(missing.stderr, /^Error: there is no deployment nonsense in namespace demo\n/);
    assert.match(kind.stderr, /^Error: demo:service\/pair has no logs: name a deployment, statefulset, /);
    assert.match(empty.stderr, /^Error: demo:deployment\/nobody has no pods now\n/);
    assert.deepEqual([container.exit, missing.exit, kind.exit, empty.exit], [1, 1, 1, 1]);
  });

  it("follows a rollout, and loses and doubles nothing where the connection breaks", async () => {
    await run(workload("Deployment", "counter", { main: "counter:1" }, 2));
    await world.kubectl.rolledOut({ namespace, name: "deployment/counter" });
    await using relay = new Relay(Number(new URL(world.cluster.url).port));
    const port = await relay.listen();
    using folder = new TempFolder();
    const config = JSON.parse(await readFile(world.cluster.kubeconfigPath, "utf8")) as Config;
    const [entry] = config.clusters;
    const cluster = {
      server: `https://127.0.0.1:${port}`,
      "certificate-authority-data": Buffer.from(world.cluster.ca).toString("base64"),
    };
    const KUBECONFIG = folder.write(
      "config",
      JSON.stringify({ ...config, clusters: [{ ...entry, cluster }] }),
    );
    await using followed = follow({ KUBECONFIG }, "deployment/counter");
    const podsOf = (version: string): ReadonlySet<string> =>
      new Set(
        followed.lines
          .filter((line) => line.includes(` ${version} `))
          .map((line) => line.split(" ")[0] ?? ""),
      );

    await followed.until("both old pods", () => podsOf("v1").size === 2);
    const before = followed.lines.length;
    relay.cut();
    await followed.until("more lines after the cut", () => followed.lines.length > before + 20);
    await world.kubectl.must(["set", "image", "deployment/counter", "main=counter:2", "-n", namespace]);
    await followed.until("both new pods", () => podsOf("v2").size === 2);
    await world.kubectl.rolledOut({ namespace, name: "deployment/counter" });
    await followed.until(
      "much of the new pods",
      () => followed.lines.filter((line) => line.includes("v2")).length > 40,
    );
    const { signal } = await followed.end("SIGINT");

    assert.equal(signal, "SIGINT");
    const numbers = numbersBySource(followed.lines);
    assert.equal(numbers.size, 4);
    for (const [source, found] of numbers) {
      assert.equal(found[0], 1, source);
      assertWhole(found, source);
    }
  });

  it("follows a container through its restarts, and prints the run before", async () => {
    await run(workload("Deployment", "crash", { main: "crash:1" }));
    await using followed = follow({}, "deployment/crash");
    const runs = (): readonly (readonly number[])[] => [...numbersBySource(followed.lines).values()];

    await followed.until("two runs", () => runs().filter((each) => each.length === 5).length >= 2);
    await followed.end("SIGINT");

    assert.deepEqual(new Set(runs().map(String)), new Set(["1,2,3,4,5"]));
    const previous = await logs("deployment/crash", "--previous", "--tail=2");
    assert.match(previous.stdout, /^crash-\S+\/main run \d+ line 4\ncrash-\S+\/main run \d+ line 5\n$/);
    const none = await logs("statefulset/pair", "--previous", "-c", "main");
    assert.deepEqual([none.exit, none.stdout], [1, ""]);
    assert.match(none.stderr, /^pair-0\/main: .*previous terminated container "main"/);
  });

  it("waits for pods, and ends with a Job", async () => {
    const suspended = job("waiting") as { spec: object };
    await run({ ...suspended, spec: { ...suspended.spec, suspend: true } });
    await using followed = follow({}, "job/waiting");
    await followed.until("that it waits", () => followed.stderr !== "");
    await world.kubectl.must([
      "patch",
      "job/waiting",
      "-n",
      namespace,
      "--type=merge",
      "-p",
      '{"spec":{"suspend":false}}',
    ]);

    assert.deepEqual(await followed.ended(), { code: 0, signal: null });
    assert.equal(followed.stderr, "Waiting for pods of demo:job/waiting.\n");
    assert.match(
      followed.stdout,
      /^waiting-\w+\/main task 1\nwaiting-\w+\/main task 2\nwaiting-\w+\/main task 3\n$/,
    );
  });

  it("finds the pods of the Jobs of a CronJob", async () => {
    const { spec } = job("nightly") as { spec: object };
    await run({
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "nightly", namespace },
      spec: { schedule: "0 0 1 1 *", jobTemplate: { spec } },
    });
    await world.kubectl.must(["create", "job", "once", "--from=cronjob/nightly", "-n", namespace]);
    await haveSaid("cronjob/nightly", "task 3");

    const { stdout } = await logs("cj/nightly");

    assert.match(stdout, /^once-\w+\/main task 1\nonce-\w+\/main task 2\nonce-\w+\/main task 3\n$/);
  });

  it("names the permission that is missing", async () => {
    const rule = { apiGroups: ["apps"], resources: ["deployments", "replicasets"], verbs: ["get"] };
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "viewer", namespace },
    };
    const bind = {
      ...role,
      kind: "RoleBinding",
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "viewer" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jo" }],
    };
    await run({ ...role, rules: [rule] }, bind);
    using folder = new TempFolder();
    const config = JSON.parse(await readFile(world.cluster.kubeconfigPath, "utf8")) as Config;
    const cluster = {
      server: world.cluster.url,
      "certificate-authority-data": Buffer.from(world.cluster.ca).toString("base64"),
    };
    const KUBECONFIG = folder.write(
      "config",
      JSON.stringify({
        ...config,
        clusters: [{ name: "test", cluster }],
        users: [{ name: "admin", user: { token: world.cluster.token, as: "jo" } }],
      }),
    );
    const asJo = (...args: readonly string[]): Promise<FluxctlResult> =>
      world.fluxctlIn({ KUBECONFIG }, "logs", "-n", namespace, "deployment/counter", ...args);

    const list = await asJo();
    const watch = await asJo("--follow");
    await run({ ...role, rules: [rule, { apiGroups: [""], resources: ["pods"], verbs: ["list", "watch"] }] });
    const read = await until("jo to see pods", async () => {
      const found = await asJo();
      return /list pods/.test(found.stderr) ? undefined : found;
    });
    const followed = await asJo("--follow");

    for (const { exit, stdout, stderr } of [list, watch]) {
      assert.deepEqual([exit, stdout], [1, ""]);
      assert.match(
        stderr,
        /^Error: you need permission to list pods in namespace demo: pods is forbidden: User "jo" /,
      );
    }
    for (const { exit, stdout, stderr } of [read, followed]) {
      assert.deepEqual([exit, stdout], [1, ""]);
      assert.match(stderr, /^Error: you need permission to get pods\/log in namespace demo: pods "counter-/);
    }
  });

  it("shows control characters and colors on a terminal only", async () => {
    await run(workload("Deployment", "odd", { main: "odd:1" }));
    await haveSaid("deployment/odd", "text\x07");
    const env = { KUBECONFIG: world.cluster.kubeconfigPath };
    await using terminal = await TestTerminal.start({ env, columns: 120 });

    const piped = await logs("deployment/odd");
    await terminal.enter(`fluxctl logs -n ${namespace} deployment/odd`);
    const screen = await terminal.finished();
    await terminal.enter(`fluxctl logs -n ${namespace} sts/pair -f --tail=1`);
    const coloured = await until("both pods", async () => {
      const seen = await terminal.colouredScreen();
      return seen.split("three").length === 3 && seen;
    });
    await terminal.press("C-c");
    await terminal.finished();

    assert.match(piped.stdout, /^odd-\S+\/main red \x1b\[31mtext\x07\n$/);
    assert.match(screen, /^odd-\S+\/main red \\u001b\[31mtext\\u0007\n$/);
    for (const [pod, colour] of [
      ["pair-0", "36"],
      ["pair-1", "32"],
    ] as const) {
      assert.match(coloured, new RegExp(`\x1b\\[${colour}m(pair-\\d)/main\x1b\\[[\\d;]*m three`), pod);
    }
    assert.equal(await terminal.status(), 130);
  });

  it("cuts lines that are too long to keep, and goes on behind them", async () => {
    await run(workload("Deployment", "long", { main: "long:1" }));
    await haveSaid("deployment/long", " after");

    const { stdout } = await logs("deployment/long", "--prefix=false");

    const [first = "", ...others] = stdout.split("\n");
    const [, kept = ""] = /^(x+) \[cut: the line is longer than 192 KiB\]$/.exec(first) ?? [];
    // The limit counts the time of the line too.
    assert.ok(kept.length > 190 * 1024 && kept.length < 192 * 1024, `${kept.length} characters`);
    assert.deepEqual(others, ["after", ""]);
  });
});

interface Config {
  readonly clusters: readonly { readonly name: string }[];
}
