import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { noCredentials } from "@weir/flux";
import { answer, lacks } from "@weir/testing";
import type { RepositoryClient } from "../../../../src/registry/client.ts";
import { TestClients } from "../../../support/registry-clients.ts";
import { convertToSchema1, pushImage, pushIndex } from "../../../support/registry-push.ts";
import { RegistryServer } from "../../../support/registry-server.ts";
import { serveRegistry } from "../../../support/registry-stand-in.ts";

const never = new AbortController().signal;

describe("a client of a real registry", { skip: lacks("docker-registry") }, () => {
  let registry: RegistryServer;
  let clients: TestClients;

  before(async () => {
    registry = await RegistryServer.start();
    clients = new TestClients();
  });

  after(async () => {
    await clients[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
  });

  function open(image: string): RepositoryClient {
    return clients.clientFor({ domain: registry.host, image }, noCredentials);
  }

  it("reads a Docker image: digests, time and labels of what it was built from", async () => {
    const digest = await pushImage(registry, {
      repository: "docker/app",
      tag: "1",
      created: "2020-01-02T03:04:05.123456789+02:00",
      labels: {
        "org.opencontainers.image.created": "2019-05-05T00:00:00Z",
        "org.label-schema.build-date": "yesterday",
      },
    });

    const { entry, badLabels } = await open("docker/app").image("1", never);

    assert.equal(entry.kind, "image");
    assert.match(entry.info.imageId, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(entry, {
      kind: "image",
      info: {
        ref: { domain: registry.host, image: "docker/app", tag: "1", sha: "" },
        digest,
        imageId: entry.info.imageId,
        labels: { created: "2019-05-05T00:00:00Z" },
        createdAt: "2020-01-02T01:04:05.123456789Z",
      },
    });
    assert.deepEqual(badLabels, ["org.label-schema.build-date"]);
  });

  it("reads an OCI image, of which Flux has nothing", async () => {
    const labels = { "org.opencontainers.image.created": "2019-05-05T00:00:00Z" };
    const created = "2021-01-01T00:00:00Z";
    const digest = await pushImage(registry, {
      repository: "oci/app",
      tag: "1",
      created,
      labels,
      format: "oci",
    });

    const { entry } = await open("oci/app").image("1", never);

    assert.equal(entry.kind, "image");
    assert.deepEqual(
      [entry.info.digest, entry.info.createdAt, entry.info.labels.created],
      [digest, created, labels["org.opencontainers.image.created"]],
    );
  });

  for (const format of ["docker", "oci"] as const) {
    it(`takes the image for linux on amd64 out of an index (${format})`, async () => {
      const repository = `index/${format}`;
      const created = "2021-01-01T00:00:00Z";
      const indexDigest = await pushIndex(registry, { repository, tag: "1", format }, [
        { repository, tag: "arm", architecture: "arm64" },
        { repository, tag: "amd", created },
      ]);
      const child = await open(repository).digest("amd", never);

      const { entry } = await open(repository).image("1", never);

      assert.equal(entry.kind, "image");
      assert.deepEqual(
        [entry.info.digest, entry.info.createdAt, entry.info.ref.tag, entry.indexDigest],
        [child, created, "1", indexDigest],
      );
      assert.equal(await open(repository).digest("1", never), indexDigest);
    });
  }

  it("excludes an index without an image for linux on amd64", async () => {
    const repository = "index/arm-only";
    await pushIndex(registry, { repository, tag: "1" }, [{ repository, tag: "arm", architecture: "arm64" }]);

    assert.deepEqual((await open(repository).image("1", never)).entry, {
      kind: "excluded",
      reason: "no suitable manifest (linux amd64) in manifestlist",
    });
  });

  it("reads an image of schema 1, as a registry makes and signs it for clients that know no other", async () => {
    await using old = await RegistryServer.start({
      config: { compatibility: { schema1: { enabled: true } } },
    });
    const repository = "old/app";
    const created = "2015-01-02T03:04:05.123456789Z";
    await pushImage(old, { repository, tag: "new", created });
    const { digest, layerId } = await convertToSchema1(old, repository, { from: "new", to: "1" });
    const client = clients.clientFor({ domain: old.host, image: repository }, noCredentials);

    const { entry } = await client.image("1", never);

    assert.deepEqual(entry, {
      kind: "image",
      info: {
        ref: { domain: old.host, image: repository, tag: "1", sha: "" },
        digest,
        imageId: layerId,
        labels: {},
        createdAt: created,
      },
    });
    assert.equal(await client.digest("1", never), digest);
  });

  it("reads a list of tags page by page", async () => {
    await using paged = await serveRegistry(({ url = "" }, response) => {
      const { pathname, searchParams } = new URL(url, "http://registry");
      const isList = pathname === "/v2/app/tags/list";
      if (isList) {
        const last = Number(searchParams.get("last") ?? 0);
        const tags = [last + 1, last + 2].map(String);
        const link = `</v2/app/tags/list?n=1000&last=${last + 2}>; rel="next"`;
        answer(response, { status: 200, body: { tags }, headers: last < 4 ? { link } : {} });
      }
      return isList;
    });

    const client = clients.clientFor({ domain: paged.host, image: "app" }, noCredentials);

    assert.deepEqual(await client.tags(never), ["1", "2", "3", "4", "5", "6"]);
    const lists = paged.asked.filter((each) => each.includes("tags/list"));
    assert.deepEqual(
      lists,
      ["?n=1000", "?n=1000&last=2", "?n=1000&last=4"].map((query) => `GET /v2/app/tags/list${query}`),
    );
  });
});
