import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks, TempFolder } from "@weir/testing";
import { goProgram } from "@weir/toolchain";
import { publishImages } from "../../../dev/release/publish/publish-images.ts";
import { signImages } from "../../../dev/release/supply/cosign.ts";
import { provenanceStep, signStep } from "../../../dev/release/supply/step.ts";
import { pushImage } from "../../support/registry-push.ts";
import { RegistryServer } from "../../support/registry-server.ts";
import { writeTestImage } from "../support/image-layout.ts";
import { root, run, TestRelease } from "../support.ts";

const script = join(root, "scripts/verify-release.sh");
const commit = "c0ffee0123456789c0ffee0123456789c0ffee01";
const password = "a pass phrase";

describe("a release that is signed with cosign", () => {
  const keys = new TempFolder();
  let cosign = "";

  before(async () => {
    cosign = await goProgram("cosign");
    process.env["COSIGN_PASSWORD"] = password;
    for (const name of ["own", "other"]) {
      mkdirSync(join(keys.path, name));
      await run(cosign, ["generate-key-pair"], { cwd: join(keys.path, name), env: process.env });
    }
  });

  after(() => {
    delete process.env["COSIGN_PASSWORD"];
    keys[Symbol.dispose]();
  });

  /** Signs a small release with the key of its own. */
  async function signedRelease(): Promise<TestRelease> {
    const release = new TestRelease({ commit, key: join(keys.path, "own", "cosign.key") });
    mkdirSync(join(release.context.out, "bin"));
    writeFileSync(join(release.context.out, "bin", "fluxctl.tar.gz"), "an archive");
    await provenanceStep(release.context);
    await signStep(release.context);
    return release;
  }

  /** Verifies with cosign if it's on PATH, and otherwise with openssl. */
  function verify(release: TestRelease, { path = "", key = "own" }): Promise<string> {
    const args = [script, "--key", join(keys.path, key, "cosign.pub"), release.context.out];
    const env = { ...process.env, PATH: `${path}${delimiter}/usr/bin${delimiter}/bin` };
    return run("/bin/sh", args, { env }).then(
      ({ stdout }) => stdout,
      (error: unknown) => (error as { readonly stderr: string }).stderr,
    );
  }

  for (const program of ["cosign", "openssl"]) {
    const pathTo = (): { readonly path?: string } => (program === "cosign" ? { path: dirname(cosign) } : {});

    it(`is verified by ${program}, and comes with the public key`, async () => {
      using release = await signedRelease();

      assert.match(
        await verify(release, pathTo()),
        /^ok: checksums\.txt is signed with this key\n[^]*\nverified\n$/,
      );
      const { out } = release.context;
      const known = readFileSync(join(keys.path, "own", "cosign.pub"), "utf8");
      assert.equal(readFileSync(join(out, "cosign.pub"), "utf8").trim(), known.trim());
    });

    it(`isn't verified by ${program} with another key, or after a change`, async () => {
      using release = await signedRelease();

      const other = await verify(release, { ...pathTo(), key: "other" });
      appendFileSync(join(release.context.out, "checksums.txt"), "\n");
      const changed = await verify(release, pathTo());

      assert.match(other, /^FAILED: checksums\.txt isn't signed with this key: /);
      assert.match(changed, /^FAILED: checksums\.txt isn't signed with this key: /);
    });
  }

  it("isn't signed with a wrong password, and nothing says the password", async () => {
    process.env["COSIGN_PASSWORD"] = "another pass phrase";
    try {
      await assert.rejects(signedRelease(), (error: Error) => {
        assert.match(error.message, /^cosign failed: /);
        assert.doesNotMatch(error.message, /pass phrase/);
        return true;
      });
    } finally {
      process.env["COSIGN_PASSWORD"] = password;
    }
  });

  it("has images whose signatures are next to them in the registry", {
    skip: lacks("docker-registry"),
  }, async () => {
    await using registry = await RegistryServer.start();
    const digest = await pushImage(registry, { repository: "weirdev/weir", tag: "1.0.0", format: "oci" });
    const name = `${registry.host}/weirdev/weir`;
    const signer = { key: join(keys.path, "own", "cosign.key"), signal: new AbortController().signal };
    const verifyWith = (key: string) =>
      run(cosign, [
        ...["verify", "--insecure-ignore-tlog=true", "--allow-http-registry"],
        ...["--key", join(keys.path, key, "cosign.pub"), `${name}@${digest}`],
      ]);

    await assert.rejects(signImages([`${name}:1.0.0`], signer), /isn't named by its digest/);
    await assert.rejects(verifyWith("own"), /no signatures found/);
    await signImages([`${name}@${digest}`], signer, ["--allow-http-registry"]);

    assert.match((await verifyWith("own")).stdout, new RegExp(`"docker-manifest-digest":"${digest}"`));
    await assert.rejects(verifyWith("other"), /invalid signature/);
  });

  it("has images that are pushed and signed in one step, which cosign then verifies by their digests", {
    skip: lacks("docker-registry") || lacks("skopeo"),
  }, async () => {
    await using registry = await RegistryServer.start();
    using release = new TempFolder();
    writeTestImage(release.path, "weir:1.2.3");
    writeTestImage(release.path, "weir:1.2.3-slim");
    const { signal } = new AbortController();
    const key = join(keys.path, "own", "cosign.key");

    const published = await publishImages({
      release: release.path,
      registry: `${registry.host}/weirdev`,
      tls: false,
      sign: (images) => signImages(images, { key, signal }, ["--allow-http-registry"]),
      say: () => undefined,
      signal,
    });

    assert.equal(published.length, 2);
    for (const image of published) {
      const { stdout } = await run(cosign, [
        ...["verify", "--insecure-ignore-tlog=true", "--allow-http-registry"],
        ...["--key", join(keys.path, "own", "cosign.pub"), image],
      ]);
      assert.ok(stdout.includes(`"docker-manifest-digest":"${image.split("@")[1] ?? ""}"`), stdout);
    }
  });
});
