import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import type { RestClient } from "@weir/kube/rest";
import { describeOnEachCluster, makeNamespace } from "@weir/testing";
import { SecretAnnotation } from "../../src/cluster-state/secret-annotation.ts";

const never = new AbortController().signal;
const name = "flux-git-deploy";

describeOnEachCluster("a text in an annotation of a Secret", (cluster) => {
  let client: RestClient;
  before(async () => {
    const credentials = await loadKubeConfig({ kubeconfig: cluster.kubeconfigPath, env: {} });
    client = createRestClient({ credentials, userAgent: "weir/test" });
  });
  after(() => client.close());

  async function newSecret(): Promise<string> {
    const namespace = await makeNamespace(cluster.kube);
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name }, data: { identity: "a2V5" } };
    await cluster.kube.create(`/api/v1/namespaces/${namespace}/secrets`, secret);
    return namespace;
  }

  function open(namespace: string | undefined, mostBytes = 100): SecretAnnotation {
    const secret = namespace === undefined ? undefined : { namespace, name };
    return new SecretAnnotation({ client, secret, annotation: "weir.dev/test", mostBytes });
  }

  it("is read as it was written, and removed", async () => {
    const namespace = await newSecret();
    assert.deepEqual(await open(namespace).read(never), { text: undefined });

    await open(namespace).update(() => "one", never);
    assert.deepEqual(await open(namespace).read(never), { text: "one" });

    await open(namespace).update(() => undefined, never);
    assert.deepEqual(await open(namespace).read(never), { text: undefined });
  });

  it("loses nothing when several write at once", async () => {
    const namespace = await newSecret();
    const add = (letter: string) =>
      open(namespace).update((current) => (current === undefined ? letter : `${current},${letter}`), never);

    await Promise.all(["a", "b", "c"].map(add));

    const found = await open(namespace).read(never);
    assert.deepEqual("text" in found ? found.text?.split(",").toSorted() : found, ["a", "b", "c"]);
  });

  it("isn't kept outside a pod, without the Secret, or if it's too large, and the reason says so", async () => {
    const namespace = await newSecret();
    const empty = await makeNamespace(cluster.kube);

    const kept = await Promise.all([
      open(undefined).update(() => "text", never),
      open(empty).update(() => "text", never),
      open(namespace, 3).update(() => "text", never),
    ]);

    assert.deepEqual(kept, [
      { why: "outside-pod", reason: "fluxd doesn't run in a pod" },
      {
        why: "no-secret",
        reason: `there is no Secret ${empty}/${name}, or fluxd isn't allowed to read it`,
      },
      { why: "too-large", reason: "it is larger than 3 bytes" },
    ]);
    assert.deepEqual(await open(namespace).read(never), { text: undefined });
  });
});
