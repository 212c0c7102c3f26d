import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLogger } from "@weir/base";
import { type HostCredentials, parseImageRefLoosely, type RegistryCredentials } from "@weir/flux";
import { RecordedLog } from "@weir/testing";
import { withKeychain } from "../../../../src/registry/credentials/keychain.ts";
import { isScanned, withinScope } from "../../../../src/registry/credentials/scan-scope.ts";
import type { HostCredentialSource } from "../../../../src/registry/credentials/source.ts";
import type { ImageSource } from "../../../../src/registry/image-source.ts";
import { itemsOf } from "../../../../src/registry/warm/backlog.ts";

const never = new AbortController().signal;

function login(username: string): HostCredentials {
  return { username, password: "x", provenance: username };
}

function images(all: Readonly<Record<string, RegistryCredentials>>): ImageSource {
  return { imageCredentials: () => Promise.resolve(new Map(Object.entries(all))) };
}

function source(title: string, ...hosts: readonly string[]): HostCredentialSource {
  return {
    title,
    credentialsFor: (host) => Promise.resolve(hosts.includes(host) ? login(title) : undefined),
  };
}

async function usersOf(given: ImageSource): Promise<Record<string, string[]>> {
  const found = await given.imageCredentials(never);
  return Object.fromEntries(
    [...found].map(([name, credentials]) => [
      name,
      [...credentials].map(([host, { username }]) => `${username}@${host}`),
    ]),
  );
}

describe("the keychain", () => {
  it("leaves workloads the secrets that they bring, and else asks the sources in order", async () => {
    const chain = withKeychain(
      images({
        "a.example.com/own": new Map([["a.example.com", login("own")]]),
        "a.example.com/none": new Map(),
        "b.example.com/other": new Map([["a.example.com", login("own")]]),
        "c.example.com/x": new Map(),
        nginx: new Map(),
      }),
      [
        source("first", "b.example.com"),
        source("second", "a.example.com", "b.example.com", "index.docker.io"),
      ],
      silentLogger,
    );

    assert.deepEqual(await usersOf(chain), {
      "a.example.com/own": ["own@a.example.com"],
      "a.example.com/none": ["second@a.example.com"],
      "b.example.com/other": ["first@b.example.com", "own@a.example.com"],
      "c.example.com/x": [],
      nginx: ["second@index.docker.io"],
    });
  });

  it("says once what a source cannot tell, and asks the next one", async () => {
    const log = new RecordedLog();
    const broken: HostCredentialSource = {
      title: "broken",
      credentialsFor: () => Promise.reject(new Error("out of order")),
    };
    const chain = withKeychain(
      images({ "a.example.com/x": new Map(), "a.example.com/y": new Map() }),
      [broken, source("next", "a.example.com")],
      log,
    );

    await chain.imageCredentials(never);
    assert.deepEqual(await usersOf(chain), {
      "a.example.com/x": ["next@a.example.com"],
      "a.example.com/y": ["next@a.example.com"],
    });
    assert.deepEqual(log.lines, ["warning=no credentials source=broken host=a.example.com err=out of order"]);
  });
});

describe("the images that are scanned", () => {
  const scanned = (name: string, exclude: readonly string[], include: readonly string[] = []): boolean =>
    isScanned(parseImageRefLoosely(name), { exclude, include });

  it("are all but those excluded, by canonical name", () => {
    assert.equal(scanned("k8s.gcr.io/pause", ["k8s.gcr.io/*"]), false);
    assert.equal(scanned("alpine", ["index.docker.io/library/*"]), false);
    assert.equal(scanned("alpine", ["alpine"]), true);
  });

  it("are those included, where any are, and not those excluded as well", () => {
    assert.equal(scanned("quay.io/org/app", [], ["quay.io/*"]), true);
    assert.equal(scanned("alpine", [], ["quay.io/*"]), false);
    assert.equal(scanned("quay.io/org/app", ["quay.io/org/*"], ["quay.io/*"]), false);
  });

  it("are left out of a source", async () => {
    const all = images({ a: new Map(), b: new Map() });

    assert.deepEqual(Object.keys(await usersOf(withinScope(all, ({ image }) => image === "b"))), ["b"]);
  });
});

describe("the repositories of images", () => {
  it("are gone over once, however they are spelt, with all that is known", () => {
    const items = itemsOf(
      new Map([
        ["alpine", new Map([["index.docker.io", login("a")]])],
        ["docker.io/library/alpine", new Map([["other", login("b")]])],
        ["", new Map()],
        ["a:b:c", new Map()],
      ]),
    );

    assert.deepEqual([...items.keys()], ["index.docker.io/library/alpine"]);
    const item = items.get("index.docker.io/library/alpine");
    assert.deepEqual(
      [item?.name.image, [...(item?.credentials.keys() ?? [])]],
      ["alpine", ["index.docker.io", "other"]],
    );
  });
});
