import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import { RecordedLog, ScriptedClient } from "@weir/testing";
import { PullSecrets, tellOnce } from "../../../src/cluster-state/pull-secrets.ts";

const never = new AbortController().signal;
const path = "/api/v1/namespaces/shop";

function secret(user: string, type = "kubernetes.io/dockerconfigjson"): JsonObject {
  const auth = Buffer.from(`${user}:x`).toString("base64");
  const config = { auths: { "registry.example.com": { auth } } };
  const key = type === "kubernetes.io/dockercfg" ? ".dockercfg" : ".dockerconfigjson";
  const text = JSON.stringify(key === ".dockercfg" ? config.auths : config);
  return { type, data: { [key]: Buffer.from(text).toString("base64") } };
}

const objects: Readonly<Record<string, JsonObject>> = {
  [`${path}/serviceaccounts/default`]: { imagePullSecrets: [{ name: "account" }] },
  [`${path}/serviceaccounts/robot`]: { imagePullSecrets: [{ name: "old" }] },
  [`${path}/secrets/account`]: secret("account"),
  [`${path}/secrets/old`]: secret("old", "kubernetes.io/dockercfg"),
  [`${path}/secrets/own`]: secret("own"),
  [`${path}/secrets/opaque`]: { type: "Opaque", data: {} },
  [`${path}/secrets/broken`]: { type: "kubernetes.io/dockerconfigjson", data: {} },
};

class Rig {
  readonly log = new RecordedLog();
  readonly client = new ScriptedClient({
    lists: [
      (request) => {
        const object = objects[request.path];
        if (object === undefined) {
          throw new Error(`${request.path} not found`);
        }
        return object;
      },
    ],
  });
  readonly #tell = tellOnce(this.log);

  async userOf(podSpec: JsonObject): Promise<string | undefined> {
    const found = await new PullSecrets(this.client, this.#tell, never).ofPods("shop", podSpec);
    return found.get("registry.example.com")?.username;
  }
}

describe("pull secrets", () => {
  it("are those of the default service account where a pod names none", async () => {
    assert.equal(await new Rig().userOf({}), "account");
  });

  it("are those of the pod's own service account, in the old form as well", async () => {
    assert.equal(await new Rig().userOf({ serviceAccountName: "robot" }), "old");
  });

  it("are those of the pod before those of its account", async () => {
    assert.equal(await new Rig().userOf({ imagePullSecrets: [{ name: "own" }] }), "own");
  });

  it("are passed over where they cannot be read, which is said once", async () => {
    const rig = new Rig();
    const imagePullSecrets = ["missing", "opaque", "broken"].map((name) => ({ name }));

    assert.equal(await rig.userOf({ imagePullSecrets }), "account");
    assert.equal(await rig.userOf({ serviceAccountName: "none", imagePullSecrets }), undefined);

    assert.deepEqual(rig.log.lines.toSorted(), [
      `err=${path}/secrets/missing not found secret=shop:secret/missing`,
      "err=its type isn't one for image pull secrets secret=shop:secret/opaque",
      `err=shop:secret/broken isn't a Docker config; expected a JSON object with "auths" secret=shop:secret/broken`,
    ]);
  });

  it("are read once for all pods of one look", async () => {
    const rig = new Rig();
    const secrets = new PullSecrets(rig.client, () => undefined, never);

    await Promise.all([secrets.ofPods("shop", {}), secrets.ofPods("shop", {})]);

    assert.equal(rig.client.asked.length, 2);
  });
});
