import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { awsServiceUrl } from "@weir/cloud/aws";
import fc from "fast-check";
import { parseKmsArn } from "../../../src/key-services/aws-arn.ts";
import { decryptUrl, parseVaultUrl } from "../../../src/key-services/azure-vault-url.ts";
import { KeyServiceError } from "../../../src/key-services/errors.ts";
import { gcpDecryptUrl } from "../../../src/key-services/gcp-url.ts";
import { decryptPath, vaultUrlFor } from "../../../src/key-services/vault-address.ts";

/** Pieces that could lead a URL elsewhere. */
const piece = fc.constantFrom(
  ..."/ : @ # ? \\ . .. %2f %2e%2e \t \n \u0000 [ ] & = é".split(" "),
  "https://",
  "http://",
  "evil.example.com",
  "weir.vault.azure.net",
  "vault.azure.net",
  "eu-west-1",
  "127.0.0.1",
  "169.254.169.254",
  "a",
);
const hostile = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));

/** The result; undefined if it's refused in the right way. */
function unlessRefused<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    assert.ok(error instanceof KeyServiceError, String(error));
    return undefined;
  }
}

describe("whatever a file names", () => {
  it("leads to a host of AWS, whose name has the region of the key", () => {
    fc.assert(
      fc.property(hostile, hostile, (region, id) => {
        const arn = `arn:aws:kms:${region}:1:key/${id}`;
        const parsed = unlessRefused(() => parseKmsArn(arn));

        if (parsed !== undefined) {
          const url = new URL(awsServiceUrl("kms", parsed.region));
          assert.match(url.href, /^https:\/\/kms\.[a-z0-9-]+\.amazonaws\.com\/$/);
        }
      }),
    );
  });

  it("leads to a method of Google's KMS", () => {
    fc.assert(
      fc.property(hostile, hostile, (project, key) => {
        const id = `projects/${project}/locations/global/keyRings/ring/cryptoKeys/${key}`;
        const url = unlessRefused(() => gcpDecryptUrl(id));

        if (url !== undefined) {
          assert.equal(url.origin, "https://cloudkms.googleapis.com");
          assert.match(
            url.pathname,
            /^\/v1\/projects\/[^/]+\/locations\/global\/keyRings\/ring\/cryptoKeys\/[^/]+:decrypt$/,
          );
          assert.equal(`${url.search}${url.hash}`, "");
        }
      }),
    );
  });

  it("leads to a key in a vault of Azure", () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (vaultUrl, name, version) => {
        const url = unlessRefused(() => decryptUrl(parseVaultUrl(vaultUrl).vault, { name, version }));

        if (url !== undefined) {
          assert.match(url.origin, /^https:\/\/[a-z0-9-]+\.vault\.azure\.net$/);
          assert.match(url.pathname, /^\/keys\/[A-Za-z0-9-]+\/(?:[A-Za-z0-9]+\/)?decrypt$/);
        }
      }),
    );
  });

  it("leads to the server in VAULT_ADDR if it's set, and to the path that decrypts", () => {
    const env = { VAULT_ADDR: "https://vault.example.com:8200" };

    fc.assert(
      fc.property(hostile, hostile, hostile, (address, enginePath, keyName) => {
        const url = unlessRefused(() => vaultUrlFor(address, env));
        const path = unlessRefused(() => decryptPath({ enginePath, keyName }));

        assert.ok(url === undefined || url.origin === env.VAULT_ADDR);
        if (path !== undefined) {
          assert.match(
            new URL(path, env.VAULT_ADDR).href,
            /^https:\/\/vault\.example\.com:8200\/v1\/.+\/decrypt\/[^/?#]+$/,
          );
        }
      }),
    );
  });

  it("leads to a server with TLS, or on this machine, if VAULT_ADDR isn't set", () => {
    fc.assert(
      fc.property(hostile, (address) => {
        const url = unlessRefused(() => vaultUrlFor(address, {}));

        assert.ok(
          url === undefined ||
            url.protocol === "https:" ||
            ["127.0.0.1", "169.254.169.254"].includes(url.hostname),
        );
      }),
    );
  });
});
