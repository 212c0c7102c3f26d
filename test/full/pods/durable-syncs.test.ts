import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isJsonObject } from "@weir/base";
import { AuditLog, configMapPath, type PodImage, until } from "@weir/testing";
import { configMap, namespace } from "../../support/manifests.ts";
import { usualImages } from "../../support/pods/images.ts";
import { InstalledFluxd } from "../../support/pods/installed-fluxd.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";

const jobsPath = "/apis/batch/v1/namespaces/demo/jobs";
const secretPath = "/api/v1/namespaces/flux/secrets/flux-git-deploy";

/** A Job that ends when the test creates a file in its pod. */
function hookImage(): PodImage {
  const script = 'trap "exit 1" TERM; until [ -e /tmp/go ]; do sleep 0.1; done';
  return { match: "example.test/hook:1", command: ["sh", "-c", script] };
}

function hook(name: string, phase: string): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  namespace: demo
  annotations: { weir.dev/hook: ${phase} }
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: main, image: "example.test/hook:1" }]
`;
}

describe("a sync with hooks", { skip: PodWorld.lacks() }, () => {
  const started = new AsyncDisposableStack();
  let world: PodWorld;
  let fluxd: InstalledFluxd;
  before(async () => {
    world = started.use(await PodWorld.start());
    await world.cluster.useImages([hookImage(), ...usualImages()]);
    fluxd = started.use(
      await InstalledFluxd.start(world, {
        files: { "demo.yaml": namespace("demo") },
        install: ["--registry-disable-scanning", "--memcached=false"],
        fluxd: ["--git-poll-interval=1s", "--sync-timeout=10s"],
      }),
    );
  });
  after(() => started.disposeAsync());

  async function uidOf(job: string): Promise<string | undefined> {
    return until(job, async () => (await world.kube.get(`${jobsPath}/${job}`))?.metadata.uid);
  }

  /** Lets the Job's process end. A file that is created while the container starts can get lost. */
  async function ends(job: string): Promise<void> {
    const touch = ["exec", "-n", "demo", `job/${job}`, "--", "touch", "/tmp/go"];
    await until(`the end of ${job}`, async () => {
      await world.kubectl.run(touch);
      const status = (await world.kube.get(`${jobsPath}/${job}`))?.["status"];
      return isJsonObject(status) && status["succeeded"] === 1;
    });
  }

  /** What fluxd has stored of the sync that runs. */
  async function stored(): Promise<string> {
    return (await world.kube.get(secretPath))?.metadata.annotations?.["weir.dev/operation"] ?? "";
  }

  /** Ends fluxd without letting it do anything; resolves when another one runs. */
  async function kill(): Promise<void> {
    const pods = ["pods", "-n", "flux", "-l", "name=flux"];
    const before = await world.kubectl.must(["get", ...pods, "-o", "name"]);
    await world.kubectl.must(["delete", ...pods, "--grace-period=0", "--force"]);
    await until("another fluxd", async () => {
      const now = await world.kubectl.must(["get", ...pods, "-o", "name"]);
      return now !== "" && now !== before;
    });
    await world.kubectl.rolledOut({ namespace: "flux", name: "deployment/flux" });
  }

  it("waits for a hook that was running when fluxd was killed, and runs it once", async () => {
    const audit = await AuditLog.since(world.cluster);
    await fluxd.repository.push(
      { "hook.yaml": hook("migrate", "PreSync"), "config.yaml": configMap("config", "v1", "demo") },
      "Migrate first",
    );
    const uid = await uidOf("migrate");
    await until("the hook to be stored", async () => (await stored()).includes(uid ?? "none"));

    await kill();
    assert.equal(await world.kube.get(configMapPath("config", "demo")), undefined);
    await ends("migrate");
    await fluxd.synced();

    assert.equal(await uidOf("migrate"), uid);
    const created = (await audit.writes()).filter(
      ({ verb, uri }) => verb === "create" && uri.includes("/jobs?"),
    );
    assert.equal(created.length, 1);
    assert.notEqual(await world.kube.get(configMapPath("config", "demo")), undefined);
    assert.equal(await stored(), "");
  });

  it("runs PostSync once if fluxd is killed before that", async () => {
    const audit = await AuditLog.since(world.cluster);
    await fluxd.repository.push(
      {
        "hook.yaml": null,
        "after.yaml": hook("announce", "PostSync"),
        // PostSync waits until the load balancer has an address.
        "balancer.yaml": `apiVersion: v1
kind: Service
metadata: { name: balancer, namespace: demo }
spec: { type: LoadBalancer, ports: [{ port: 80 }] }
`,
      },
      "Announce it",
    );
    const balancer = "/api/v1/namespaces/demo/services/balancer";
    await until("the balancer", () => world.kube.get(balancer));
    await until("the sync to be stored", async () => (await stored()) !== "");

    await kill();
    assert.equal(await world.kube.get(`${jobsPath}/announce`), undefined);
    const ingress = [{ ip: "192.0.2.1" }];
    await world.kube.patch(`${balancer}/status`, { status: { loadBalancer: { ingress } } });
    await ends("announce");
    await fluxd.synced();

    const created = (await audit.writes()).filter(
      ({ verb, uri }) => verb === "create" && uri.includes("/jobs?"),
    );
    assert.equal(created.length, 1);
    assert.equal(await stored(), "");
  });

  it("writes nothing when fluxd starts again and nothing has changed", async () => {
    const audit = await AuditLog.since(world.cluster);

    await kill();
    await until("the sync", async () => (await fluxd.run("sync")).exit === 0);

    const own = (await audit.writes()).filter(({ user }) => user.startsWith("system:serviceaccount:flux:"));
    assert.deepEqual(own, []);
  });
});
