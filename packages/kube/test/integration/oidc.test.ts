import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { answer, answerForever, FakeClock, idTokenOf, OidcIssuer, serve, TempFolder } from "@weir/testing";
import { credentialsOf } from "../../src/client/kube-config.ts";
import { parseKubeConfig } from "../../src/client/parse-kube-config.ts";
import type { ClusterCredentials } from "../../src/rest/credentials.ts";

const minute = 60_000;
const hour = 60 * minute;
const canary = "c4n4ry-refresh-token";

/** The credentials of a user whose provider is oidc, with that config. */
function credentialsWith(config: object | undefined, clock: FakeClock): ClusterCredentials {
  const user = { "auth-provider": { name: "oidc", ...(config === undefined ? {} : { config }) } };
  const kubeconfig = {
    "current-context": "test",
    clusters: [{ name: "test", cluster: { server: "https://host:6443" } }],
    users: [{ name: "test", user }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
  };
  return credentialsOf(parseKubeConfig(JSON.stringify(kubeconfig), "/k/config"), { env: {}, clock });
}

/** A config whose ID token is good for ten minutes. */
function configFor(issuer: OidcIssuer, clock: FakeClock): Readonly<Record<string, string>> {
  return {
    "idp-issuer-url": issuer.url,
    "idp-certificate-authority-data": Buffer.from(issuer.ca).toString("base64"),
    "client-id": "kubernetes",
    "id-token": idTokenOf(issuer.url, "first", clock.now()),
    "refresh-token": canary,
  };
}

/** The name of the ID token that requests show. */
async function shown(credentials: ClusterCredentials): Promise<string> {
  const { Authorization: header } = await credentials.headers();
  const claims = Buffer.from(String(header).split(".")[1] ?? "", "base64url").toString();
  return (JSON.parse(claims) as { readonly jti: string }).jti;
}

describe("an OpenID Connect user", () => {
  it("shows its ID token as long as that is good, and asks nobody", async () => {
    const clock = new FakeClock();
    await using issuer = await OidcIssuer.start(clock);
    const credentials = credentialsWith(configFor(issuer, clock), clock);

    assert.equal(await shown(credentials), "first");
    await clock.advance(10 * minute);
    assert.equal(await shown(credentials), "first");
    assert.deepEqual(issuer.requests, []);
  });

  it("asks for a new ID token when the old one is over, with the newest refresh token", async () => {
    const clock = new FakeClock();
    await using issuer = await OidcIssuer.start(clock);
    const credentials = credentialsWith(configFor(issuer, clock), clock);

    await clock.advance(hour);
    issuer.answerWith = { refresh_token: "second" };
    assert.deepEqual(await Promise.all([shown(credentials), shown(credentials)]), ["renewed-1", "renewed-1"]);
    await clock.advance(hour);
    issuer.answerWith = {};
    assert.equal(await shown(credentials), "renewed-2");
    await clock.advance(hour);
    assert.equal(await shown(credentials), "renewed-3", "an issuer may keep its refresh token");

    const form = { grant_type: "refresh_token", client_id: "kubernetes" };
    assert.deepEqual(issuer.requests, [
      { form: { ...form, refresh_token: canary }, authorization: "" },
      { form: { ...form, refresh_token: "second" }, authorization: "" },
      { form: { ...form, refresh_token: "second" }, authorization: "" },
    ]);
  });

  it("renews an ID token that cannot be read", async () => {
    const clock = new FakeClock();
    await using issuer = await OidcIssuer.start(clock);
    const credentials = credentialsWith({ ...configFor(issuer, clock), "id-token": "?" }, clock);

    assert.equal(await shown(credentials), "renewed-1");
  });

  it("trusts the certificate of a file for its issuer", async () => {
    const clock = new FakeClock();
    await using issuer = await OidcIssuer.start(clock);
    using folder = new TempFolder();
    const ca = folder.write("ca.crt", issuer.ca);
    const trust = { "idp-certificate-authority-data": "", "idp-certificate-authority": ca };
    const credentials = credentialsWith({ ...configFor(issuer, clock), ...trust }, clock);

    await clock.advance(hour);

    assert.equal(await shown(credentials), "renewed-1");
  });

  for (const [methods, place] of [
    [undefined, "authorization"],
    [["client_secret_post"], "form"],
    [["client_secret_post", "client_secret_basic"], "authorization"],
  ] as const) {
    it(`says its secret in the ${place} to an issuer that takes ${methods?.join(", ") ?? "what is usual"}`, async () => {
      const clock = new FakeClock();
      await using issuer = await OidcIssuer.start(clock);
      issuer.metadata = methods === undefined ? {} : { token_endpoint_auth_methods_supported: methods };
      const credentials = credentialsWith({ ...configFor(issuer, clock), "client-secret": "s3cret" }, clock);

      await clock.advance(hour);
      await shown(credentials);

      const basic = `Basic ${Buffer.from("kubernetes:s3cret").toString("base64")}`;
      const [request] = issuer.requests;
      assert.deepEqual(
        [request?.authorization, request?.form["client_secret"]],
        place === "form" ? ["", "s3cret"] : [basic, undefined],
      );
    });
  }

  describe("without a token that is good or can be renewed", () => {
    const message =
      'user "test": the ID token of the oidc provider has expired or is missing, and can\'t be renewed; log in again';

    for (const field of ["id-token", "refresh-token", "client-id", "idp-issuer-url"]) {
      it(`says so where it has no ${field}`, async () => {
        const clock = new FakeClock();
        await using issuer = await OidcIssuer.start(clock);
        const credentials = credentialsWith({ ...configFor(issuer, clock), [field]: "" }, clock);

        await clock.advance(hour);

        await assert.rejects(credentials.headers(), { name: "KubeConfigError", message });
        assert.deepEqual(issuer.requests, []);
      });
    }

    it("says so where it has no config", async () => {
      const credentials = credentialsWith(undefined, new FakeClock());

      await assert.rejects(credentials.headers(), { name: "KubeConfigError", message });
    });

    it("says so where the issuer gives no ID token, and keeps the refresh token that it gave", async () => {
      const clock = new FakeClock();
      await using issuer = await OidcIssuer.start(clock);
      issuer.answerWith = { id_token: undefined, refresh_token: "second" };
      const credentials = credentialsWith(configFor(issuer, clock), clock);

      await clock.advance(hour);
      await assert.rejects(credentials.headers(), { name: "KubeConfigError", message });
      issuer.answerWith = {};

      assert.equal(await shown(credentials), "renewed-2");
      assert.equal(issuer.requests[1]?.form["refresh_token"], "second");
    });
  });

  describe("whose issuer gives none, says why", () => {
    /** What a user is told whose ID token is over. */
    async function complaint(prepare: (issuer: OidcIssuer) => object): Promise<string> {
      const clock = new FakeClock();
      await using issuer = await OidcIssuer.start(clock);
      const credentials = credentialsWith({ ...configFor(issuer, clock), ...prepare(issuer) }, clock);
      await clock.advance(hour);

      const error: unknown = await credentials.headers().then(
        () => assert.fail("there are tokens"),
        (reason: unknown) => reason,
      );

      assert.ok(error instanceof Error);
      assert.equal(error.name, "KubeConfigError");
      assert.ok(!error.message.includes(canary));
      // What Node advises about certificates differs from version to version.
      return error.message.replaceAll(issuer.url, "ISSUER").replace(/; if the root CA.*/, "");
    }

    const start = 'user "test": the issuer ISSUER didn\'t renew the ID token: ';
    const cases: readonly (readonly [string, (issuer: OidcIssuer) => object, string])[] = [
      [
        "the refresh token is used up",
        (issuer) => {
          issuer.misbehave = ({ url }, response) => {
            const isRefused = url === "/token";
            if (isRefused) {
              const body = { error: "invalid_grant", error_description: `no ${canary}` };
              answer(response, { status: 400, body });
            }
            return isRefused;
          };
          return {};
        },
        `${start}it answers 400: invalid_grant`,
      ],
      [
        "nobody signed its certificate",
        () => ({ "idp-certificate-authority-data": "" }),
        `${start}self-signed certificate`,
      ],
      [
        "it is another one",
        (issuer) => {
          issuer.metadata = { issuer: "https://elsewhere.example.com" };
          return {};
        },
        `${start}discovered metadata issuer does not match the expected issuer`,
      ],
      [
        "it is no URL",
        () => ({ "idp-issuer-url": "issuer" }),
        'user "test": the idp-issuer-url of the oidc provider must be a URL',
      ],
      [
        "its certificate cannot be read",
        () => ({ "idp-certificate-authority-data": "", "idp-certificate-authority": "/nowhere/ca.crt" }),
        "cannot read /nowhere/ca.crt: ENOENT: no such file or directory, open '/nowhere/ca.crt'",
      ],
      [
        "it answers without an end",
        (issuer) => {
          issuer.misbehave = (_, response) => {
            void answerForever(response, 200);
            return true;
          };
          return {};
        },
        `${start}ISSUER responded to GET /.well-known/openid-configuration with a body larger than the limit of 1048576 bytes`,
      ],
    ];
    for (const [what, prepare, message] of cases) {
      it(`where ${what}`, async () => assert.equal(await complaint(prepare), message));
    }

    it("where it does not speak TLS", async () => {
      await using plain = await serve((_, response) => answer(response, { status: 200, body: {} }));

      const message = await complaint(() => ({ "idp-issuer-url": plain.url }));

      assert.equal(
        message,
        `user "test": the issuer ${plain.url} didn't renew the ID token: only requests to HTTPS are allowed`,
      );
      assert.deepEqual(plain.asked, []);
    });
  });
});
