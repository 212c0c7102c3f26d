import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { silentLogger, systemClock } from "@weir/base";
import type { KubeObject, ResourceKey } from "@weir/kube";
import { createRestClient, loadKubeConfig } from "@weir/kube/client";
import { createDiscovery, type RestClient } from "@weir/kube/rest";
import {
  type ControlPlane,
  freshNamespace,
  missing,
  RecordedLog,
  startControlPlane,
  TempFolder,
  until,
} from "@weir/testing";
import {
  type ClusterCache,
  type ClusterCacheOptions,
  createClusterCache,
} from "../../../../src/cache/cluster-cache.ts";

const never = new AbortController().signal;

const configMap = { group: "", kind: "ConfigMap" };
const secret = { group: "", kind: "Secret" };
const label = { key: "weir.test/managed", value: "yes" };
const managed = { labels: { [label.key]: label.value } };
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const mergePatch = "application/merge-patch+json";

describe("the cluster cache of a real API server", { skip: missing() }, () => {
  let plane: ControlPlane;
  let client: RestClient;
  before(async () => {
    plane = await startControlPlane();
    client = await connect();
  });
  after(async () => {
    await client.close();
    await plane.stop();
  });

  /** A client of the administrator, or of somebody else. */
  async function connect(as?: string): Promise<RestClient> {
    using folder = new TempFolder();
    const config = readFileSync(plane.kubeconfigPath, "utf8")
      .replaceAll("certs/", join(dirname(plane.kubeconfigPath), "certs/"))
      .replace('"token"', as === undefined ? '"token"' : `"as":"${as}","token"`);
    const credentials = await loadKubeConfig({ kubeconfig: folder.write("config", config), env: {} });
    return createRestClient({ credentials, userAgent: "weir/test" });
  }

  function cacheOf(options: Partial<ClusterCacheOptions> = {}): ClusterCache {
    const used = options.client ?? client;
    const cache = createClusterCache({
      client: used,
      discovery: createDiscovery(used),
      managedLabel: label,
      namespaces: [],
      clock: systemClock,
      logger: silentLogger,
      excludes: () => false,
      ...options,
    });
    cache.start();
    return cache;
  }

  async function create(path: string, object: object): Promise<KubeObject> {
    return (await client.json({ method: "POST", path, body: object })) as KubeObject;
  }

  async function patch(path: string, body: object): Promise<KubeObject> {
    return (await client.json({ method: "PATCH", path, body, contentType: mergePatch })) as KubeObject;
  }

  async function remove(path: string): Promise<void> {
    await client.json({ method: "DELETE", path });
  }

  it("holds kinds in full, and follows their changes", async () => {
    const namespace = await freshNamespace(plane);
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await create(path, { ...object("ConfigMap", "old"), data: { key: "value" } });
    await using cache = cacheOf();
    const events: string[] = [];
    cache.subscribe(({ key, before, after }) => {
      if (key.namespace === namespace) {
        events.push(`${key.name} ${printData(before)}>${printData(after)}`);
      }
    });

    await cache.holdKinds([configMap], never);
    assert.deepEqual(
      [...cache.list(configMap, namespace)].map(({ metadata }) => metadata.name),
      ["old"],
    );
    await create(path, object("ConfigMap", "new"));
    await patch(`${path}/old`, { data: { key: "other" } });
    await remove(`${path}/old`);

    await until("the events", () => events.length === 4);
    assert.deepEqual(events, [
      'old ->{"key":"value"}',
      "new ->{}",
      'old {"key":"value"}>{"key":"other"}',
      'old {"key":"other"}>-',
    ]);
  });

  it("sees the labelled objects of all other kinds as metadata, as labels come and go", async () => {
    const namespace = await freshNamespace(plane);
    const path = `/api/v1/namespaces/${namespace}/secrets`;
    await create(path, { ...object("Secret", "labelled", managed), stringData: { password: "s3cret" } });
    await create(path, object("Secret", "plain"));
    await create("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
      ...object("ClusterRole", `role-${namespace}`, managed),
      apiVersion: "rbac.authorization.k8s.io/v1",
    });
    await using cache = cacheOf();
    const seen = (): readonly string[] =>
      [...cache.managed()]
        .filter(({ metadata }) => [namespace, undefined].includes(metadata.namespace))
        .map(printObject)
        .sort();

    await cache.watchManaged(never);
    assert.deepEqual(seen(), [`ClusterRole role-${namespace}`, "Secret labelled"]);
    const known = cache.get({ ...secret, namespace, name: "labelled" });
    assert.deepEqual(Object.keys(known ?? {}).sort(), ["apiVersion", "kind", "metadata"]);
    assert.equal(cache.isHeld(secret), false);

    await patch(`${path}/plain`, { metadata: managed });
    await patch(`${path}/labelled`, { metadata: { labels: { [label.key]: null } } });
    await until("the change of labels", () => seen().join() === `ClusterRole role-${namespace},Secret plain`);

    await cache.holdKinds([secret], never);
    assert.deepEqual([...cache.list(secret, namespace)].map(printObject).sort(), [
      "Secret labelled",
      "Secret plain",
    ]);
    assert.deepEqual(seen(), [`ClusterRole role-${namespace}`, "Secret plain"]);
    await remove(`/apis/rbac.authorization.k8s.io/v1/clusterroles/role-${namespace}`);
    await until("the end of the role", () => seen().join() === "Secret plain");
  });

  it("takes up new kinds, and drops those that are gone", async () => {
    const namespace = await freshNamespace(plane);
    await using cache = cacheOf();
    await cache.watchManaged(never);
    const gadget = { group: "example.com", kind: "Gadget", namespace, name: "one" };

    await create(crds, crd("Gadget"));
    await until("the kind", () => cache.resourceOf(gadget));
    await create(`/apis/example.com/v1/namespaces/${namespace}/gadgets`, {
      ...object("Gadget", "one", managed),
      apiVersion: "example.com/v1",
    });
    const found = await until("the object", () => cache.get(gadget));
    assert.equal(found.apiVersion, "example.com/v1");

    const gone = nextRemoval(cache, gadget);
    await remove(`${crds}/gadgets.example.com`);
    await gone;
    await until("the end of the kind", async () => (await cache.resourceOf(gadget)) === undefined);
  });

  it("lives with Roles of the namespaces it may see", async () => {
    const [mine, other] = [await freshNamespace(plane), await freshNamespace(plane)];
    for (const namespace of [mine, other]) {
      await create(`/api/v1/namespaces/${namespace}/configmaps`, object("ConfigMap", "one", managed));
    }
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${mine}`;
    const rules = [{ apiGroups: ["*"], resources: ["configmaps"], verbs: ["get", "list", "watch"] }];
    await create(`${rbac}/roles`, {
      ...object("Role", "reader"),
      apiVersion: "rbac.authorization.k8s.io/v1",
      rules,
    });
    await create(`${rbac}/rolebindings`, {
      ...object("RoleBinding", "reader"),
      apiVersion: "rbac.authorization.k8s.io/v1",
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
      subjects: [{ kind: "User", name: "limited" }],
    });
    const limited = await connect("limited");
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.defer(() => limited.close());
    const log = new RecordedLog();
    await using cache = cacheOf({ client: limited, namespaces: [mine], logger: log });

    await cache.holdKinds([configMap, secret, { group: "", kind: "Node" }], never);
    await cache.watchManaged(never);

    assert.deepEqual(
      [configMap, secret].map((kind) => cache.isHeld(kind)),
      [true, false],
    );
    assert.deepEqual(
      [...cache.managed()].map(({ metadata }) => metadata.namespace),
      [mine],
    );
    await cache.stop();
    const [line = "", ...others] = log.lines;
    assert.deepEqual(others, []);
    assert.match(
      line,
      /^warning=not allowed to watch these kinds; they are skipped kinds=\S*,v1\/Secret,\S* err=/,
    );
    assert.match(line, /err=\S+ is forbidden: User "limited" cannot list resource "\S+" in API group "/);
  });

  it("is up to date again after the API server was away", async () => {
    const namespace = await freshNamespace(plane);
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const log = new RecordedLog();
    await using cache = cacheOf({ logger: log });
    await cache.holdKinds([configMap, secret], never);
    const one = await create(path, object("ConfigMap", "one"));
    await until("the first object", () => cache.get({ ...configMap, namespace, name: "one" }));

    await plane.stopApiServer();
    await until("the outage to be told", () => log.lines.length > 0);
    await plane.startApiServer();
    await patch(`${path}/one`, { data: { key: "value" } });

    const key = { ...configMap, namespace, name: "one" };
    const changed = await until("the change", () => {
      const now = cache.get(key);
      return now !== undefined && now.metadata.resourceVersion !== one.metadata.resourceVersion
        ? now
        : undefined;
    });
    assert.deepEqual(changed.data, { key: "value" });
    assert.equal(log.lines.length, 1);
  });

  it("never shows less than our own writes, however late the watch is, and ends with what the server has", async () => {
    const namespace = await freshNamespace(plane);
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await using cache = cacheOf();
    await cache.holdKinds([configMap], never);
    const names = Array.from({ length: 20 }, (_, i) => `map-${i}`);

    await Promise.all(
      names.map(async (name, i) => {
        const key = { ...configMap, namespace, name };
        cache.observe(await create(path, object("ConfigMap", name)));
        for (let n = 0; n < 10; n += 1) {
          // Somebody else writes in between.
          await patch(`${path}/${name}`, { data: { theirs: String(n) } });
          const written = await patch(`${path}/${name}`, { data: { ours: String(n) } });
          cache.observe(written);
          assert.deepEqual(cache.get(key)?.data, written.data);
        }
        if (i % 2 === 0) {
          await remove(`${path}/${name}`);
          cache.observeDeleted(key);
          assert.equal(cache.get(key), undefined);
        }
      }),
    );

    const marker = await create(path, object("ConfigMap", "marker"));
    await until("all that happened before", () => cache.get({ ...configMap, namespace, name: "marker" }));
    const left = names.filter((_, i) => i % 2 === 1);
    assert.deepEqual(
      [...cache.list(configMap, namespace)].map(({ metadata, data }) => [metadata.name, data]).sort(),
      [[marker.metadata.name, undefined], ...left.map((name) => [name, { ours: "9", theirs: "9" }])].sort(),
    );
  });
});

function object(kind: string, name: string, metadata: object = {}): object {
  return { apiVersion: "v1", kind, metadata: { name, ...metadata } };
}

function printObject({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name ?? ""}`;
}

function printData(of: KubeObject | undefined): string {
  return of === undefined ? "-" : JSON.stringify(of.data ?? {});
}

/** Resolves when the cache tells that the object is gone. */
function nextRemoval(cache: ClusterCache, { kind, name }: ResourceKey): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = cache.subscribe(({ key, after }) => {
      if (after === undefined && key.kind === kind && key.name === name) {
        unsubscribe();
        resolve();
      }
    });
  });
}

function crd(kind: string): object {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind, plural },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}
