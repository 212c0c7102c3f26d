import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { type ApiResource, KubeApiError, type KubeObject, keyOf } from "@weir/kube";
import { ConnectionError, type Discovery, type RestRequest, ServedKinds } from "@weir/kube/rest";
import { FakeClock, RecordedLog, ScriptedClient, until } from "@weir/testing";
import { type ClusterCacheOptions, createClusterCache } from "../../../src/cache/cluster-cache.ts";

const never = new AbortController().signal;

function resource(group: string, kind: string, namespaced = true): ApiResource {
  return {
    group,
    version: "v1",
    kind,
    resource: `${kind.toLowerCase()}s`,
    namespaced,
    verbs: ["list", "watch"],
  };
}

const secrets = resource("", "Secret");
const pods = resource("", "Pod");
const nodes = resource("", "Node", false);
const events = resource("", "Event");

function discoveryOf(...resources: readonly ApiResource[]): Discovery {
  const kinds = new ServedKinds({ resources, failures: [] });
  const find: Discovery["resourceOf"] = (kind, version) => Promise.resolve(kinds.find(kind, version));
  return {
    resourceOf: find,
    resourceFor: (kind) => find(kind),
    kindOf: (kind) => Promise.resolve(kinds.kind(kind)),
    all: () => Promise.resolve(kinds.served),
    kinds: () => Promise.resolve(kinds.kinds()),
    invalidate: () => undefined,
  };
}

/** A server that lists what is under the path; an Error is thrown. */
function lists(answers: Readonly<Record<string, readonly object[] | Error>>): ScriptedClient {
  return new ScriptedClient({
    lists: [
      ({ path }: RestRequest) => {
        const items = answers[path] ?? [];
        if (items instanceof Error) {
          throw items;
        }
        return { metadata: { resourceVersion: "1" }, items };
      },
    ],
  });
}

function item(namespace: string, name: string, labels = {}): { readonly metadata: object } {
  return { metadata: { namespace, name, uid: `uid-${name}`, resourceVersion: "1", labels } };
}

function setUp(options: Partial<ClusterCacheOptions> & Pick<ClusterCacheOptions, "client" | "discovery">) {
  const log = new RecordedLog();
  const clock = new FakeClock();
  const cache = createClusterCache({
    managedLabel: { key: "owner", value: "us" },
    namespaces: [],
    clock,
    logger: log,
    excludes: () => false,
    ...options,
  });
  return { cache, log, clock };
}

function names(objects: Iterable<KubeObject>): readonly string[] {
  return [...objects].map(
    ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name ?? ""}`,
  );
}

const forbidden = new KubeApiError({ code: 403, reason: "Forbidden", message: "no" });

describe("the cluster cache", () => {
  it("holds the requested kinds, and skips those that the server does not have", async () => {
    const client = lists({ "/api/v1/secrets": [item("a", "one"), item("b", "two")] });
    const { cache } = setUp({ client, discovery: discoveryOf(secrets, pods) });

    await cache.holdKinds([secrets, { group: "example.com", kind: "Foo" }], never);

    assert.deepEqual(
      [secrets, pods, { group: "example.com", kind: "Foo" }].map((kind) => cache.isHeld(kind)),
      [true, false, false],
    );
    assert.deepEqual(names(cache.list(secrets)), ["Secret a/one", "Secret b/two"]);
    assert.deepEqual(names(cache.list(secrets, "b")), ["Secret b/two"]);
    await cache.stop();
  });

  it("does not wait for forbidden kinds, and logs them once", async () => {
    const client = lists({ "/api/v1/secrets": forbidden, "/api/v1/pods": [item("a", "one")] });
    const { cache, log } = setUp({ client, discovery: discoveryOf(secrets, pods) });

    await cache.holdKinds([secrets, pods], never);

    assert.deepEqual([cache.isHeld(secrets), cache.isHeld(pods)], [false, true]);
    await cache.stop();
    assert.deepEqual(log.lines, [
      "warning=not allowed to watch these kinds; they are skipped kinds=v1/Secret err=no advice=to include them, grant this account list and watch on them",
    ]);
  });

  it("holds a kind in the namespaces where it is allowed, even if it is forbidden in others", async () => {
    const client = lists({
      "/api/v1/namespaces/mine/secrets": [item("mine", "one")],
      "/api/v1/namespaces/closed/secrets": forbidden,
    });
    const { cache } = setUp({ client, discovery: discoveryOf(secrets), namespaces: ["mine", "closed"] });

    await cache.holdKinds([secrets], never);

    assert.deepEqual(
      ["mine", "closed", "unknown"].map((namespace) => cache.isHeld({ ...secrets, namespace })),
      [true, false, false],
    );
    assert.equal(cache.isHeld(secrets), false);
    await cache.stop();
  });

  it("takes up a kind that was refused as soon as it is allowed", async () => {
    const answers: Record<string, readonly object[] | Error> = { "/api/v1/secrets": forbidden };
    const { cache, clock, log } = setUp({ client: lists(answers), discovery: discoveryOf(secrets) });
    await cache.holdKinds([secrets], never);
    answers["/api/v1/secrets"] = [item("a", "one")];

    await clock.sleeping((ms) => ms > 1_000);
    await clock.advance(30_000);

    assert.equal(cache.isHeld(secrets), true);
    assert.equal(log.lines.at(-1), "info=kind is watched again kind=v1/Secret");
    await cache.stop();
  });

  it("does not wait for ever for a kind whose lists fail", async () => {
    const failing = new KubeApiError({
      code: 500,
      reason: "InternalError",
      message: "conversion webhook failed",
    });
    const client = lists({ "/api/v1/secrets": failing, "/api/v1/pods": [item("a", "one")] });
    const { cache, clock, log } = setUp({ client, discovery: discoveryOf(secrets, pods) });
    const held = cache.holdKinds([secrets, pods], never);

    await clock.sleeping((ms) => ms < 1_000);
    await clock.advance(1_000);
    await held;

    assert.deepEqual([cache.isHeld(secrets), cache.isHeld(pods)], [false, true]);
    assert.deepEqual(log.lines, ["warning=cannot watch kind kind=v1/Secret err=conversion webhook failed"]);
    await cache.stop();
  });

  it("no longer counts a kind as held when access is revoked", async () => {
    const client = new ScriptedClient({
      lists: [() => ({ metadata: { resourceVersion: "1" }, items: [item("a", "one")] })],
      watches: [
        () => {
          throw forbidden;
        },
      ],
    });
    const { cache, clock } = setUp({ client, discovery: discoveryOf(secrets) });
    await cache.holdKinds([secrets], never);

    await clock.sleeping((ms) => ms > 1_000);

    assert.equal(cache.isHeld(secrets), false);
    await clock.advance(30_000);
    assert.equal(cache.isHeld(secrets), true);
    await cache.stop();
  });

  it("waits for a server that cannot be reached, until the caller does not", async () => {
    const client = lists({
      "/api/v1/secrets": new ConnectionError({ server: "https://scripted", sent: false, reason: "refused" }),
    });
    const { cache } = setUp({ client, discovery: discoveryOf(secrets) });
    const giving = new AbortController();

    const held = cache.holdKinds([secrets], giving.signal);
    giving.abort(new Error("enough"));

    await assert.rejects(held, { message: "enough" });
    await cache.stop();
  });

  it("lists and watches only the namespaces it may, and cluster-wide kinds at large", async () => {
    const client = lists({});
    const { cache } = setUp({ client, discovery: discoveryOf(secrets, nodes), namespaces: ["a", "b"] });

    await cache.holdKinds([secrets, nodes], never);

    const listed = client.asked.filter((asked) => asked.startsWith("get")).sort();
    assert.deepEqual(listed, [
      "get /api/v1/namespaces/a/secrets?limit=200",
      "get /api/v1/namespaces/b/secrets?limit=200",
      "get /api/v1/nodes?limit=200",
    ]);
    await cache.stop();
  });

  it("watches the managed objects of all other kinds, as metadata", async () => {
    const managed = { ...item("a", "one", { owner: "us" }), data: { key: "value" } };
    const client = lists({
      "/api/v1/secrets": [managed],
      "/api/v1/pods": [item("a", "ours", { owner: "us" }), item("a", "theirs")],
    });
    const { cache } = setUp({
      client,
      discovery: discoveryOf(secrets, pods, nodes, events),
      excludes: ({ kind }) => kind === "Node",
    });
    await cache.holdKinds([pods], never);

    await cache.watchManaged(never);

    assert.deepEqual(names(cache.managed()), ["Secret a/one", "Pod a/ours"]);
    assert.deepEqual(client.asked.filter((asked) => asked.startsWith("get")).sort(), [
      "get /api/v1/pods?limit=200",
      "get /api/v1/secrets?limit=200&labelSelector=owner%3Dus",
    ]);
    assert.deepEqual([cache.isHeld(secrets), names(cache.list(secrets))], [false, []]);
    await cache.stop();
  });

  it("reports no object of an excluded kind as managed, even if it is held", async () => {
    const ours = item("a", "ours", { owner: "us" });
    const client = lists({ "/api/v1/secrets": [ours], "/api/v1/pods": [ours], "/api/v1/endpointss": [ours] });
    const endpoints = resource("", "Endpoints");
    const { cache } = setUp({
      client,
      discovery: discoveryOf(secrets, pods, endpoints),
      excludes: ({ kind }) => kind === "Pod",
    });

    await cache.holdKinds([secrets, pods, endpoints], never);
    await cache.watchManaged(never);

    assert.deepEqual(names(cache.managed()), ["Secret a/ours"]);
    assert.deepEqual(
      [secrets, pods, endpoints, nodes].map((kind) => cache.mayBeManaged(kind)),
      [true, false, false, true],
    );
    assert.deepEqual(names(cache.list(pods)), ["Pod a/ours"]);
    await cache.stop();
  });

  it("looks for managed objects in the first version that is not excluded", async () => {
    const old = { ...resource("example.com", "Foo"), version: "v1beta1" };
    const path = "/apis/example.com/v1beta1/foos";
    const client = lists({ [path]: [item("a", "ours", { owner: "us" })] });
    const { cache } = setUp({
      client,
      discovery: discoveryOf(resource("example.com", "Foo"), old),
      excludes: ({ version }) => version === "v1",
    });

    await cache.watchManaged(never);

    assert.deepEqual(
      [...cache.managed()].map(({ apiVersion }) => apiVersion),
      ["example.com/v1beta1"],
    );
    await cache.holdKinds([old], never);
    await cache.watchManaged(never);
    assert.deepEqual(
      client.asked.filter((asked) => asked.startsWith("get")),
      [`get ${path}?limit=200&labelSelector=owner%3Dus`, "get /apis/example.com/v1/foos?limit=200"],
    );
    await cache.stop();
  });

  it("watches nothing by itself without a label", async () => {
    const client = lists({});
    const { cache } = setUp({ client, discovery: discoveryOf(secrets), managedLabel: undefined });

    await cache.watchManaged(never);

    assert.deepEqual(client.asked, []);
    await cache.stop();
  });

  it("holds a kind whole that it watched for managed objects before", async () => {
    const client = lists({ "/api/v1/secrets": [item("a", "one", { owner: "us" })] });
    const { cache } = setUp({ client, discovery: discoveryOf(secrets) });
    await cache.watchManaged(never);

    await cache.holdKinds([secrets], never);

    assert.equal(cache.isHeld(secrets), true);
    assert.deepEqual(names(cache.list(secrets)), ["Secret a/one"]);
    await cache.stop();
  });

  it("stores responses to our writes in the form in which the kind is watched", async () => {
    const { cache } = setUp({ client: lists({}), discovery: discoveryOf(secrets, pods), namespaces: ["a"] });
    await cache.holdKinds([pods], never);
    await cache.watchManaged(never);
    const object = (kind: string, namespace: string, labels = {}): KubeObject => ({
      apiVersion: "v1",
      kind,
      metadata: {
        namespace,
        name: "x",
        uid: "u",
        resourceVersion: "7",
        labels,
        managedFields: [{ manager: "us" }],
      },
      data: { key: "value" },
    });
    const known = (of: KubeObject): KubeObject | undefined => cache.get(keyOf(of));

    const whole = object("Pod", "a");
    const managed = object("Secret", "a", { owner: "us" });
    const elsewhere = object("Pod", "b");
    [whole, managed, elsewhere, object("Node", "")].forEach((each) => cache.observe(each));

    const metadata = { namespace: "a", name: "x", uid: "u", resourceVersion: "7" };
    assert.deepEqual(
      [known(whole), known(managed), known(elsewhere), known(object("Node", ""))],
      [
        { apiVersion: "v1", kind: "Pod", metadata: { ...metadata, labels: {} }, data: { key: "value" } },
        { apiVersion: "v1", kind: "Secret", metadata: { ...metadata, labels: { owner: "us" } } },
        undefined,
        undefined,
      ],
    );

    cache.observe(object("Secret", "a"));
    cache.observeDeleted(keyOf(whole));
    assert.deepEqual([known(whole), known(managed)], [undefined, undefined]);
    await cache.stop();
  });

  it("notifies all listeners, even if one of them throws", async () => {
    const { cache, log } = setUp({ client: lists({}), discovery: discoveryOf(secrets) });
    await cache.holdKinds([secrets], never);
    const told: string[] = [];
    cache.subscribe(() => {
      throw new Error("my fault");
    });
    const unsubscribe = cache.subscribe(({ key }) => told.push(key.name));
    const secret = (name: string): KubeObject => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace: "a", resourceVersion: "2" },
    });

    cache.observe(secret("one"));
    unsubscribe();
    unsubscribe();
    cache.observe(secret("two"));

    assert.deepEqual(told, ["one"]);
    const line = "warning=a subscriber of the cluster cache failed err=my fault";
    assert.deepEqual(log.lines, [line, line]);
    await cache.stop();
  });

  it("knows children by owner references, and those that have none", async () => {
    const service = resource("", "Service");
    const endpoints = resource("", "Endpoints");
    const child = { metadata: { ...item("a", "child").metadata, ownerReferences: [{ uid: "uid-web" }] } };
    const client = lists({
      "/api/v1/services": [item("a", "web")],
      "/api/v1/endpointss": [item("a", "web"), item("a", "other"), item("b", "web")],
      "/api/v1/pods": [child, item("a", "stranger")],
    });
    const { cache } = setUp({ client, discovery: discoveryOf(service, endpoints, pods) });
    await cache.holdKinds([service, endpoints, pods], never);

    const web = cache.held({ ...service, namespace: "a", name: "web" });
    assert.ok(web !== undefined);
    const children = [...cache.childrenOf(web)].map(({ object }) => object);

    assert.deepEqual(names(children), ["Pod a/child", "Endpoints a/web"]);
    assert.equal(cache.held({ ...service, namespace: "a", name: "gone" }), undefined);
    await cache.stop();
  });

  it("says which parts of the API the server cannot reach", async () => {
    const failure = { group: "metrics.k8s.io", version: "v1beta1", reason: "no endpoints" };
    const discovery = discoveryOf(secrets);
    const failing = {
      ...discovery,
      all: () => Promise.resolve({ resources: [secrets], failures: [failure] }),
    };
    const { cache } = setUp({ client: lists({}), discovery: failing });
    assert.deepEqual(cache.unavailable(), []);

    await cache.watchManaged(never);

    assert.deepEqual(cache.unavailable(), [failure]);
    await cache.stop();
  });
});

describe("the cluster cache, of objects that are not targets", () => {
  const configMaps = resource("", "ConfigMap");
  const path = "/api/v1/configmaps";
  const configMap = (name: string) => ({ ...item("a", name), data: { key: name } });
  const keyFor = (name: string) => ({ group: "", kind: "ConfigMap", namespace: "a", name });

  /** A server that lists and gets so many ConfigMaps. */
  function serverOf(count: number): ScriptedClient {
    const all = Array.from({ length: count }, (_, index) => configMap(`c${index}`));
    return new ScriptedClient({
      lists: [
        (request: RestRequest) => {
          const name = request.path
            .slice(path.length + 1)
            .split("/")
            .at(-1);
          return request.path === path
            ? { metadata: { resourceVersion: "1" }, items: all }
            : { apiVersion: "v1", kind: "ConfigMap", ...configMap(name ?? "") };
        },
      ],
    });
  }

  function requests(client: ScriptedClient): readonly string[] {
    return client.asked.filter((asked) => asked.startsWith("get"));
  }

  it("holds only targets whole, and asks for everything once", async () => {
    const client = serverOf(3);
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps) });

    await Promise.all([cache.setTargets("unit", [keyFor("c1")], never), cache.watchManaged(never)]);

    assert.deepEqual(
      ["c0", "c1", "c2", "c9"].map((name) => cache.isHeld(keyFor(name))),
      [false, true, false, true],
    );
    assert.deepEqual(
      ["c0", "c1", "c9"].map((name) => cache.get(keyFor(name))?.data),
      [undefined, { key: "c1" }, undefined],
    );
    assert.deepEqual(
      ["c0", "c1", "c9"].map((name) => cache.find(keyFor(name)).kind),
      ["slim", "whole", "absent"],
    );
    assert.deepEqual(cache.find({ ...keyFor("c1"), kind: "Secret" }), { kind: "unlisted" });
    assert.deepEqual([cache.isHeld(configMaps), [...cache.list(configMaps)]], [true, []]);
    assert.deepEqual(requests(client), [`get ${path}?limit=200`]);
    await cache.stop();
  });

  it("reads a few new targets one by one, and slims those that are none anymore", async () => {
    const client = serverOf(3);
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps) });
    await cache.setTargets("unit", [keyFor("c1")], never);
    await cache.setTargets("other", [keyFor("c1")], never);
    const told: string[] = [];
    cache.subscribe(({ key }) => told.push(key.name));

    await cache.setTargets("unit", [keyFor("c2"), keyFor("c9")], never);

    assert.deepEqual(
      ["c1", "c2"].map((name) => cache.get(keyFor(name))?.data),
      [{ key: "c1" }, { key: "c2" }],
    );
    await cache.setTargets("other", [], never);
    assert.equal(cache.get(keyFor("c1"))?.data, undefined);
    assert.deepEqual(requests(client), [`get ${path}?limit=200`, "get /api/v1/namespaces/a/configmaps/c2"]);
    assert.deepEqual(told, []);
    await cache.stop();
  });

  it("reads many new targets with a list", async () => {
    const client = serverOf(300);
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps) });
    await cache.watchKinds([configMaps], never);
    const keys = Array.from({ length: 100 }, (_, index) => keyFor(`c${index}`));

    await cache.setTargets("unit", keys, never);

    assert.equal(
      keys.every((key) => cache.isHeld(key)),
      true,
    );
    assert.equal(cache.isHeld(keyFor("c100")), false);
    assert.deepEqual(requests(client), [`get ${path}?limit=200`, `get ${path}?limit=200`]);
    await cache.stop();
  });

  it("leaves a target slim that it may not read", async () => {
    const client = new ScriptedClient({
      lists: [
        () => ({ metadata: { resourceVersion: "1" }, items: [configMap("c1")] }),
        () => {
          throw forbidden;
        },
      ],
    });
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps) });
    await cache.watchKinds([configMaps], never);

    await cache.setTargets("unit", [keyFor("c1")], never);

    assert.equal(cache.isHeld(keyFor("c1")), false);
    assert.equal(cache.held(keyFor("c1"))?.isWhole, false);
    await cache.stop();
  });

  it("holds a kind whole when asked, without a gap", async () => {
    const client = serverOf(3);
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps) });
    await cache.setTargets("unit", [keyFor("c1")], never);

    const held = cache.holdKinds([configMaps], never);

    assert.equal(cache.isHeld(keyFor("c1")), true);
    await held;
    assert.equal(cache.isHeld(keyFor("c1")), true);
    assert.deepEqual(names(cache.list(configMaps)), ["ConfigMap a/c0", "ConfigMap a/c1", "ConfigMap a/c2"]);
    await cache.stop();
  });

  it("lists kinds before their targets are known, and reads nothing again", async () => {
    const client = serverOf(3);
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps) });
    const expected = cache.expectTargets("unit");

    expected.add(configMaps);
    expected.add(configMaps);
    await until("the list", () => cache.isHeld(configMaps));

    assert.equal(cache.isHeld(keyFor("c0")), true);
    await cache.setTargets("unit", [keyFor("c1")], never);
    assert.deepEqual(
      ["c0", "c1", "c9"].map((name) => cache.find(keyFor(name)).kind),
      ["slim", "whole", "absent"],
    );
    assert.deepEqual(requests(client), [`get ${path}?limit=500`]);
    await cache.stop();
  });

  it("keeps what arrives before the targets while the list goes on", async () => {
    const secondPage = Promise.withResolvers<object>();
    const client = new ScriptedClient({
      lists: [
        () => ({
          metadata: { resourceVersion: "1", continue: "2" },
          items: [configMap("c0"), configMap("c1")],
        }),
        () => secondPage.promise,
      ],
    });
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps) });
    cache.expectTargets("unit").add(configMaps);
    await until("the second page", () => requests(client).length === 2);

    const set = cache.setTargets("unit", [keyFor("c1"), keyFor("c2")], never);
    secondPage.resolve({ metadata: { resourceVersion: "1" }, items: [configMap("c2"), configMap("c3")] });
    await set;

    assert.deepEqual(
      ["c0", "c1", "c2", "c3"].map((name) => cache.find(keyFor(name)).kind),
      ["slim", "whole", "whole", "slim"],
    );
    assert.equal(requests(client).length, 2);
    await cache.stop();
  });

  it("waits with long lists until the targets are known", async () => {
    const all = Array.from({ length: 400 }, (_, index) => configMap(`c${index}`));
    const client = new ScriptedClient({
      lists: [
        ({ query, onSize }: RestRequest) => {
          onSize?.(20 << 20);
          const from = Number(query?.["continue"] ?? 0);
          const next = from + 100 < all.length ? { continue: String(from + 100) } : {};
          return { metadata: { resourceVersion: "1", ...next }, items: all.slice(from, from + 100) };
        },
      ],
    });
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps) });
    cache.expectTargets("unit").add(configMaps);
    await until("the second page", () => requests(client).length === 2);
    await setImmediate();

    assert.equal(requests(client).length, 2);
    await cache.setTargets("unit", [keyFor("c0"), keyFor("c399")], never);

    assert.deepEqual(
      ["c0", "c1", "c398", "c399"].map((name) => cache.find(keyFor(name)).kind),
      ["whole", "slim", "slim", "whole"],
    );
    assert.equal(requests(client).length, 4);
    await cache.stop();
  });

  it("holds nothing whole if no targets follow", async () => {
    const client = serverOf(3);
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps) });
    {
      using expected = cache.expectTargets("unit");
      expected.add(configMaps);
      await until("the list", () => cache.isHeld(configMaps));
    }

    assert.equal(cache.find(keyFor("c0")).kind, "slim");
    await cache.stop();
  });

  it("ignores what is added after the targets, and kinds that it knows", async () => {
    const client = serverOf(3);
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps, secrets) });
    const expected = cache.expectTargets("unit");
    await cache.setTargets("unit", [keyFor("c1")], never);

    expected.add(secrets);
    const again = cache.expectTargets("unit");
    again.add(configMaps);

    assert.equal(cache.find(keyFor("c0")).kind, "slim");
    assert.deepEqual(requests(client), [`get ${path}?limit=200`]);
    again[Symbol.dispose]();
    await cache.stop();
  });

  it("leaves it to the targets to say what can't be listed", async () => {
    const gone = new ConnectionError({ server: "s", sent: false, reason: "gone" });
    const failing = { ...discoveryOf(configMaps), kindOf: () => Promise.reject(gone) };
    const { cache } = setUp({ client: serverOf(3), discovery: failing });

    cache.expectTargets("unit").add(configMaps);
    await setImmediate();

    await assert.rejects(cache.setTargets("unit", [keyFor("c1")], never), gone);
    await cache.stop();
  });

  it("can be stopped while a list waits", async () => {
    const client = new ScriptedClient({
      lists: [
        ({ onSize }: RestRequest) => {
          onSize?.(40 << 20);
          return { metadata: { resourceVersion: "1", continue: "2" }, items: [configMap("c0")] };
        },
      ],
    });
    const { cache } = setUp({ client, discovery: discoveryOf(configMaps) });
    cache.expectTargets("unit").add(configMaps);
    await until("the first page", () => requests(client).length === 1);
    await setImmediate();

    await cache.stop();
    assert.equal(requests(client).length, 1);
  });

  it("knows the health of children that have no label, and who owns them", async () => {
    const deployments = resource("apps", "Deployment");
    const ownerReferences = [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "uid-web" }];
    const pod = {
      metadata: { ...item("a", "p").metadata, ownerReferences },
      status: { phase: "Failed", message: "out of memory" },
    };
    const client = lists({
      "/apis/apps/v1/deployments": [item("a", "web", { owner: "us" })],
      "/api/v1/pods": [pod],
    });
    const { cache } = setUp({ client, discovery: discoveryOf(deployments, pods) });
    await cache.watchKinds([pods], never);
    await cache.watchManaged(never);

    const web = cache.held({ group: "apps", kind: "Deployment", namespace: "a", name: "web" });
    assert.ok(web !== undefined);
    const [child] = cache.childrenOf(web);

    assert.ok(child !== undefined);
    assert.equal(child.object["status"], undefined);
    assert.deepEqual(child.health, { status: "Degraded", message: "out of memory" });
    assert.equal(web.health?.status, "Healthy");
    await cache.stop();
  });
});
