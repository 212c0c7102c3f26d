import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type ControlPlane, freshNamespace, kubeObject, missing, startControlPlane } from "@weir/testing";
import { EngineRig } from "../../support/engine-rig.ts";

describe("a sync during which the API server goes away", { skip: missing() }, () => {
  let plane: ControlPlane;

  before(async () => {
    plane = await startControlPlane();
  });

  after(() => plane.stop());

  it("reports for each object what was done, and the next sync does only the rest", async () => {
    const namespace = await freshNamespace(plane);
    await using rig = await EngineRig.open(plane.kubeconfigPath);
    const targets = Array.from(
      { length: 60 },
      (_, index) =>
        kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: c${index}, namespace: ${namespace} } }`,
    );
    await rig.sync("outage", []);
    let posts = 0;
    let gone: Promise<void> | undefined;
    rig.client.around = (send, { method }) => {
      posts += method === "POST" ? 1 : 0;
      gone ??= posts === 20 ? plane.stopApiServer() : undefined;
      return send();
    };

    const broken = await rig.sync("outage", targets, { parallelism: 8 });
    await gone;
    await plane.startApiServer();
    const mended = await rig.sync("outage", targets);

    assert.equal(broken.phase, "Failed");
    for (const { code, error = "" } of broken.resources) {
      assert.ok(
        code === "Synced" || /^(Unable to connect to|The connection to) the server/.test(error),
        error,
      );
    }
    assert.equal(mended.phase, "Succeeded");
    assert.deepEqual(new Set(mended.resources.map(({ code }) => code)), new Set(["Synced"]));
    const created = [broken, mended].flatMap(({ resources }) =>
      resources.filter(({ change }) => change === "created"),
    );
    assert.ok(created.length <= targets.length);
  });
});
