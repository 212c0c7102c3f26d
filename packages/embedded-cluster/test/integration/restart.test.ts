import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type EmbeddedClusterOptions, startEmbeddedCluster } from "../../src/server.ts";
import { JournalError } from "../../src/storage/file-journal.ts";
import { type Answer, ask, type Dial } from "../support/answer.ts";
import { configMap, deployment, service } from "../support/objects.ts";
import { get, post, type Request, remove } from "../support/request.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const services = "/api/v1/namespaces/default/services";

describe("a cluster that is kept in a folder", () => {
  let root = "";
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "weir-restart-"));
  });
  after(() => rm(root, { recursive: true, force: true }));

  it("is as it was after a restart", async () => {
    const dir = join(root, "same");
    const [first, balanced, before] = await during(dir, [
      post(configMaps, configMap("a")),
      post(services, service("web", { type: "NodePort" })),
      get("/api/v1/namespaces"),
    ]);

    const [again, sameService, namespaces, next] = await during(dir, [
      get(`${configMaps}/a`),
      get(`${services}/web`),
      get("/api/v1/namespaces"),
      post(configMaps, configMap("b")),
    ]);

    assert.deepEqual(again?.body, first?.body);
    assert.deepEqual(sameService?.body, balanced?.body);
    assert.deepEqual(itemsOf(namespaces), itemsOf(before));
    assert.ok(versionOf(next) > versionOf(balanced));
  });

  it("does not give an address out twice", async () => {
    const dir = join(root, "addresses");
    const node = { type: "NodePort" };
    const made = await during(dir, [post(services, service("a", node)), post(services, service("b", node))]);

    const more = await during(dir, [post(services, service("c", node)), post(services, service("d", node))]);

    const all = [...made, ...more].map(({ body }) => specOf(body));
    assert.equal(new Set(all.map(({ clusterIP }) => clusterIP)).size, 4);
    assert.equal(new Set(all.map(({ ports }) => ports[0]?.nodePort)).size, 4);
  });

  it("serves its custom resources from the start", async () => {
    const dir = join(root, "custom");
    const spec = {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "widgets", kind: "Widget" },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
      ],
    };
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "widgets.example.com" },
      spec,
    };
    await during(dir, [
      post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition),
      post("/apis/example.com/v1/widgets", { metadata: { name: "a" } }),
    ]);

    const [widget] = await during(dir, [get("/apis/example.com/v1/widgets/a")]);

    assert.equal(widget?.status, 200);
  });

  it("tells watches that its history is gone, and has forgotten what was deleted", async () => {
    const dir = join(root, "history");
    const [made] = await during(dir, [
      post(configMaps, configMap("a")),
      remove(`${configMaps}/a`),
      post("/apis/apps/v1/namespaces/default/deployments", deployment("web")),
    ]);

    const [gone, watch] = await during(dir, [
      get(`${configMaps}/a`),
      get(`${configMaps}?watch=true&timeoutSeconds=1&resourceVersion=${versionOf(made)}`),
    ]);

    assert.equal(gone?.status, 404);
    assert.equal((watch?.body as { readonly object: { readonly code: number } }).object.code, 410);
  });

  it("starts a third time with its controllers", async () => {
    const dir = join(root, "controllers");
    const look = [get("/api/v1/namespaces/kube-system")];
    await during(dir, look, { controllerManager: true });
    await during(dir, look, { controllerManager: true });

    const [answer] = await during(dir, look, { controllerManager: true });

    assert.equal(answer?.status, 200);
  });

  it("is for its owner's eyes only", async () => {
    const dir = join(root, "private");
    await during(dir, []);

    const { mode } = await stat(join(dir, "cluster.db"));

    assert.equal(mode & 0o077, 0);
  });

  it("is not started twice at once", async () => {
    const dir = join(root, "locked");
    const running = await startEmbeddedCluster({ dir, controllerManager: false });

    await assert.rejects(startEmbeddedCluster({ dir }), (error: unknown) => {
      assert.ok(error instanceof JournalError);
      return error.message.includes("locked");
    });

    await running.stop();
  });

  it("can be started again after a start that failed", async () => {
    const dir = join(root, "failed");
    await using other = await startEmbeddedCluster({ controllerManager: false });
    const port = Number(new URL(other.url).port);

    await assert.rejects(startEmbeddedCluster({ dir, port }), { code: "EADDRINUSE" });

    await during(dir, []);
  });

  it("says so where its file is damaged", async () => {
    const dir = join(root, "damaged");
    await during(dir, []);
    await writeFile(join(dir, "cluster.db"), "this is no database, nor was it ever one".repeat(200));

    await assert.rejects(startEmbeddedCluster({ dir }), (error: unknown) => {
      assert.ok(error instanceof JournalError);
      return error.file === join(dir, "cluster.db");
    });
  });

  it("says so where an object in its file is damaged", async () => {
    const { DatabaseSync } = await import("node:sqlite");
    const dir = join(root, "half");
    await during(dir, [post(configMaps, configMap("a"))]);
    const database = new DatabaseSync(join(dir, "cluster.db"));
    database.prepare("UPDATE objects SET json = CAST('{' AS BLOB) WHERE name = 'a'").run();
    database.close();

    await assert.rejects(startEmbeddedCluster({ dir }), JournalError);
  });

  it("says so at once where there can be no folder", async () => {
    await assert.rejects(startEmbeddedCluster({ dir: "/proc/x" }), JournalError);
    const file = join(root, "file");
    await writeFile(file, "");
    await chmod(file, 0o600);
    await assert.rejects(startEmbeddedCluster({ dir: file }), JournalError);
  });
});

/** Runs a cluster for as long as some requests take. */
async function during(
  dir: string,
  requests: readonly Request[],
  options: EmbeddedClusterOptions = { controllerManager: false },
): Promise<readonly Answer[]> {
  await using cluster = await startEmbeddedCluster({ dir, ...options });
  return await askAll(cluster, requests);
}

async function askAll(dial: Dial, requests: readonly Request[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const request of requests) {
    answers.push(await ask(dial, request));
  }
  return answers;
}

function itemsOf(answer: Answer | undefined): unknown {
  return (answer?.body as { readonly items: unknown }).items;
}

function versionOf(answer: Answer | undefined): number {
  const { metadata } = answer?.body as { readonly metadata: { readonly resourceVersion: string } };
  return Number(metadata.resourceVersion);
}

interface ServiceSpec {
  readonly clusterIP: string;
  readonly ports: readonly { readonly nodePort: number }[];
}

function specOf(body: unknown): ServiceSpec {
  return (body as { readonly spec: ServiceSpec }).spec;
}
