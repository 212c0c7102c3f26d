import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { lacks, TempFolder } from "@weir/testing";
import { publishImages } from "../../dev/release/publish/publish-images.ts";
import { RegistryServer } from "../support/registry-server.ts";
import { writeTestImage } from "./support/image-layout.ts";

describe("the images of a release", { skip: lacks("docker-registry") || lacks("skopeo") }, () => {
  /** Publishes what is in a folder; resolves to what was signed, and what was said. */
  async function publish(
    release: string,
    registry: string,
  ): Promise<{ readonly signed: readonly string[]; readonly said: readonly string[] }> {
    const signed: string[] = [];
    const said: string[] = [];
    await publishImages({
      release,
      registry,
      tls: false,
      sign: (images) => Promise.resolve(void signed.push(...images)),
      say: (line) => said.push(line),
      signal: new AbortController().signal,
    });
    return { signed, said };
  }

  it("are pushed under their names and tags, and each is signed by its digest", async () => {
    using release = new TempFolder();
    await using registry = await RegistryServer.start();
    const images = ["weir:1.2.3", "weir:1.2.3-slim", "weir-console:1.2.3"];
    const digests = images.map((name) => writeTestImage(release.path, name));

    const { signed, said } = await publish(release.path, `${registry.host}/weirdev`);

    const host = `${registry.host}/weirdev`;
    assert.deepEqual(signed, [
      `${host}/weir@${digests[0]}`,
      `${host}/weir@${digests[1]}`,
      `${host}/weir-console@${digests[2]}`,
    ]);
    assert.deepEqual(
      said,
      images.map((name) => `pushed ${host}/${name}`),
    );
    for (const [index, name] of images.entries()) {
      const [repository = "", tag = ""] = name.split(":");
      const response = await fetch(`${registry.url}/v2/weirdev/${repository}/manifests/${tag}`, {
        headers: { accept: "application/vnd.oci.image.index.v1+json" },
      });
      const found = createHash("sha256")
        .update(await response.bytes())
        .digest("hex");
      assert.equal(`sha256:${found}`, digests[index]);
    }
  });

  it("aren't signed if one can't be pushed", async () => {
    using release = new TempFolder();
    await using registry = await RegistryServer.start();
    writeTestImage(release.path, "weir:1.2.3");
    const signed: string[] = [];

    const publishing = publishImages({
      release: release.path,
      registry: `${registry.host}/weirdev`,
      // The registry has none.
      tls: true,
      sign: (images) => Promise.resolve(void signed.push(...images)),
      say: () => undefined,
      signal: new AbortController().signal,
    });

    await assert.rejects(publishing, /^Error: skopeo failed: /);
    assert.deepEqual(signed, []);
  });

  it("must have been built", async () => {
    using release = new TempFolder();
    mkdirSync(join(release.path, "images"));

    await assert.rejects(
      publish(release.path, "127.0.0.1:1"),
      /build the release first, with npm run release$/,
    );
  });
});
