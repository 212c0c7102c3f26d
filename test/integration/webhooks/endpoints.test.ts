import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { WebhooksConfigError } from "../../../src/webhooks/config.ts";
import { readEndpoints, type ServedEndpoint } from "../../../src/webhooks/endpoints.ts";

const key = "423be8373b98a9ffccc10402cc033e77263e1cdf";

/** The endpoints of a configuration beside which there are keys of these names. */
async function read(
  folder: TempFolder,
  endpoints: string,
  keys: Readonly<Record<string, string>>,
): Promise<readonly ServedEndpoint[]> {
  for (const [name, text] of Object.entries(keys)) {
    folder.write(name, text);
  }
  const file = folder.write("fluxrecv.yaml", `fluxRecvVersion: 1\nendpoints: [${endpoints}]\n`);
  return [...(await readEndpoints(file)).values()];
}

async function refused(
  endpoints: string,
  keys: Readonly<Record<string, string>>,
  message: RegExp,
): Promise<void> {
  using folder = new TempFolder();
  await assert.rejects(read(folder, endpoints, keys), (error) => {
    assert.ok(error instanceof WebhooksConfigError);
    assert.match(error.message, message);
    assert.ok(!error.message.includes(key), "the key is not told");
    return true;
  });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

describe("the endpoints of webhooks", () => {
  it("are where flux-recv has them: at the digest of the key file and the host of the registry", async () => {
    using folder = new TempFolder();

    const [github, nexus] = await read(
      folder,
      "{source: GitHub, keyPath: sub/github.key}, {source: Nexus, keyPath: ./n, registryHost: r.example.com}",
      { "sub/github.key": `${key}\n`, n: key },
    );

    assert.equal(github?.path, `/hook/${sha256(`${key}\n`)}`, "a line break counts");
    assert.equal(nexus?.path, `/hook/${sha256(`${key}r.example.com`)}`);
    assert.deepEqual(github.keys.map(String), [`${key}\n`, key], "for signatures it need not");
    assert.deepEqual(nexus.keys.map(String), [key]);
    assert.deepEqual([github.shownPath, github.warnings], [github.path, []]);
  });

  it("show no more of their URL than tells them apart where it is the only secret", async () => {
    using folder = new TempFolder();

    const endpoints = await read(
      folder,
      "{source: DockerHub, keyPath: a}, {source: BitbucketCloud, keyPath: b}, {source: GoogleContainerRegistry, keyPath: c, gcr: {audience: x}}",
      { a: `${key}a`, b: `${key}b`, c: `${key}c` },
    );

    for (const [index, name] of ["a", "b", "c"].entries()) {
      assert.equal(endpoints[index]?.shownPath, `/hook/${sha256(`${key}${name}`).slice(0, 8)}…`);
    }
    assert.deepEqual(
      endpoints.map(({ warnings }) => warnings),
      [
        ["everyone who knows the URL can send requests"],
        [
          "everyone who knows the URL can send requests; set a secret in the webhook, and signed: true in the configuration",
        ],
        [
          "everyone who knows the URL can send requests; turn on authentication of the Pub/Sub subscription and set gcr.audience and gcr.email",
        ],
      ],
    );
  });

  it("warn of a key that everybody can read, or that can be guessed", async () => {
    using folder = new TempFolder();
    chmodSync(folder.write("k", "short"), 0o644);

    const [endpoint] = await read(folder, "{source: GitHub, keyPath: k}", {});

    assert.deepEqual(endpoint?.warnings, [
      "every user on the machine can read the key; mount its Secret with defaultMode: 0400",
      "the key is shorter than 16 bytes and could be guessed; create a new one with openssl rand -hex 20",
    ]);
  });

  it("are none where one of them cannot be used", async () => {
    const github = "{source: GitHub, keyPath: k}";

    await refused(
      github,
      {},
      /^cannot use the webhook configuration .*fluxrecv\.yaml: cannot read the key .*\/k: ENOENT/,
    );
    await refused(github, { k: "" }, /: the key .*\/k is empty$/);
    await refused(github, { k: "\r\n" }, /: the key .*\/k is empty$/);
    await refused(
      github,
      { k: "x".repeat(65 * 1024) },
      /: cannot read the key .*\/k: it's larger than 65536 bytes$/,
    );
    await refused(
      "{source: GitHub, keyPath: a}, {source: Quay, keyPath: b}",
      { a: key, b: key },
      /: the endpoints of .*\/a and .*\/b have the same key; give each endpoint a different key$/,
    );
  });

  it("are none where a key is a folder, or the configuration is not there", async () => {
    using folder = new TempFolder();
    mkdirSync(join(folder.path, "k"));

    await assert.rejects(
      read(folder, "{source: GitHub, keyPath: k}", {}),
      /cannot read the key .*\/k: EISDIR/,
    );
    await assert.rejects(
      readEndpoints(join(folder.path, "none")),
      /^WebhooksConfigError: cannot use .*\/none: ENOENT/,
    );
  });
});
