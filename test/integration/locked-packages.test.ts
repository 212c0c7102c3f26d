import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { serve, TempFolder } from "@weir/testing";
import { fetchedPackages } from "../../dev/release/images/fetched-packages.ts";

/** A package with this content. */
function packageOf(name: string, content: string) {
  return {
    package: name,
    version: "1.0-2",
    architecture: "amd64",
    path: `pool/main/${name}_1.0-2_amd64.deb`,
    sha256: createHash("sha256").update(content).digest("hex"),
  };
}

describe("the locked Debian packages", () => {
  it("are those with the locked checksums, from the first address that has them", async () => {
    await using server = await serve((request, response) => {
      response.writeHead(200).end(request.url?.startsWith("/new/") ? "newer" : "locked");
    });
    using cache = cacheFolder();

    const [path = ""] = await fetchedPackages(
      [packageOf("tini", "locked")],
      new AbortController().signal,
      (pinned) => [`${server.url}/new/${pinned.path}`, `${server.url}/old/${pinned.path}`],
    );

    assert.ok(path.startsWith(cache.path));
    assert.equal(await readFile(path, "utf8"), "locked");
  });

  it("that Debian no longer has are named, with where they were looked for and the remedy", async () => {
    await using server = await serve((_, response) => {
      response.writeHead(404).end();
    });
    using cache = cacheFolder();

    const fetched = fetchedPackages(
      [packageOf("tini", "locked")],
      new AbortController().signal,
      ({ path }) => [`${server.url}/${path}`],
    );

    await assert.rejects(fetched, {
      message: `the Debian package tini 1.0-2 (amd64) of docker/packages-lock.json can't be had: can't download tini_1.0-2_amd64.deb:
${server.url}/pool/main/tini_1.0-2_amd64.deb: status 404
If Debian no longer has this version, pin the current one: run "node scripts/lock-packages.ts", and commit docker/packages-lock.json.`,
    });
    assert.deepEqual(await readdir(join(cache.path, "weir")), []);
  });
});

/** An empty cache, in place of this machine's until it's disposed. */
function cacheFolder(): Disposable & { readonly path: string } {
  const folder = new TempFolder();
  const before = process.env["XDG_CACHE_HOME"];
  process.env["XDG_CACHE_HOME"] = folder.path;
  return {
    path: folder.path,
    [Symbol.dispose]() {
      if (before === undefined) {
        delete process.env["XDG_CACHE_HOME"];
      } else {
        process.env["XDG_CACHE_HOME"] = before;
      }
      folder[Symbol.dispose]();
    },
  };
}
