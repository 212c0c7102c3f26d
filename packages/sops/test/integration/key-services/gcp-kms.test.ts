import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import type { Environment } from "@weir/base";
import { Google, resourceId } from "../../support/google.ts";
import { refused } from "../../support/refused.ts";

const never = new AbortController().signal;
const dataKey = randomBytes(32);

/** Decrypts with credentials from this environment; returns whose token that took. */
async function tokensFor(envOf: (google: Google) => Environment): Promise<readonly string[]> {
  await using google = await Google.start();
  const plain = await google.service(envOf(google)).decrypt(google.record(dataKey), never);
  assert.deepEqual(Buffer.from(plain), dataKey);
  return google.issued;
}

const external = {
  type: "external_account",
  audience: "//iam/pool",
  subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
  token_url: "https://sts.googleapis.com/v1/token",
};
const impersonationUrl =
  "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/weir@weir-1.iam.gserviceaccount.com:generateAccessToken";
const user = {
  type: "authorized_user",
  client_id: "client",
  client_secret: "client-s3cret",
  refresh_token: "refresh-s3cret",
};

describe("a data key in Google Cloud KMS", () => {
  it("is decrypted with a service account, as JSON or as a file", async () => {
    const fromJson = await tokensFor((google) => ({ GOOGLE_CREDENTIALS: google.accountJson() }));
    const fromFile = await tokensFor((google) => ({
      GOOGLE_CREDENTIALS: google.file("account.json", google.accountJson()),
    }));
    const fromUsual = await tokensFor((google) => ({
      GOOGLE_APPLICATION_CREDENTIALS: google.file("account.json", google.accountJson()),
    }));

    assert.deepEqual([fromJson, fromFile, fromUsual], [["account"], ["account"], ["account"]]);
  });

  it("is decrypted with the user that gcloud has logged in", async () => {
    const fromHome = await tokensFor((google) => {
      google.file(".config/gcloud/application_default_credentials.json", user);
      return { HOME: google.home };
    });
    const fromFolder = await tokensFor((google) => {
      google.file("gcloud/application_default_credentials.json", user);
      return { CLOUDSDK_CONFIG: `${google.home}/gcloud` };
    });

    assert.deepEqual([fromHome, fromFolder], [["user"], ["user"]]);
  });

  it("is decrypted with the identity of the pod or machine if there's nothing else", async () => {
    assert.deepEqual(await tokensFor(({ home }) => ({ HOME: home })), ["machine"]);
  });

  it("is decrypted with the token of another provider, and with an account that it impersonates", async () => {
    const plainFile = await tokensFor((google) => ({
      GOOGLE_APPLICATION_CREDENTIALS: google.file("c.json", {
        ...external,
        credential_source: { file: google.file("token", "pod-t0ken\n") },
      }),
    }));
    const jsonFile = await tokensFor((google) => ({
      GOOGLE_APPLICATION_CREDENTIALS: google.file("c.json", {
        ...external,
        service_account_impersonation_url: impersonationUrl,
        credential_source: {
          file: google.file("token", '{"id_token":"pod-t0ken"}'),
          format: { type: "json", subject_token_field_name: "id_token" },
        },
      }),
    }));
    const impersonated = await tokensFor((google) => ({
      GOOGLE_CREDENTIALS: JSON.stringify({
        type: "impersonated_service_account",
        service_account_impersonation_url: impersonationUrl,
        source_credentials: user,
        home: google.home,
      }),
    }));

    assert.deepEqual(plainFile, ["external"]);
    assert.deepEqual(jsonFile, ["external", "impersonated"]);
    assert.deepEqual(impersonated, ["user", "impersonated"]);
  });

  it("is decrypted with one token, until it's about to expire or isn't accepted", async () => {
    await using google = await Google.start();
    const service = google.service({});
    const attempt = (): Promise<Uint8Array> => service.decrypt(google.record(dataKey), never);

    await Promise.all([attempt(), attempt()]);
    await google.clock.advance(54 * 60_000);
    await attempt();
    assert.deepEqual(google.issued, ["machine"]);
    await google.clock.advance(2 * 60_000);
    await attempt();
    assert.deepEqual(google.issued, ["machine", "machine"]);
    google.faults.push({
      status: 401,
      body: { error: { status: "UNAUTHENTICATED", message: "t0ken-machine" } },
    });
    await refused(attempt(), /status 401 \(UNAUTHENTICATED: …\); check the key and its permissions/);
    await attempt();
    assert.equal(google.issued.length, 3);
  });

  it("isn't decrypted with a key that isn't the account's", async () => {
    await using google = await Google.start();
    const env = { GOOGLE_CREDENTIALS: google.accountJson(true) };

    await refused(
      google.service(env).decrypt(google.record(dataKey), never),
      /no credentials for Google Cloud KMS: .*oauth2\.googleapis\.com\/token responded with status 400 \(invalid_grant: Invalid JWT Signature\.\); give the pod or machine a service account/,
    );
    assert.ok(!google.routes.origins.has("https://cloudkms.googleapis.com"));
  });

  it("isn't decrypted for another key, with a value of another key, or without permission", async () => {
    await using google = await Google.start();
    await using other = await Google.start();
    const service = google.service({});
    const record = google.record(dataKey);
    const denied = { error: { status: "PERMISSION_DENIED", message: "Permission 'cloudkms…' denied" } };

    for (const id of [
      "projects/x",
      `${resourceId}?y#z`,
      `${resourceId}/cryptoKeyVersions/1`,
      "projects/a/locations/../keyRings/b/cryptoKeys/c",
      "//evil.example.com/x",
    ]) {
      await refused(
        service.decrypt({ ...record, resourceId: id }, never),
        /this isn't the resource ID of a key/,
      );
    }
    await refused(
      service.decrypt({ ...record, resourceId: record.resourceId.replace("sops", "other") }, never),
      /NOT_FOUND: no such key\); check the resource ID/,
    );
    await refused(
      service.decrypt(other.record(dataKey), never),
      /INVALID_ARGUMENT.*; the data key was encrypted with/,
    );
    google.faults.push({ status: 403, body: denied });
    await refused(service.decrypt(record, never), /PERMISSION_DENIED.*role Cloud KMS CryptoKey Decrypter/);
    await refused(service.decrypt({ ...record, encryptedDataKey: "a b" }, never), /isn't valid base64/);
  });

  it("isn't decrypted by a response without a key", async () => {
    await using google = await Google.start();
    google.faults.push({ status: 200, body: {} });

    await refused(
      google.service({}).decrypt(google.record(dataKey), never),
      /responded without a decrypted key/,
    );
  });

  for (const [what, setting, message] of [
    ["no JSON and no file", "/none", /GOOGLE_CREDENTIALS is neither JSON nor the name of a file/],
    ["broken JSON", '{"private_key":"s3cret', /GOOGLE_CREDENTIALS isn't valid JSON/],
    ["no type", "{}", /GOOGLE_CREDENTIALS has no type; use the key of a service account/],
    [
      "an unknown type",
      '{"type":"gdch_service_account"}',
      /has the type "gdch_service_account", which isn't supported/,
    ],
    [
      "no e-mail address",
      '{"type":"service_account"}',
      /has no client_email; download the credentials again/,
    ],
    [
      "a key that isn't one",
      '{"type":"service_account","client_email":"a@b","private_key":"s3cret"}',
      /the private_key of a@b isn't a valid key in PEM/,
    ],
    [
      "a token endpoint without TLS",
      '{"type":"service_account","client_email":"a","private_key":"s3cret","token_uri":"http://example.com"}',
      /token_uri in GOOGLE_CREDENTIALS names example\.com without TLS/,
    ],
    [
      "a program to run",
      JSON.stringify({ ...external, credential_source: { executable: { command: "rm" } } }),
      /has a credential_source other than a file or a URL/,
    ],
  ] as const) {
    it(`isn't decrypted with credentials that have ${what}`, async () => {
      await using google = await Google.start();

      await refused(
        google.service({ GOOGLE_CREDENTIALS: setting }).decrypt(google.record(dataKey), never),
        message,
      );
    });
  }

  it("isn't decrypted with credentials of a file that isn't there", async () => {
    await using google = await Google.start();
    const env = { GOOGLE_APPLICATION_CREDENTIALS: "/none/account.json" };

    await refused(
      google.service(env).decrypt(google.record(dataKey), never),
      /GOOGLE_APPLICATION_CREDENTIALS: open \/none\/account\.json: no such file/,
    );
  });
});
