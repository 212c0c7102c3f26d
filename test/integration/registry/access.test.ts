import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { selfSigned } from "@weir/embedded-cluster";
import type { RegistryCredentials } from "@weir/flux";
import { answer, FakeClock, RecordedLog } from "@weir/testing";
import { RegistryError } from "../../../src/registry/errors.ts";
import type { ClientOptions } from "../../../src/registry/http-client.ts";
import { TestClients } from "../../support/registry-clients.ts";
import { type Misbehave, serveRegistry } from "../../support/registry-stand-in.ts";

const never = new AbortController().signal;
const canary = "c4n4ry-p4ssw0rd";
const basic = `Basic ${Buffer.from(`me:${canary}`).toString("base64")}`;

function credentialsFor(host: string): RegistryCredentials {
  return new Map([[host, { username: "me", password: canary, provenance: "a test" }]]);
}

/** Lets in who shows the right thing, and asks others for it. */
function guard(expected: () => string, challenge: () => string): Misbehave {
  return ({ headers }, response) => {
    const isRefused = headers.authorization !== expected();
    if (isRefused) {
      const errors = [{ code: "UNAUTHORIZED", message: "authentication required" }];
      answer(response, { status: 401, body: { errors }, headers: { "www-authenticate": challenge() } });
    }
    return isRefused;
  };
}

async function tagsOf(
  host: string,
  credentials: RegistryCredentials,
  options: Partial<ClientOptions> = {},
): Promise<readonly string[]> {
  await using clients = new TestClients(options);
  return await clients.clientFor({ domain: host, image: "app" }, credentials).tags(never);
}

describe("access to a registry", () => {
  it("is by user and password where it asks for them", async () => {
    await using registry = await serveRegistry(
      guard(
        () => basic,
        () => 'Basic realm="a registry"',
      ),
    );

    assert.deepEqual(await tagsOf(registry.host, credentialsFor(registry.host)), ["1"]);
    await assert.rejects(tagsOf(registry.host, new Map()), (error) => {
      assert.ok(error instanceof RegistryError);
      assert.equal(error.failure, "refused");
      assert.equal(
        error.message,
        `${registry.host}/app: the registry responded with status 401: unauthorized: authentication required`,
      );
      return true;
    });
  });

  it("does not show the credentials of one host to another", async () => {
    await using registry = await serveRegistry(
      guard(
        () => basic,
        () => 'Basic realm="a registry"',
      ),
    );

    await assert.rejects(tagsOf(registry.host, credentialsFor("registry.example.com")), RegistryError);
  });

  it("is by a token that is used until it ends, and then asked for anew", async () => {
    const clock = new FakeClock();
    let issued = 0;
    await using tokens = await serveRegistry(({ url = "", headers }, response) => {
      assert.equal(headers.authorization, basic);
      assert.match(url, /scope=repository%3Aapp%3Apull&account=me$/);
      issued += 1;
      answer(response, { status: 200, body: { token: `token-${issued}`, expires_in: 300 } });
      return true;
    });
    await using registry = await serveRegistry(
      guard(
        () => `Bearer token-${issued}`,
        () => `Bearer realm="${tokens.url}/token",service="registry"`,
      ),
    );
    await using clients = new TestClients({ clock });
    const client = clients.clientFor({ domain: registry.host, image: "app" }, credentialsFor(registry.host));

    await client.tags(never);
    await Promise.all([client.image("1", never), client.tags(never)]);
    assert.equal(issued, 1);
    await clock.advance(295_000);
    await client.tags(never);
    assert.equal(issued, 2);
  });

  it("gets another token where the registry does not take the one it gave before", async () => {
    let issued = 0;
    await using tokens = await serveRegistry((_request, response) => {
      issued += 1;
      answer(response, { status: 200, body: { access_token: `token-${issued}`, expires_in: 3_600 } });
      return true;
    });
    await using registry = await serveRegistry(
      guard(
        () => `Bearer token-${issued}`,
        () => `Bearer realm="${tokens.url}/token"`,
      ),
    );
    await using clients = new TestClients();
    const client = clients.clientFor({ domain: registry.host, image: "app" }, new Map());
    await client.tags(never);

    issued += 1;
    assert.deepEqual(await client.tags(never), ["1"]);
  });

  it("tells the server that an answer is redirected to nothing of who we are", async () => {
    const shown: (string | undefined)[] = [];
    const config = JSON.stringify({ created: "2021-01-01T00:00:00Z" });
    const digest = `sha256:${createHash("sha256").update(config).digest("hex")}`;
    const type = "application/vnd.oci.image.manifest.v1+json";
    const manifest = JSON.stringify({ schemaVersion: 2, mediaType: type, config: { digest } });
    await using storage = await serveRegistry(({ headers }, response) => {
      shown.push(headers.authorization);
      response.end(config);
      return true;
    });
    const isRefused = guard(
      () => basic,
      () => "Basic",
    );
    await using registry = await serveRegistry((request, response) => {
      const { url = "" } = request;
      if (isRefused(request, response)) {
        return true;
      }
      if (url.includes("/manifests/")) {
        response.end(manifest);
      } else if (url.includes("/blobs/")) {
        response.writeHead(307, { location: `${storage.url}/x?signature=${canary}` }).end();
      }
      return response.writableEnded;
    });
    const logger = new RecordedLog();
    await using clients = new TestClients({ trace: true, logger });
    const client = clients.clientFor({ domain: registry.host, image: "app" }, credentialsFor(registry.host));

    const { entry } = await client.image("1", never);

    assert.equal(entry.kind === "image" && entry.info.createdAt, "2021-01-01T00:00:00Z");
    assert.deepEqual(shown, [undefined]);
    assert.ok(logger.lines.some((line) => line === `url=${storage.url}/x status=200`));
    assert.ok(
      logger.lines.some((line) =>
        line.includes(`auth=<registry creds for me@${registry.host}, from a test>`),
      ),
    );
    const told = logger.lines.join("\n");
    assert.ok(!told.includes(canary) && !told.includes(basic), told);
  });

  it("needs a certificate that can be trusted, but of hosts that the user trusts without", async () => {
    const { key, certificate: cert } = selfSigned(Date.now());
    await using registry = await serveRegistry(() => false, { key, cert });

    assert.deepEqual(await tagsOf(registry.host, new Map()), ["1"]);
    assert.deepEqual(await tagsOf(registry.host, new Map(), { insecureHosts: [registry.host] }), ["1"]);
    await assert.rejects(tagsOf(registry.host, new Map(), { insecureHosts: [] }), (error) => {
      assert.ok(error instanceof RegistryError);
      assert.equal(error.failure, "unreachable");
      assert.match(error.message, /certificate|self-signed/);
      return true;
    });
  });

  it("tells both ways that failed where the user allows both", async () => {
    await using registry = await serveRegistry((_request, response) => {
      response.destroy();
      return true;
    });

    await assert.rejects(
      tagsOf(registry.host, new Map()),
      /app: .*closed.*; with TLS: .*(ssl|SSL|packet|wrong version)/,
    );
  });

  it("is not without TLS where the user did not say so", async () => {
    await using registry = await serveRegistry(() => false);

    await assert.rejects(tagsOf(registry.host, new Map(), { insecureHosts: ["127.0.0.1:1"] }), RegistryError);
    assert.deepEqual(registry.asked, []);
  });
});

describe("a registry that is asked too much", () => {
  it("is asked half as fast, not before it wishes, and faster again later", async () => {
    let isTooMuch = true;
    await using registry = await serveRegistry(({ url }, response) => {
      if (url === "/v2/" || !isTooMuch) {
        return false;
      }
      const errors = [{ code: "TOOMANYREQUESTS", message: "come back later" }];
      answer(response, { status: 429, body: { errors }, headers: { "retry-after": "120" } });
      return true;
    });
    const [clock, logger] = [new FakeClock(), new RecordedLog()];
    await using clients = new TestClients({ clock, logger, limits: { rps: 50, burst: 10 } });
    const client = clients.clientFor({ domain: registry.host, image: "app" }, new Map());

    await Promise.all(
      [client.tags(never), client.image("1", never)].map((asked) =>
        assert.rejects(
          asked,
          /app(:1)?: toomanyrequests: the registry responded with status 429: come back later/,
        ),
      ),
    );
    assert.deepEqual(logger.lines, [`info=reducing rate limit host=${registry.host} limit=25.00`]);
    const before = registry.asked.length;
    await assert.rejects(client.tags(never), (error) => {
      assert.ok(error instanceof RegistryError);
      assert.equal(error.failure, "rate-limited");
      return true;
    });
    assert.equal(registry.asked.length, before, "nothing was asked");

    isTooMuch = false;
    await clock.advance(120_000);
    assert.deepEqual(await client.tags(never), ["1"]);
    clients.succeed({ domain: registry.host, image: "app" });
    assert.equal(logger.lines.length, 1, "it is too early to ask for more");
    await clock.advance(1_200_000);
    clients.succeed({ domain: registry.host, image: "app" });
    assert.deepEqual(logger.lines.slice(1), [`info=increasing rate limit host=${registry.host} limit=37.50`]);
  });
});
