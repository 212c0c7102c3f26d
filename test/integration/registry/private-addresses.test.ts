import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { describe, it } from "node:test";
import { noCredentials } from "@weir/flux";
import { createTransport, type Network } from "@weir/http";
import { RegistryError } from "../../../src/registry/errors.ts";
import { TestClients } from "../../support/registry-clients.ts";
import { type Misbehave, serveRegistry } from "../../support/registry-stand-in.ts";

const never = new AbortController().signal;
/** Stands for all that only we can reach; the rest of the loopback stands for the world outside. */
const innerAddress = "127.0.0.2";

/** Something on a private address that is to be left alone; "port" is where. */
async function serveInside(): Promise<AsyncDisposable & { readonly port: number; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end('{"token":"t","tags":["inner"]}');
  });
  await new Promise<void>((resolve) => server.listen(0, innerAddress, resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** "inner.test" is inside, "both.test" is said to be in both, and all else is outside. */
function network(isPrivate: Network["isPrivate"]): Network {
  return {
    isPrivate,
    lookUp: (hostname, _options, callback) => {
      const outside = hostname === "inner.test" ? [] : ["127.0.0.1"];
      const inside = ["inner.test", "both.test"].includes(hostname) ? [innerAddress] : [];
      callback(
        null,
        [...outside, ...inside].map((address) => ({ address, family: 4 })),
      );
    },
  };
}

/** Reads the tags of a registry at 127.0.0.1 that misbehaves, seen from a network. */
async function tagsOf(misbehave: Misbehave, isPrivate: Network["isPrivate"]): Promise<readonly string[]> {
  await using registry = await serveRegistry(misbehave);
  await using clients = new TestClients({
    transport: createTransport({ connections: 2, network: network(isPrivate) }),
    insecureHosts: ["registry.test"],
  });
  const domain = `registry.test:${new URL(registry.url).port}`;
  return await clients.clientFor({ domain, image: "app" }, noCredentials).tags(never);
}

const isInner = (address: string): boolean => address === innerAddress;

/** Each way in which a registry can send its callers elsewhere. */
const ways: Readonly<Record<string, (target: string) => Misbehave>> = {
  "a redirect of its API": (target) => redirect("/v2/", (url) => url === "/v2/", target),
  "a redirect of its tags": (target) => redirect("/v2/app/tags/list", (url) => url.includes("tags"), target),
  "a token server": (target) => (request, response) => {
    if (request.headers.authorization !== undefined) {
      return false;
    }
    response.writeHead(401, { "www-authenticate": `Bearer realm="${target}/token"` }).end();
    return true;
  },
};

function redirect(path: string, isMeant: (url: string) => boolean, target: string): Misbehave {
  return ({ url = "" }, response: ServerResponse) => {
    const meant = isMeant(url);
    if (meant) {
      response.writeHead(307, { location: `${target}${path}` }).end();
    }
    return meant;
  };
}

describe("a registry at a public address", () => {
  for (const [way, misbehave] of Object.entries(ways)) {
    for (const host of [innerAddress, "inner.test", "both.test"]) {
      it(`does not lead to a private one by ${way} (${host})`, async () => {
        await using inside = await serveInside();

        await assert.rejects(
          tagsOf(misbehave(`http://${host}:${inside.port}`), isInner),
          (error) =>
            error instanceof RegistryError &&
            error.failure === "untrusted" &&
            /the address 127\.0\.0\.2 is private, and a public registry must not lead there/.test(
              error.message,
            ),
        );
        assert.deepEqual(inside.asked, []);
      });
    }
  }
});

describe("a registry at a private address", () => {
  for (const [way, misbehave] of Object.entries(ways)) {
    it(`may lead to another private one by ${way}`, async () => {
      await using inside = await serveInside();

      await tagsOf(misbehave(`http://inner.test:${inside.port}`), () => true);

      assert.ok(inside.asked.length > 0);
    });
  }
});
