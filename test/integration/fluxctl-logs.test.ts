import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, it } from "node:test";
import { startEmbeddedCluster } from "@weir/embedded-cluster";
import { answer, KubeEyes, serve, TempFolder, until } from "@weir/testing";
import { kubeconfigFor } from "../support/cluster-stand-in.ts";
import { runFluxctl } from "../support/fluxctl.ts";

describe("fluxctl logs", () => {
  for (const [args, message] of [
    [[], "name one workload, as in fluxctl logs default:deployment/foo"],
    [["a", "b"], "name one workload, as in fluxctl logs default:deployment/foo"],
    [
      ["deployment/a", "--since=1m", "--since-time=2026-01-01T00:00:00Z"],
      "use either --since or --since-time, not both",
    ],
    [["deployment/a", "--since=0s"], "--since must be greater than 0, e.g. --since=10m"],
    [
      ["deployment/a", "--since-time=today"],
      "--since-time must be a time like 2026-01-31T12:00:00Z, not today",
    ],
    [
      ["deployment/a", "-f", "--previous"],
      "use either --follow or --previous, not both: what is over can't be followed",
    ],
    [["deployment/a", "--tail=-2"], "--tail must be -1 or greater"],
    [["deployment/a", "--max-log-requests=0"], "--max-log-requests must be at least 1"],
    [
      ["helmrelease/a"],
      "default:helmrelease/a has no logs: name a deployment, statefulset, daemonset, job, cronjob",
    ],
  ] as const) {
    it(`refuses "${args.join(" ")}"`, async () => {
      const result = await runFluxctl(["logs", ...args]);

      const stderr = `Error: ${message}\nRun 'fluxctl logs --help' for usage.\n`;
      assert.deepEqual(result, { exit: 1, stdout: "", stderr });
    });
  }

  it("says what it needs where there is only the URL of fluxd", async () => {
    const result = await runFluxctl(["logs", "deployment/a", "--url=http://127.0.0.1:1"], {
      HOME: "/nonexistent",
    });

    assert.deepEqual([result.exit, result.stdout], [1, ""]);
    assert.match(
      result.stderr,
      /^Error: logs are read from the cluster's API server, which needs a kubeconfig: there is none\n/,
    );
  });

  it("says that the embedded cluster has no logs", async () => {
    await using cluster = await startEmbeddedCluster({ readyAfterMs: 10 });
    using folder = new TempFolder();
    const KUBECONFIG = folder.write("config", cluster.kubeconfig);
    await using kube = new KubeEyes(cluster.url, cluster.token);
    const labels = { app: "web" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "web:1" }] } };
    await kube.create("/apis/apps/v1/namespaces/default/deployments", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: { selector: { matchLabels: labels }, template },
    });

    const once = await until("a pod", async () => {
      const result = await runFluxctl(["logs", "deployment/web"], { KUBECONFIG });
      return !result.stderr.includes("has no pods") && result;
    });
    const followed = await runFluxctl(["logs", "deployment/web", "-f"], { KUBECONFIG });

    for (const { exit, stdout, stderr } of [once, followed]) {
      assert.deepEqual([exit, stdout], [1, ""]);
      assert.match(stderr, /^Error: the embedded cluster runs no containers: there is no log of pod "web-/);
    }
  });

  it("reads no faster than its output is taken", async () => {
    const line = Buffer.from(`2026-01-01T00:00:00.000000000Z ${"x".repeat(1_000)}\n`);
    let [sent, isBlocked] = [0, false];
    await using server = await serve((request, response) => {
      const [path = ""] = (request.url ?? "").split("?");
      const owner = { apiVersion: "apps/v1", kind: "DaemonSet", name: "web", uid: "1", controller: true };
      const metadata = { name: "web-1", namespace: "here", uid: "2", ownerReferences: [owner] };
      const pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata,
        spec: { containers: [{ name: "main" }] },
        status: {},
      };
      if (path.endsWith("/log")) {
        const pump = (): void => {
          for (isBlocked = false; !isBlocked && sent < 512 * 1024 * 1024; sent += line.length) {
            isBlocked = !response.write(line);
          }
        };
        response.on("drain", pump).writeHead(200);
        pump();
      } else if (path.endsWith("/pods")) {
        answer(response, { status: 200, body: { kind: "PodList", metadata: {}, items: [pod] } });
      } else {
        const spec = { selector: { matchLabels: { app: "web" } } };
        answer(response, {
          status: 200,
          body: { ...pod, kind: "DaemonSet", metadata: { name: "web" }, spec },
        });
      }
    });
    using folder = new TempFolder();
    const env = { PATH: process.env["PATH"], KUBECONFIG: folder.write("config", kubeconfigFor(server.url)) };
    const child = spawn(join(import.meta.dirname, "../../dist/fluxctl"), ["logs", "daemonset/web"], { env });
    try {
      // Reads the beginning, and then no more.
      await once(child.stdout, "readable");
      let before = -1;
      await until("the server to be blocked", async () => {
        const isStill = isBlocked && sent === before;
        before = sent;
        await new Promise((resolve) => setTimeout(resolve, 500));
        return isStill && sent === before;
      });

      assert.ok(sent > 0 && sent < 64 * 1024 * 1024, `${sent} bytes were taken`);
    } finally {
      child.kill("SIGKILL");
      await once(child, "close");
    }
  });
});
