import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { alter, blobOf, withKey } from "../support/craft.ts";
import { commitText, Lab } from "../support/lab.ts";
import { SecurityKey } from "../support/security-key.ts";

type Row = readonly [name: string, certificate: readonly string[], allowed: string, verdict: string];

/** Valid at the time of commits. */
const valid = ["-V", "20230101Z:20240101Z"];
const dev = ["-n", "dev", ...valid];

describe("verifySshSignature judges certificates as git and ssh-keygen do:", { concurrency: 4 }, () => {
  const lab = new Lab();
  const key = lab.createKey("key", "-t", "ed25519");
  const authority = lab.createKey("authority", "-t", "ed25519");
  const other = lab.createKey("other", "-t", "ed25519");
  after(() => lab[Symbol.dispose]());

  const plainSignature = lab.sign("key");
  const ca = `* cert-authority ${authority}`;
  const rows: readonly Row[] = [
    ["a principal", dev, ca, "G dev"],
    ["several principals", ["-n", "dev,ops", ...valid], ca, "G dev"],
    ["a principal of several", ["-n", "dev,ops", ...valid], `ops cert-authority ${authority}`, "G ops"],
    ["the order of patterns", ["-n", "dev,ops", ...valid], `o*,d* cert-authority ${authority}`, "G ops"],
    ["another principal", dev, `ops cert-authority ${authority}`, "U"],
    ["no principal", valid, ca, "U"],
    ["a principal that is a pattern", ["-n", "d*", ...valid], `dev cert-authority ${authority}`, "U"],
    [
      "a principal that is the same pattern",
      ["-n", "d*", ...valid],
      `d* cert-authority ${authority}`,
      "G d*",
    ],
    ["a principal with a space", ["-n", "d v", ...valid], ca, "G d v"],
    ["a negated pattern", dev, `!dev,* cert-authority ${authority}`, "B"],
    ["a negated pattern for another", dev, `!ops,* cert-authority ${authority}`, "G dev"],
    ["an empty pattern first", dev, `,dev cert-authority ${authority}`, "U"],
    ["a matching line after another", dev, `ops cert-authority ${authority}\n${ca}`, "G dev"],
    ["forever", ["-n", "dev"], ca, "G dev"],
    ["expired", ["-n", "dev", "-V", "20220101Z:20230101Z"], ca, "U"],
    ["not valid yet", ["-n", "dev", "-V", "20240101Z:20250101Z"], ca, "U"],
    ["valid from this second", ["-n", "dev", "-V", "20231114221320Z:20240101Z"], ca, "G dev"],
    ["valid from the next second", ["-n", "dev", "-V", "20231114221321Z:20240101Z"], ca, "U"],
    ["valid until this second", ["-n", "dev", "-V", "20230101Z:20231114221320Z"], ca, "U"],
    ["valid until the next second", ["-n", "dev", "-V", "20230101Z:20231114221321Z"], ca, "G dev"],
    ["for a host", ["-h", ...dev], ca, "U"],
    ["by another authority", dev, `* cert-authority ${other}`, "U"],
    ["by a key that isn't an authority", dev, `* ${authority}`, "U"],
    ["with a key that is listed itself", dev, `dev ${key}`, "U"],
    ["with a key that is listed as an authority", dev, `dev cert-authority ${key}`, "U"],
    ["in the namespace", dev, `* cert-authority,namespaces="git" ${authority}`, "G dev"],
    ["in another namespace", dev, `* cert-authority,namespaces="file" ${authority}`, "B"],
    ["by an expired authority", dev, `* cert-authority,valid-before="20230601Z" ${authority}`, "U"],
    ["by an authority not yet valid", dev, `* valid-after="20231201Z",cert-authority ${authority}`, "U"],
    ["with a forced command", [...dev, "-O", "force-command=true"], ca, "G dev"],
    ["with an unknown critical option", [...dev, "-O", "critical:x@example.com=y"], ca, "G dev"],
    ["with an extension", [...dev, "-O", "extension:x@example.com"], ca, "G dev"],
  ];
  for (const [name, args, allowed, verdict] of rows) {
    it(name, async () => {
      const signature = withKey(await plainSignature, lab.certify("key", "authority", ...args));

      assert.equal(await lab.check({ allowed, signature }), verdict);
    });
  }

  const types: readonly (readonly string[])[] = [
    ["-t", "ed25519"],
    ["-t", "ecdsa", "-b", "256"],
    ["-t", "ecdsa", "-b", "384"],
    ["-t", "ecdsa", "-b", "521"],
    ["-t", "rsa", "-b", "2048"],
  ];
  for (const type of types) {
    it(`a key and an authority with ${type.join(" ")}`, async () => {
      const name = `key${type.join("")}`;
      lab.createKey(name, ...type);
      const typeAuthority = lab.createKey(`${name}-authority`, ...type);
      lab.certify(name, `${name}-authority`, ...dev);

      const signature = await lab.sign(`${name}-cert.pub`);

      assert.equal(await lab.check({ allowed: `* cert-authority ${typeAuthority}`, signature }), "G dev");
    });
  }

  it("an authority that signs with SHA-1", async () => {
    const weak = lab.createKey("weak", "-t", "rsa", "-b", "2048");
    const signature = withKey(await plainSignature, lab.certify("key", "weak", "-t", "ssh-rsa", ...dev));

    assert.equal(await lab.check({ allowed: `* cert-authority ${weak}`, signature }), "G dev");
  });

  for (const kind of ["ed25519", "ecdsa"] as const) {
    it(`a security key of type ${kind}`, async () => {
      const securityKey = new SecurityKey(kind);
      lab.writeFile(`${kind}.pub`, securityKey.publicKey());
      const signature = withKey(securityKey.sign(commitText()), lab.certify(kind, "authority", ...dev));

      assert.equal(await lab.check({ allowed: ca, signature }), "G dev");
    });
  }

  it("a certificate that is listed itself", async () => {
    const certificate = lab.certify("key", "authority", ...dev);
    const next = lab.certify("key", "authority", ...dev, "-z", "2");
    const signature = withKey(await plainSignature, certificate);

    assert.equal(await lab.check({ allowed: `ops ${certificate}`, signature }), "G ops");
    assert.equal(await lab.check({ allowed: `ops ${next}`, signature }), "U");
    assert.equal(await lab.check({ allowed: `ops ${certificate}`, signature: await plainSignature }), "U");
    assert.equal(await lab.check({ allowed: `ops cert-authority ${certificate}`, signature }), "U");
  });

  it("an authority whose certificate is listed", async () => {
    const signature = withKey(await plainSignature, lab.certify("key", "authority", ...dev));
    const certificate = lab.certify("authority", "other", ...dev);

    assert.equal(await lab.check({ allowed: `dev cert-authority ${certificate}`, signature }), "G dev");
  });

  it("a certificate that was changed", async () => {
    const blob = blobOf(lab.certify("key", "authority", ...dev));
    const signature = await plainSignature;
    for (const at of [blob.indexOf("dev"), blob.length - 1, blob.length - 70]) {
      const key = Buffer.from(blob);
      key[at] = (key[at] ?? 0) ^ 1;

      assert.equal(await lab.check({ allowed: ca, signature: alter(signature, { key }) }), "B");
    }
    const longer = Buffer.concat([blob, Buffer.of(0)]);
    assert.equal(await lab.check({ allowed: ca, signature: alter(signature, { key: longer }) }), "B");
  });

  it("a certificate for another key", async () => {
    const signature = withKey(await plainSignature, lab.certify("other", "authority", ...dev));

    assert.equal(await lab.check({ allowed: ca, signature }), "B");
  });
});
