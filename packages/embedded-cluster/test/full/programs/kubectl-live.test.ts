import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Kubectl, lacks, printed } from "@weir/testing";
import { startEmbeddedCluster } from "../../../src/server.ts";

const repository = join(import.meta.dirname, "../../../../../packages/demo/src/demo-repository");

describe("kubectl sees workloads of the embedded cluster live", { skip: lacks("kubectl") }, () => {
  const ends = new AsyncDisposableStack();
  let kubectl: Kubectl;
  before(async () => {
    const cluster = ends.use(await startEmbeddedCluster({ readyAfterMs: 50 }));
    kubectl = ends.use(await Kubectl.for(cluster.kubeconfig));
    await kubectl.run(["apply", "-f", join(repository, "namespaces.yaml")]);
  });
  after(() => ends.disposeAsync());

  it("waits for a rollout, and for what is available", async () => {
    await run("apply -f -", await readFile(join(repository, "shop/web.yaml"), "utf8"));

    await run("rollout status deployment/web -n shop --timeout=60s");
    await run("wait deployment/web -n shop --for=condition=Available --timeout=60s");

    const deployment = await run("get deployment web -n shop -o jsonpath={.status.readyReplicas}");
    assert.match(deployment, /^2$/m);
  });

  it("rolls out a new image, undoes it, and tells the history", async () => {
    await run("create deployment api -n shop --image=example.com/api:1");
    await run("rollout status deployment/api -n shop --timeout=60s");
    await run("set image deployment/api -n shop api=example.com/api:2");
    await run("rollout status deployment/api -n shop --timeout=60s");

    const history = await run("rollout history deployment/api -n shop");
    await run("rollout undo deployment/api -n shop");
    await run("rollout status deployment/api -n shop --timeout=60s");

    assert.match(history, /^1 .*\n2 /m);
    const image = await run(
      "get deployment api -n shop -o jsonpath={.spec.template.spec.containers[0].image}",
    );
    assert.match(image, /example\.com\/api:1/);
  });

  it("scales, restarts, and waits for what goes", async () => {
    await run("create deployment cache -n shop --image=example.com/cache:1");
    await run("scale deployment cache -n shop --replicas=3");
    await run("rollout status deployment/cache -n shop --timeout=60s");
    await run("rollout restart deployment/cache -n shop");
    await run("rollout status deployment/cache -n shop --timeout=60s");
    await run("delete deployment cache -n shop --cascade=foreground --timeout=60s");

    await run("wait pod -n shop -l app=cache --for=delete --timeout=60s");

    assert.match(await run("get deployments,pods -n shop -l app=cache"), /No resources found/);
  });

  it("deletes a namespace, and waits until all of it is gone", async () => {
    await run("create namespace brief");
    await run("create deployment a -n brief --image=example.com/a:1");

    await run("delete namespace brief --timeout=60s");

    const { stderr } = await kubectl.run(["get", "namespace", "brief"]);
    assert.match(stderr, /NotFound/);
  });

  /** Runs what must work; resolves to what was printed. */
  async function run(command: string, input?: string): Promise<string> {
    const result = await kubectl.run(command.split(" "), input);
    assert.equal(result.exit, 0, `kubectl ${command}\n${printed(result)}`);
    return result.stdout + result.stderr;
  }
});
