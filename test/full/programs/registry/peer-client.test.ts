import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { DemoRegistry } from "@weir/demo";
import { noCredentials, type RegistryCredentials } from "@weir/flux";
import { answer, lacks, TempFolder } from "@weir/testing";
import type { RepositoryClient } from "../../../../src/registry/client.ts";
import { RegistryError, type RegistryFailure } from "../../../../src/registry/errors.ts";
import { type PeerLogin, PeerRegistryClient } from "../../../support/peer-registry-client.ts";
import { TestClients } from "../../../support/registry-clients.ts";
import { convertToSchema1, pushImage, pushIndex } from "../../../support/registry-push.ts";
import { RegistryServer } from "../../../support/registry-server.ts";
import { serveRegistry } from "../../../support/registry-stand-in.ts";

/** What a tag stands for. */
interface TagFacts {
  /** Of what the tag names, which may be an index. */
  readonly tagDigest: string;
  /** Of the image for linux on amd64. */
  readonly digest: string;
  readonly configDigest: string;
  /** In milliseconds since the epoch. */
  readonly created: number;
}

const never = new AbortController().signal;

async function ourFacts(client: RepositoryClient, tag: string): Promise<TagFacts> {
  const { entry } = await client.image(tag, never);
  assert.equal(entry.kind, "image");
  const { digest, imageId: configDigest, createdAt = "" } = entry.info;
  return {
    tagDigest: (await client.digest(tag, never)) ?? "",
    digest,
    configDigest,
    created: Date.parse(createdAt),
  };
}

async function peerFacts(peer: PeerRegistryClient, tag: string): Promise<TagFacts> {
  const named = await peer.manifest(tag);
  const child = named.manifest.manifests?.find(({ platform }) => platform.architecture === "amd64");
  const { manifest, digest } = child === undefined ? named : await peer.manifest(child.digest);
  const configDigest = manifest.config?.digest ?? "";
  const { created } = JSON.parse(await peer.blob(configDigest)) as { readonly created: string };
  return { tagDigest: named.digest, digest, configDigest, created: Date.parse(created) };
}

/** Both clients of one repository. */
class Pair implements Disposable {
  readonly ours: RepositoryClient;
  readonly peer: PeerRegistryClient;

  constructor(clients: TestClients, host: string, repository: string, login?: PeerLogin) {
    const credentials: RegistryCredentials =
      login === undefined ? noCredentials : new Map([[host, { ...login, provenance: "a test" }]]);
    this.ours = clients.clientFor({ domain: host, image: repository }, credentials);
    this.peer = new PeerRegistryClient(`http://${host}`, repository, login);
  }

  [Symbol.dispose](): void {
    this.peer[Symbol.dispose]();
  }
}

async function assertSameFacts({ ours, peer }: Pair): Promise<void> {
  const tags = [...(await ours.tags(never))].sort();
  const facts = async (factsOf: (tag: string) => Promise<TagFacts>): Promise<readonly unknown[]> =>
    Promise.all(tags.map(async (tag) => [tag, await factsOf(tag)]));

  assert.ok(tags.length > 0);
  assert.deepEqual(tags, [...(await peer.tags())].sort());
  assert.deepEqual(await facts((tag) => ourFacts(ours, tag)), await facts((tag) => peerFacts(peer, tag)));
}

/** Both refuse, each in its words. */
async function assertBothRefuse(
  both: { readonly ours: () => Promise<unknown>; readonly peer: () => Promise<unknown> },
  our: { readonly failure: RegistryFailure; readonly why: RegExp },
  peer: { readonly statusCode?: number; readonly name: string },
): Promise<void> {
  await assert.rejects(both.ours(), (error) => {
    assert.ok(error instanceof RegistryError);
    assert.equal(error.failure, our.failure);
    assert.match(error.why, our.why);
    return true;
  });
  await assert.rejects(both.peer(), peer);
}

/** The two clients share no code and no author: what both say of a registry is what the registry says. */
describe("Weir's registry client and docker-registry-client", () => {
  let clients: TestClients;
  before(() => (clients = new TestClients()));
  after(() => clients[Symbol.asyncDispose]());

  describe("of a real registry", { skip: lacks("docker-registry") }, () => {
    let registry: RegistryServer;
    before(async () => (registry = await RegistryServer.start()));
    after(() => registry[Symbol.asyncDispose]());

    it("read the same tags, digests and times", async () => {
      const repository = "team/app";
      await pushImage(registry, { repository, tag: "1.0", created: "2020-01-02T03:04:05.123456789+02:00" });
      await pushImage(registry, { repository, tag: "1.1", created: "2020-01-03T00:00:00Z", format: "oci" });
      for (const format of ["docker", "oci"] as const) {
        await pushIndex(registry, { repository, tag: `${format}-index`, format }, [
          { repository, tag: `${format}-arm`, architecture: "arm64", created: "2021-01-01T00:00:00Z" },
          { repository, tag: `${format}-amd`, created: "2022-01-01T00:00:00Z" },
        ]);
      }
      using pair = new Pair(clients, registry.host, repository);

      await assertSameFacts(pair);
    });

    it("do not find the same things", async () => {
      await pushImage(registry, { repository: "team/lone", tag: "1" });
      using known = new Pair(clients, registry.host, "team/lone");
      using unknown = new Pair(clients, registry.host, "team/none");

      await assertBothRefuse(
        { ours: () => known.ours.image("2", never), peer: () => known.peer.manifest("2") },
        { failure: "unknown", why: /^manifest unknown$/ },
        { name: "NotFoundError", statusCode: 404 },
      );
      await assertBothRefuse(
        { ours: () => unknown.ours.tags(never), peer: () => unknown.peer.tags() },
        { failure: "unknown", why: /repository name not known to registry/ },
        { name: "NotFoundError", statusCode: 404 },
      );
    });
  });

  it("read the same digest of a manifest of schema 1, which does not count its signatures", {
    skip: lacks("docker-registry"),
  }, async () => {
    await using old = await RegistryServer.start({
      config: { compatibility: { schema1: { enabled: true } } },
    });
    await pushImage(old, { repository: "old/app", tag: "new", created: "2015-01-02T03:04:05Z" });
    await convertToSchema1(old, "old/app", { from: "new", to: "1" });
    using pair = new Pair(clients, old.host, "old/app");

    const { entry } = await pair.ours.image("1", never);
    const { digest, manifest } = await pair.peer.manifest("1");

    assert.equal(manifest.schemaVersion, 1);
    assert.equal(entry.kind === "image" ? entry.info.digest : "", digest);
  });

  it("are let in with the right password only", async () => {
    const login: PeerLogin = { username: "me", password: "s3cret" };
    const expected = `Basic ${Buffer.from("me:s3cret").toString("base64")}`;
    await using registry = await serveRegistry(({ headers }, response) => {
      const isRefused = headers.authorization !== expected;
      if (isRefused) {
        const errors = [{ code: "UNAUTHORIZED", message: "authentication required" }];
        const headers = { "www-authenticate": 'Basic realm="test"' };
        answer(response, { status: 401, body: { errors }, headers });
      }
      return isRefused;
    });
    using right = new Pair(clients, registry.host, "app", login);
    using wrong = new Pair(clients, registry.host, "app", { ...login, password: "guessed" });

    await assertSameFacts(right);
    await assertBothRefuse(
      { ours: () => wrong.ours.tags(never), peer: () => wrong.peer.tags() },
      {
        failure: "refused",
        why: /^the registry responded with status 401: unauthorized: authentication required$/,
      },
      { name: "UnauthorizedError", statusCode: 401 },
    );
  });

  it("read the same of the demo's registry, and do not find the same things there", async () => {
    using folder = new TempFolder();
    const demo = await DemoRegistry.start(folder.path, ["web:1.0", "web:1.1", "cart:2.0"]);
    try {
      for (const repository of ["web", "cart"]) {
        using pair = new Pair(clients, demo.host, repository);
        await assertSameFacts(pair);
        await assertBothRefuse(
          { ours: () => pair.ours.image("9.9", never), peer: () => pair.peer.manifest("9.9") },
          { failure: "unknown", why: /^manifest unknown$/ },
          { name: "NotFoundError", statusCode: 404 },
        );
      }
    } finally {
      demo.stop();
    }
  });
});
