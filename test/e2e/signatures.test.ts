import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { VerificationReport } from "@weir/flux/api";
import { ApiClient } from "@weir/flux/client";
import { describeOnEmbeddedCluster, TempFolder, until } from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { GnuPg } from "../support/gnupg.ts";
import { commandLines, filesWith, toldBy } from "../support/leaks.ts";
import { configMap, deployment } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";
import { SshSigning } from "../support/ssh-signing.ts";

const lock = ["lock", "-w", "deployment/sig", "--user=Ann <ann@example.test>"];

describeOnEmbeddedCluster("signatures", {}, (cluster) => {
  let gnupg: GnuPg;
  let secret: string;
  /** Flags for a fluxd that signs with the key of flux, and knows no other. */
  let signing: readonly string[];
  const keys = new TempFolder();
  before(async () => {
    gnupg = await GnuPg.with("flux", "stranger");
    secret = await gnupg.secretKey("flux");
    const file = keys.write("keys/flux.asc", secret);
    signing = [`--git-gpg-key-import=${file}`, "--git-signing-key=flux@example.test"];
  });
  after(async () => {
    await gnupg[Symbol.asyncDispose]();
    keys[Symbol.dispose]();
  });

  function started(repository: TestRepository, ...flags: readonly string[]): Promise<Fluxd> {
    return Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath, flags });
  }

  it("end a sync at the last good commit, and say who made the next one", async () => {
    const flux = gnupg.git("flux");
    await using repository = await TestRepository.create({ "a.yaml": configMap("sig-a") }, flux);
    await using fluxd = await started(repository, "--git-verify-signatures", ...signing);
    const good = await repository.push({ "b.yaml": configMap("sig-b") }, "good", flux);
    await synced(repository, fluxd, good);

    const bad = await repository.push({ "c.yaml": configMap("sig-c") }, "unsigned");
    const head = await repository.push({ "d.yaml": configMap("sig-d") }, "good again", flux);
    const { code, stderr } = await fluxctl(fluxd, "sync");

    assert.equal(code, 0, stderr);
    assert.equal(
      stderr.split("\n")[1],
      `Warning: The branch HEAD in the git repo is not verified, and fluxd is unable to sync to it. The last verified commit was ${good.slice(0, 8)}. HEAD is ${head.slice(0, 8)}.`,
    );
    await fluxd.logged(
      `err="found invalid GPG signature for commit" revision=${bad} key= author="Dev <dev@example.test>" reason="it isn't signed"`,
    );
    assert.equal(await repository.synced(), good);
    const report = await verification(fluxd);
    assert.deepEqual(report, {
      mode: "all",
      head,
      verified: good,
      error: "",
      bad: {
        revision: bad,
        author: "Dev <dev@example.test>",
        status: "N",
        key: "",
        signer: "",
        reason: "it isn't signed",
      },
    });
    const check = await fluxctl(fluxd, "check");
    assert.match(
      check.stdout + check.stderr,
      new RegExp(`commit ${bad.slice(0, 8)} by Dev <dev@example.test> is not verified: it isn't signed`),
    );

    await repository.inClone(["reset", "-q", "--hard", good]);
    const next = await repository.push({ "e.yaml": configMap("sig-e") }, "a new try", flux);
    assert.equal((await fluxctl(fluxd, "sync")).code, 0);
    assert.equal(await repository.synced(), next);
  });

  it("of strangers aren't good, and nothing is released on top of them", async () => {
    const first = { "a.yaml": deployment("sig") };
    await using repository = await TestRepository.create(first, gnupg.git("flux"));
    await using fluxd = await started(repository, "--git-verify-signatures", ...signing);
    const good = await repository.inClone(["rev-parse", "HEAD"]);
    await synced(repository, fluxd, good);
    const bad = await repository.push({ "b.yaml": configMap("sig-b") }, "theirs", gnupg.git("stranger"));
    const key = await repository.inClone(["log", "-1", "--format=%GK"], gnupg.git());
    await fluxctl(fluxd, "sync");
    await fluxd.logged(`err="found invalid GPG signature for commit" revision=${bad} key=${key}`);

    const locked = await fluxctl(fluxd, ...lock);
    const planned = await fluxctl(
      fluxd,
      "release",
      "--dry-run",
      "--workload=deployment/sig",
      "--update-image=example.test/app:2",
    );

    assert.equal(locked.code, 1);
    assert.match(locked.stderr, /^Error: HEAD revision is unsigned\n/m);
    assert.equal(planned.code, 1);
    assert.match(
      planned.stderr,
      new RegExp(
        `HEAD is not a verified commit\\.[^]*The last verified commit was\n\n    ${good}\n\nHEAD is \n\n    ${bad}\\.`,
      ),
    );
    assert.equal(await repository.upstream("rev-parse", "master"), bad);
    assert.equal(await repository.synced(), good);
  });

  it("are required of what was merged, too, unless the mode is first-parent", async () => {
    const flux = gnupg.git("flux");
    await using repository = await TestRepository.create({ "a.yaml": configMap("sig-a") }, flux);
    // Git's order follows the time: within one second, a commit can come before its parent.
    const now = Date.now();
    const at = (seconds: number): { readonly env: NodeJS.ProcessEnv } => ({
      env: { GIT_COMMITTER_DATE: new Date(now + seconds * 1000).toISOString() },
    });
    const start = await repository.inClone(["rev-parse", "HEAD"]);
    await repository.inClone(["checkout", "-q", "-b", "side"]);
    await repository.push({ "side.yaml": configMap("sig-side") }, "unsigned, on the side", at(1));
    await repository.inClone(["checkout", "-q", "-"]);
    await repository.inClone(["merge", "-q", "--no-ff", "-S", "-m", "merged", "side"], {
      ...flux,
      env: { ...flux.env, ...at(2).env },
    });
    await repository.inClone(["push", "-q", "--force", repository.bare, "HEAD:refs/heads/master"]);
    const merged = await repository.inClone(["rev-parse", "HEAD"]);

    await using all = await started(repository, ...signing, "--git-verify-signatures-mode=all");
    await synced(repository, all, start);
    await all[Symbol.asyncDispose]();
    await using first = await started(repository, ...signing, "--git-verify-signatures-mode=first-parent");

    await synced(repository, first, merged);
  });

  it("are on fluxd's commits and sync tag, and the real git verifies them", async () => {
    await using repository = await TestRepository.create({ "a.yaml": deployment("sig") });
    await using fluxd = await started(
      repository,
      `--git-gpg-key-import=${keys.path}/keys`,
      "--git-signing-key=flux@example.test",
    );
    await fluxd.logged(/info="imported GPG key\(s\) from \S+\/keys" files=\[flux\.asc\]/);
    await synced(repository, fluxd, await repository.upstream("rev-parse", "master"));

    const { code, stderr } = await fluxctl(fluxd, ...lock);

    assert.equal(code, 0, stderr);
    await using other = await GnuPg.with();
    await other.trust(await gnupg.publicKey("flux"));
    const head = await repository.upstream("rev-parse", "master");
    await synced(repository, fluxd, head);
    await repository.inClone(["fetch", "-q", "--tags", "--force", repository.bare, "master"]);
    await repository.inClone(["verify-commit", head], other.git());
    await repository.inClone(["verify-tag", "flux-sync"], other.git());
    assert.equal(await repository.inClone(["log", "-1", "--format=%G?", head], other.git()), "G");
    const lines = secret.split("\n").filter((each) => each.length > 40);
    const holdsSecret = (text: string): boolean => lines.some((line) => text.includes(line));
    assert.ok(holdsSecret(secret));
    assert.ok(!holdsSecret(await toldBy(fluxd)));
    assert.deepEqual((await commandLines()).filter(holdsSecret), []);
    assert.deepEqual(await filesWith(fluxd.folder, holdsSecret), []);
  });

  /** Moves the sync tag, as somebody else who may push. */
  async function moveTag(repository: TestRepository, ...signed: Parameters<TestRepository["inClone"]>) {
    const [args, options] = signed;
    await repository.inClone(["tag", "--force", "-m", "m", ...args, "flux-sync"], options);
    await repository.inClone(["push", "-q", "--force", repository.bare, "flux-sync"]);
  }

  it("must be on the sync tag: a tag that somebody else moved stops everything until it's signed again", async () => {
    const flux = gnupg.git("flux");
    await using repository = await TestRepository.create({ "a.yaml": configMap("sig-a") }, flux);
    const bad = await repository.push({ "b.yaml": configMap("sig-b") }, "unsigned");
    await moveTag(repository, []);

    await using fluxd = await started(repository, "--git-verify-signatures", ...signing);

    await fluxd.logged(
      String.raw`err="verifying tag flux-sync: no signature found, full output:\n error: no signature found\n" key= reason="it isn't signed"`,
    );
    const { error, verified } = await verification(fluxd);
    assert.deepEqual(
      { error, verified },
      { error: "verifying tag flux-sync: no signature found (it isn't signed)", verified: "" },
    );
    await moveTag(repository, ["-s"], flux);
    const { stderr } = await fluxctl(fluxd, "sync");
    assert.match(
      stderr,
      new RegExp(`failed to verify signature of last sync'ed revision: failed to verify commit ${bad}`),
    );
  });

  it("are looked for again where the sync tag was deleted, after a restart", async () => {
    const flux = gnupg.git("flux");
    await using repository = await TestRepository.create({ "a.yaml": configMap("sig-a") }, flux);
    const good = await repository.inClone(["rev-parse", "HEAD"]);
    await using before = await started(repository, "--git-verify-signatures", ...signing);
    await synced(repository, before, good);
    await before[Symbol.asyncDispose]();
    await repository.push({ "b.yaml": configMap("sig-b") }, "unsigned");
    await repository.upstream("tag", "--delete", "flux-sync");

    await using fluxd = await started(repository, "--git-verify-signatures", ...signing);

    await synced(repository, fluxd, good);
  });

  it("of an old key are good as long as the key is imported, also after a restart with a new key", async () => {
    const old = gnupg.git("stranger");
    await using repository = await TestRepository.create({ "a.yaml": configMap("sig-a") }, old);
    const first = await repository.inClone(["rev-parse", "HEAD"]);
    await moveTag(repository, ["-s"], old);
    const second = await repository.push({ "b.yaml": configMap("sig-b") }, "two", gnupg.git("flux"));

    await using onlyNew = await started(repository, "--git-verify-signatures", ...signing);
    await onlyNew.logged('err="verifying tag flux-sync: exit status 1"');
    assert.equal(await repository.synced(), first);
    await onlyNew[Symbol.asyncDispose]();

    const [newKey = "", ...rest] = signing;
    const oldKey = keys.write("old.asc", await gnupg.secretKey("stranger"));
    await using both = await started(repository, "--git-verify-signatures", `${newKey},${oldKey}`, ...rest);
    await synced(repository, both, second);
  });

  it("of SSH are good with a file of allowed signers, which can change while fluxd runs", async () => {
    using ssh = new SshSigning("flux", "dev");
    const options = { config: [...ssh.config("dev"), "commit.gpgSign=true"] };
    const allowed = ssh.allow("flux");
    await using repository = await TestRepository.create({ "a.yaml": deployment("sig") }, options);
    const head = await repository.inClone(["rev-parse", "HEAD"]);

    await using fluxd = await started(
      repository,
      "--git-verify-signatures",
      `--git-ssh-allowed-signers=${allowed}`,
      `--git-signing-key=${ssh.key("flux")}`,
    );
    await fluxd.logged(`err="found invalid GPG signature for commit" revision=${head}`);
    ssh.allow("flux", "dev");
    await fluxctl(fluxd, "sync");
    await synced(repository, fluxd, head);
    const { code, stderr } = await fluxctl(fluxd, ...lock);

    assert.equal(code, 0, stderr);
    const locked = await repository.upstream("rev-parse", "master");
    await synced(repository, fluxd, locked);
    await repository.inClone(["fetch", "-q", "--tags", "--force", repository.bare, "master"]);
    await repository.inClone(["verify-commit", locked], { config: ssh.config() });
    await repository.inClone(["verify-tag", "flux-sync"], { config: ssh.config() });
  });
});

/** What fluxd says about the signatures on the branch. */
async function verification({ apiUrl }: Fluxd): Promise<VerificationReport> {
  const client = new ApiClient({ url: new URL(apiUrl), token: "", env: {} });
  try {
    return await client.verification(AbortSignal.timeout(120_000));
  } finally {
    client.close();
  }
}

/** Tells fluxd to look, and waits until it has synced a commit. */
async function synced(repository: TestRepository, fluxd: Fluxd, revision: string): Promise<void> {
  await until("fluxd to listen", () => fluxd.log.includes("event=refreshed"));
  await fluxd.notify(repository.url);
  await until(`${revision} to be synced`, async () => (await repository.synced()) === revision).catch(
    (error: unknown) => {
      throw new Error(`${String(error)}; the log is:\n${fluxd.log}`, { cause: error });
    },
  );
}
