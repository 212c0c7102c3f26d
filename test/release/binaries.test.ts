import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { type BorrowedControlPlane, borrowControlPlane, lacks, TempFolder } from "@weir/testing";
import { type Program, releaseName } from "../../dev/release/binaries/platforms.ts";
import { executableOf } from "../../dev/release/binaries/release-program.ts";
import type { ReleaseContext } from "../../dev/release/context.ts";
import { releaseContext } from "../support/release-context.ts";
import { codeBelow } from "./support/code-blocks.ts";
import { DebianRoot } from "./support/debian-root.ts";
import { linux, type PublishedRelease, publish, releaseForLinux } from "./support/released-binaries.ts";
import { makeKey } from "./support/test-key.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "docs", "install.md"), "utf8");
const verifyingPage = readFileSync(join(root, "docs", "verifying.md"), "utf8");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
};

function unable(): string | false {
  if (process.platform !== "linux" || process.arch !== "x64" || process.getuid?.() !== 0) {
    return "needs root on Linux, on amd64";
  }
  return lacks("mmdebstrap") || lacks("Go");
}

describe("the released programs", { skip: unable() }, () => {
  const folder = new TempFolder();
  const key = makeKey();
  let context: ReleaseContext;
  let made: readonly string[];
  let site: PublishedRelease;
  let plane: BorrowedControlPlane;
  before(async () => {
    context = releaseContext(folder.path, { version });
    made = await releaseForLinux(context);
    ["checksums.txt", "provenance.intoto.json"].forEach((file) => key.sign(join(context.out, file)));
    site = await publish(context.out);
    plane = await borrowControlPlane();
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    await plane.stop();
    folder[Symbol.dispose]();
  });

  function executable(program: Program): string {
    return join(context.work, "binaries", releaseName(program, version, linux), program);
  }

  /** The commands of chapters of the page, with the address of this release. */
  function commands(...chapters: readonly string[]): string {
    return ["Choose a release", ...chapters]
      .map((chapter) => codeBelow(page, chapter, "sh"))
      .join("")
      .replace(/^export WEIR_URL=.*$/m, `export WEIR_URL=${site.url}`)
      .replace(/^export VERSION=.*$/m, `export VERSION=${version}`);
  }

  async function emptyMachine(): Promise<DebianRoot> {
    const machine = await DebianRoot.create();
    await machine.write("root/.kube/config", kubeconfigOf(plane));
    return machine;
  }

  it("are installed from archives as the page says, on a machine without Node.js", async () => {
    using machine = await emptyMachine();
    assert.notEqual((await machine.run("type node || type npm")).code, 0);

    const { code, output } = await machine.run(commands("Linux", "Check the installation"));

    assert.equal(code, 0, output);
    assert.match(output, new RegExp(`^fluxctl_${version}_linux_amd64.tar.gz: OK$`, "m"));
    assert.match(output, new RegExp(`^\\+ fluxctl version\\n${RegExp.escape(version)}$`, "m"));
    assert.match(output, /^passed +permissions/m);
  });

  it("are verified as the page says, with the key that signed them, and not with another one", async () => {
    using machine = await emptyMachine();
    await machine.write("root/cosign.pub", key.pem);
    const script = `mkdir release; cd release
      ${commands("Linux").split(/^sudo|^tar/m)[0]}
      ${codeBelow(verifyingPage, "Files", "sh")}`;

    const verified = await machine.run(script);
    await machine.write("root/cosign.pub", makeKey().pem);
    const refused = await machine.run(`cd release
${commands()}${codeBelow(verifyingPage, "Files", "sh")}`);

    assert.equal(verified.code, 0, verified.output);
    assert.match(verified.output, /^ok: 3 of \d+ files are here, and have their checksums$/m);
    assert.match(verified.output, /^verified$/m);
    assert.notEqual(refused.code, 0);
    assert.match(refused.output, /^FAILED: checksums\.txt isn't signed with this key: /m);
  });

  it("aren't installed if an archive was changed", async () => {
    using machine = await emptyMachine();
    const damaged = join(folder.path, "damaged");
    const archive = `fluxctl_${version}_linux_amd64.tar.gz`;
    await mkdir(damaged);
    await copyFile(join(context.out, "checksums.txt"), join(damaged, "checksums.txt"));
    await writeFile(join(damaged, archive), "something else");
    await using other = await publish(damaged);

    const script = commands("Linux").replace(site.url, other.url);
    const { code, output } = await machine.run(script);

    assert.notEqual(code, 0);
    assert.match(output, new RegExp(`^${RegExp.escape(archive)}: FAILED$`, "m"));
    assert.doesNotMatch(output, /^\+ sudo install/m);
  });

  it("are installed and removed as Debian packages, with manual pages that have no errors", async () => {
    using machine = await emptyMachine();
    const before = await filesOf(machine);
    const [install = "", remove = ""] = commands("Debian and Ubuntu").split(/(?=^sudo apt-get remove)/m);

    const installed = await machine.run(
      `${install}
       ${codeBelow(page, "Check the installation", "sh")}
       apt-get install --yes ./weir-fluxctl*.deb
       for page in /usr/share/man/man1/fluxctl*; do
         man --warnings --encoding=UTF-8 --local-file "$page" >/dev/null
       done
       ls -l /usr/bin/fluxctl /usr/share/bash-completion/completions/fluxctl`,
    );
    const removed = await machine.run(remove);

    assert.equal(installed.code, 0, installed.output);
    assert.match(installed.output, /^passed +permissions/m);
    assert.doesNotMatch(installed.output, /warning: (?!apt)/);
    assert.equal(removed.code, 0, removed.output);
    assert.deepEqual(await filesOf(machine), before);
  });

  it("are both in Debian packages", async () => {
    using machine = await emptyMachine();
    const daemon = made.find((path) => /weir-fluxd_.*\.deb$/.test(path)) ?? "";
    await machine.add(daemon, "root/fluxd.deb");

    const { code, output } = await machine.run(
      `dpkg --install fluxd.deb
       man --warnings --encoding=UTF-8 fluxd >/dev/null
       ${codeBelow(page, "fluxd outside a cluster", "sh")}`,
    );

    assert.equal(code, 0, output);
    assert.doesNotMatch(output, /warning:/);
    assert.match(output, new RegExp(`^\\+ fluxd --version\\n${RegExp.escape(version)}$`, "m"));
  });

  it("are packages of which lintian has nothing to say", { skip: lacks("lintian") }, async () => {
    const packages = made.filter((path) => path.endsWith(".deb"));

    const said = await Promise.all(
      packages.map(async (path) => {
        const options = ["--allow-root", "--fail-on=error,warning", "--tag-display-limit=0"];
        // It ends with 2 if it complains.
        const ended = await run("lintian", [...options, path]).catch((error: unknown) => error);
        return (ended as { readonly stdout: string }).stdout;
      }),
    );

    assert.equal(packages.length, 2);
    assert.deepEqual(said, ["", ""]);
  });

  it("are the same to the byte when they are built again elsewhere", async () => {
    const again = join(mkdtempSync(join(folder.path, "again-")), "fluxctl");

    await executableOf({ program: "fluxctl", platform: linux }, again, context.signal);

    assert.ok((await readFile(again)).equals(await readFile(executable("fluxctl"))));
  });

  it("pass tests of what they load on demand: screens, data, ciphers, signatures", async () => {
    const programs = join(folder.path, "programs");
    await mkdir(programs);
    for (const program of linux.programs) {
      await symlink(executable(program), join(programs, program));
    }
    const chosen = {
      "full/terminal/top.test.ts": "shows a pushed change at once, follows the size",
      "e2e/diff-offline.test.ts": "exits with 0, 1, or 2, like diff",
      "e2e/signatures.test.ts": "of strangers aren't good",
      "e2e/sops.test.ts": "applies decrypted files",
    };
    // Without the variable by which this process is a part of another test run.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, WEIR_TEST_PROGRAMS: programs };

    const { stdout } = await run(
      process.execPath,
      [
        "--import=@weir/testing/test-process",
        "--test",
        "--test-reporter=tap",
        ...Object.values(chosen).map((name) => `--test-name-pattern=${name}`),
        ...Object.keys(chosen).map((file) => join(root, "test", file)),
      ],
      { cwd: root, env, maxBuffer: 1 << 26 },
    );

    assert.match(stdout, /^# pass 4\n# fail 0$/m);
  });

  it("start with the code that was compiled in advance", async () => {
    for (const [program, argument] of [
      ["fluxctl", "version"],
      ["fluxd", "--version"],
    ] as const) {
      const { stderr } = await run(executable(program), [argument], { env: { NODE_DEBUG: "weir" } });

      assert.match(stderr, new RegExp(`: ${program}\\.cjs: code used\n$`));
    }
  });

  it("come with licenses, manual pages, and completions", async () => {
    const archives = made.filter((path) => path.endsWith(".tar.gz"));
    const listed = await Promise.all(archives.map(async (path) => (await run("tar", ["-tzf", path])).stdout));

    assert.deepEqual(
      archives.map((path) => basename(path)),
      [`fluxctl_${version}_linux_amd64.tar.gz`, `fluxd_${version}_linux_amd64.tar.gz`],
    );
    for (const [index, program] of linux.programs.entries()) {
      const names = (listed[index] ?? "").replaceAll(`${program}_${version}_linux_amd64/`, "").split("\n");
      const legal = ["LICENSE", "LICENSE.node.txt", "NOTICE", "THIRD-PARTY-NOTICES.txt"];
      const others = ["completions/_fluxctl", "completions/fluxctl.bash", "completions/fluxctl.fish"];
      const wanted = [
        program,
        ...legal,
        ...(program === "fluxctl" ? [...others, "man/man1/fluxctl.1"] : ["man/man8/fluxd.8"]),
      ];
      assert.deepEqual(
        wanted.filter((name) => !names.includes(name)),
        [],
      );
    }
  });
});

/** One that names no other file. */
function kubeconfigOf({ url, token, ca }: BorrowedControlPlane): string {
  const authority = Buffer.from(ca).toString("base64");
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
    clusters: [{ name: "test", cluster: { server: url, "certificate-authority-data": authority } }],
    users: [{ name: "admin", user: { token } }],
  });
}

/** All files of a machine but those that apt and dpkg keep of their work, and what root downloaded. */
async function filesOf(machine: DebianRoot): Promise<readonly string[]> {
  const kept = "/proc /dev /root /var/log /var/lib/apt /var/lib/dpkg /var/cache".split(" ");
  const except = kept.map((path) => `-path ${path} -prune -o`).join(" ");
  const { output } = await machine.run(`find / ${except} -print 2>/dev/null | sort`);
  return output.split("\n").filter((line) => line.startsWith("/"));
}
