import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { describe, it } from "node:test";
import { type Clock, systemClock } from "@weir/base";
import { noCredentials } from "@weir/flux";
import { answer, FakeClock, until } from "@weir/testing";
import type { RepositoryClient } from "../../../src/registry/client.ts";
import { RegistryError, type RegistryFailure } from "../../../src/registry/errors.ts";
import { digestOf } from "../../../src/registry/wire/digest.ts";
import { TestClients } from "../../support/registry-clients.ts";
import { type Misbehave, serveRegistry, standInImage } from "../../support/registry-stand-in.ts";

const never = new AbortController().signal;

/** Asks a registry that misbehaves; what it is asked must fail, and name the image. */
async function expectFailure(
  misbehave: Misbehave,
  ask: (client: RepositoryClient) => Promise<unknown>,
  failure: RegistryFailure,
  message: RegExp,
  { clock = systemClock, timeoutMs = 60_000 }: { readonly clock?: Clock; readonly timeoutMs?: number } = {},
): Promise<readonly string[]> {
  await using registry = await serveRegistry(misbehave);
  await using clients = new TestClients({ clock, timeoutMs });
  const client = clients.clientFor({ domain: registry.host, image: "app" }, noCredentials);
  await assert.rejects(ask(client), (error) => {
    assert.ok(error instanceof RegistryError, String(error));
    assert.equal(error.failure, failure, error.message);
    assert.match(error.message, message);
    assert.ok(error.message.startsWith(`${registry.host}/app`), error.message);
    return true;
  });
  return registry.asked;
}

const readTags = (client: RepositoryClient): Promise<unknown> => client.tags(never);
const readImage = (client: RepositoryClient): Promise<unknown> => client.image("1", never);

/** Answers what is asked for at a path by `respond`; at "/token" it is asked for because all else wants a token. */
function at(path: string, respond: (response: ServerResponse, url: string) => void): Misbehave {
  return ({ url = "", headers }, response) => {
    if (url.startsWith(path)) {
      respond(response, url);
      return true;
    }
    if (path === "/token") {
      const challenge = `Bearer realm="http://${headers.host ?? ""}/token"`;
      response.writeHead(401, { "www-authenticate": challenge }).end();
    }
    return path === "/token";
  };
}

describe("a registry that lies", () => {
  it("gives a manifest that is not what it says", async () => {
    const wrong = `sha256:${"0".repeat(64)}`;
    const lie = at("/v2/app/manifests/", (response) =>
      response.writeHead(200, { "docker-content-digest": wrong }).end(standInImage.manifest),
    );

    await expectFailure(
      lie,
      readImage,
      "untrusted",
      /app:1: the registry says a manifest has the digest sha256:0+, but/,
    );
  });

  it("gives another configuration than was asked for", async () => {
    const lie = at("/v2/app/blobs/", (response) => response.end('{"created":"2030-01-01T00:00:00Z"}'));

    await expectFailure(lie, readImage, "untrusted", /app:1: the registry responds to a request for sha256:/);
  });

  it("gives another image than its index names", async () => {
    const platform = { os: "linux", architecture: "amd64" };
    const manifests = [{ digest: `sha256:${"1".repeat(64)}`, platform }];
    const lie = at("/v2/app/manifests/", (response, url) =>
      response.end(url.includes("sha256:") ? standInImage.manifest : JSON.stringify({ manifests })),
    );

    await expectFailure(
      lie,
      readImage,
      "untrusted",
      /app:1: the registry responds to a request for sha256:1+ with/,
    );
  });

  it("has an index in its index", async () => {
    const platform = { os: "linux", architecture: "amd64" };
    const inner = JSON.stringify({ manifests: [] });
    const manifests = [{ digest: digestOf(Buffer.from(inner)), platform }];
    const lie = at("/v2/app/manifests/", (response, url) =>
      response.end(url.includes("sha256:") ? inner : JSON.stringify({ manifests })),
    );

    await expectFailure(lie, readImage, "untrusted", /app:1: the index refers to another index/);
  });

  it("gives something that is no manifest", async () => {
    const lie = at("/v2/app/manifests/", (response) => response.end("<html>Welcome to the hotel</html>"));

    await expectFailure(lie, readImage, "untrusted", /app:1: the manifest isn't valid JSON/);
  });

  for (const path of ["/v2/app/manifests/", "/v2/app/blobs/", "/v2/app/tags/", "/v2/", "/token"]) {
    const ask = path.includes("tags") ? readTags : readImage;

    it(`says that its answer is a gigabyte long (${path})`, async () => {
      const lie = at(path, (response) => response.writeHead(200, { "content-length": 1 << 30 }).write("{"));

      await expectFailure(lie, ask, "untrusted", /larger than \d+ bytes/);
    });

    it(`does not end its answer (${path})`, async () => {
      let isClosed = false;
      let sent = 0;
      const chunk = Buffer.alloc(1 << 16, " ");
      const lie = at(path, (response) => {
        response.on("close", () => (isClosed = true));
        const send = (): void => {
          while (!isClosed && response.write(chunk)) {
            sent += chunk.length;
          }
        };
        response.on("drain", send);
        send();
      });

      await expectFailure(lie, ask, "untrusted", /larger than \d+ bytes/);
      await until("the connection to be closed", () => isClosed);
      assert.ok(sent < 64 << 20, `${sent} bytes were taken`);
    });

    it(`lets its answer drip (${path})`, async () => {
      const clock = new FakeClock();
      const lie = at(path, (response) => {
        response.write("{", () => void drip());
        const drip = async (): Promise<void> => {
          for (let second = 0; second < 60 && !response.closed; second += 1) {
            await clock.advance(1_000);
            response.write(" ");
          }
        };
      });

      await expectFailure(lie, ask, "timeout", /client timeout \(1m0s\) exceeded/, { clock });
    });
  }

  it("has a list of tags without an end", async () => {
    let page = 0;
    const lie = at("/v2/app/tags/list", (response) => {
      page += 1;
      const tags = Array.from({ length: 1_000 }, (_, index) => `t${page}-${index}`);
      answer(response, {
        status: 200,
        body: { tags },
        headers: { link: `</v2/app/tags/list?last=${page}>; rel="next"` },
      });
    });

    // It is the number that ends it, not the time.
    const message = /app: the repository has more than 100000 tags/;
    await expectFailure(lie, readTags, "untrusted", message);
  });

  it("has a list of tags that goes in a circle", async () => {
    const lie = at("/v2/app/tags/list", (response) =>
      answer(response, {
        status: 200,
        body: { tags: ["1"] },
        headers: { link: '</v2/app/tags/list?last=1>; rel="next"' },
      }),
    );

    const asked = await expectFailure(
      lie,
      readTags,
      "untrusted",
      /app: the list of tags has more than \d+ pages, or a page without new tags/,
    );
    assert.ok(asked.length < 10);
  });

  it("continues its list of tags on another server, which is not asked", async () => {
    await using other = await serveRegistry(() => false);
    const lie = at("/v2/app/tags/list", (response, url) =>
      answer(response, {
        status: 200,
        body: { tags: [url.includes("last") ? "2" : "1"] },
        headers: url.includes("last") ? {} : { link: `<${other.url}/v2/app/tags/list?last=1>; rel="next"` },
      }),
    );
    await using registry = await serveRegistry(lie);
    await using clients = new TestClients();

    const client = clients.clientFor({ domain: registry.host, image: "app" }, noCredentials);

    assert.deepEqual(await client.tags(never), ["1", "2"]);
    assert.deepEqual(other.asked, []);
  });

  it("names a tag that would be a command to memcached, or a path", async () => {
    for (const tag of ["a\r\nflush_all\r\n", "../../../v2/other/manifests/1"]) {
      const lie = at("/v2/app/tags/list", (response) =>
        answer(response, { status: 200, body: { tags: ["1", tag] } }),
      );

      await expectFailure(lie, readTags, "untrusted", /app: the list of tags contains an invalid tag/);
    }
  });

  for (const target of [
    "http://169.254.169.254/latest/meta-data/iam/security-credentials/",
    "http://[::ffff:169.254.169.254]/",
    "http://[fe80::1]/",
  ]) {
    it(`redirects to ${target}`, async () => {
      const lie = at("/v2/app/blobs/", (response) => response.writeHead(307, { location: target }).end());

      await expectFailure(lie, readImage, "untrusted", /app:1: the address .* is link-local/);
    });

    it(`wants its tokens from ${target}`, async () => {
      const lie = at("/v2/app/", (response) =>
        response.writeHead(401, { "www-authenticate": `Bearer realm="${target}"` }).end(),
      );

      await expectFailure(lie, readTags, "untrusted", /app: the address .* is link-local/);
    });
  }

  it("redirects without an end", async () => {
    const lie = at("/v2/app/manifests/", (response) =>
      response.writeHead(307, { location: "/v2/app/manifests/1" }).end(),
    );

    const asked = await expectFailure(lie, readImage, "untrusted", /redirected more than 10 times/);
    assert.ok(asked.length < 20);
  });

  it("closes the connection in the middle of an answer", async () => {
    const lie = at("/v2/app/manifests/", (response) => {
      response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy());
    });

    const asked = await expectFailure(lie, readImage, "unreachable", /app:1: /);
    assert.equal(asked.filter((each) => each.includes("manifests")).length, 2, "tried again once");
  });

  it("is named as no host can be", async () => {
    await using clients = new TestClients();
    for (const domain of ["user@127.0.0.1", "127.0.0.1/x", "a b", "", "[::1", "x:99999999"]) {
      assert.throws(() => clients.clientFor({ domain, image: "app" }, noCredentials), RegistryError, domain);
    }
    for (const image of ["", "a/../../b", "a//b", "a?b", "a#b", "a%2f..", "a b", "/a", "a".repeat(300)]) {
      assert.throws(
        () => clients.clientFor({ domain: "127.0.0.1", image }, noCredentials),
        RegistryError,
        image,
      );
    }
  });
});
