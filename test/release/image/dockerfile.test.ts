import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { findProgram, lacks } from "@weir/testing";
import type { Architecture } from "../../../dev/release/images/architecture.ts";
import { DockerfileImage } from "../../support/images/dockerfile-image.ts";
import { ownArchitecture } from "../../support/images/own-architecture.ts";
import { deliveredImage } from "../../support/pods/delivered-image.ts";

const lacking =
  (deliveredImage() === undefined && "compares with a delivered image: npm run test:release -- image") ||
  (findProgram("buildah") === undefined && "needs buildah: install buildah") ||
  lacks("mmdebstrap");

/** Packages of the Dockerfile's base image that nothing in ours uses: for disks, and libraries of these programs. */
const ofBaseImage = ["e2fsprogs", "libext2fs2", "libss2", "logsave", "mount"];

/** What only the base image of these tests has. */
const ofTheseTests = /^npm-cache$|^etc\/(?:apt\/|dpkg\/dpkg\.cfg\.d\/|hosts$|hostname$|resolv\.conf$)/;

/** What differs on purpose, see docs/image.md. Each has its reason. */
const onPurpose: readonly RegExp[] = [
  ofTheseTests,
  // npm is only in the base image, which has the license of Node.js there, too.
  /^usr\/local\/(?:bin\/npm$|lib\/node_modules|etc\/npmrc$|LICENSE$)/,
  // dpkg, apt, debconf, and ldconfig: what they keep of their own work.
  /^var\/lib\/(?:dpkg|apt)\/|^var\/cache\/|^var\/log\/|^etc\/ld\.so\.cache$|^run\/adduser$/,
  // Services, of which none runs in a container.
  /^etc\/rc.\.d\/|^etc\/systemd\/|^var\/lib\/systemd/,
  // Logging in, which nobody does: passwords, shells, and PAM.
  /^etc\/(?:(?:passwd|group|shadow|gshadow|subuid|subgid)-?|\.pwd\.lock|shells|environment|motd|fstab|inputrc|hosts\.(?:allow|deny)|security\/opasswd|pam\.d\/common-.*)$/,
  /^var\/lib\/(?:pam|shells\.state)/,
  // Links to manual pages, which are left out, and tar's for tape drives.
  /^etc\/alternatives\/(?:.*\.\dgz|.*\.[178]\.gz|.*\.\w\w1\.gz|rmt)$|^usr\/sbin\/rmt$/,
  // What only people read: dpkg leaves its folders and links.
  /^usr\/share\/doc\/[^/]+\/(?!copyright$)|^usr\/share\/info\/dir$/,
  // Only hinders other programs from looking into the memory of an agent.
  /^usr\/bin\/ssh-agent$/,
];

describe("the image that the Dockerfile makes", { skip: lacking }, () => {
  const started = new DisposableStack();
  let image: DockerfileImage;
  let delivered: string;
  let theirs: ReadonlyMap<string, string>;
  let ours: ReadonlyMap<string, string>;
  before(async () => {
    const { signal } = new AbortController();
    image = started.use(await DockerfileImage.build(ownArchitecture as Architecture, signal));
    delivered = deliveredImage()?.rootfs ?? "";
    const extra = await filesOfPackages(image.rootfs, ofBaseImage);
    const isCompared = (path: string): boolean => !onPurpose.some((reason) => reason.test(path));
    ours = await listOf(delivered, isCompared);
    theirs = await listOf(image.rootfs, (path) => isCompared(path) && (ours.has(path) || !extra.has(path)));
  });
  after(() => started.dispose());

  it("has the same packages in the same versions, and few more", async () => {
    const [made, released] = [await packagesIn(image.rootfs), await packagesIn(delivered)];
    const nameOf = (line: string): string => line.split(" ")[0] ?? "";

    const expected = [...released, ...made.filter((line) => ofBaseImage.includes(nameOf(line)))];

    assert.deepEqual(made, expected.toSorted());
  });

  it("has the same files, folders, and links, with the same rights and owners", () => {
    assert.ok(ours.size > 5_000);
    assert.deepEqual(differences(theirs, ours), []);
  });

  it("has the same in its files", () => {
    const files = [...ours].filter(([, what]) => what.startsWith("f ")).map(([path]) => path);
    assert.ok(files.includes("opt/weir/lib/fluxd.cjs"));

    const different = files.filter((path) => hashOf(image.rootfs, path) !== hashOf(delivered, path));

    assert.deepEqual(
      different,
      ["etc/ca-certificates.conf"].filter((path) => different.includes(path)),
    );
  });

  it("starts the same program in the same way", () => {
    const { Entrypoint, WorkingDir, Env, User } = image.config;
    const { command, dir, env, user } = deliveredImage() ?? {};

    assert.deepEqual(Entrypoint, command);
    assert.equal(WorkingDir, dir);
    assert.deepEqual(Env, [`PATH=${env?.["PATH"] ?? ""}`]);
    assert.deepEqual([User, user], ["1000:1000", 1000]);
  });

  it("has the same users and groups, without passwords", () => {
    for (const name of ["etc/passwd", "etc/group"]) {
      const [made, released] = [image.rootfs, delivered].map((root) =>
        readFileSync(join(root, name), "utf8").replaceAll(/^([\w-]+):[x*]:/gm, "$1::"),
      );

      assert.equal(made, released);
    }
  });
});

/** What each path is, e.g. "f 755 0:0 ": its type, rights, owner, group, and where a link leads. */
async function listOf(
  rootfs: string,
  isCompared: (path: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const skipped = ["proc", "sys", "dev"].flatMap((name) => ["-path", `./${name}`, "-prune", "-o"]);
  const printed = await run(
    "find",
    [".", ...skipped, "-mindepth", "1", "-printf", "%P\\t%y %m %U:%G %l\\n"],
    rootfs,
  );
  const entries = printed
    .split("\n")
    .map((line) => line.split("\t"))
    .map(([path = "", what = ""]) => [path, what] as const);
  return new Map(entries.filter(([path]) => path !== "" && isCompared(path)));
}

/** "name version" for each package, sorted. */
async function packagesIn(rootfs: string): Promise<readonly string[]> {
  const format = "--showformat=${Package} ${Version}\\n";
  const printed = await run("dpkg-query", [`--admindir=${rootfs}/var/lib/dpkg`, "--show", format], "/");
  return printed.trim().split("\n").toSorted();
}

async function filesOfPackages(rootfs: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const printed = await run(
    "dpkg-query",
    [`--admindir=${rootfs}/var/lib/dpkg`, "--listfiles", ...names],
    "/",
  );
  return new Set(printed.split("\n").map((path) => path.slice(1).replace(/^(s?bin|lib|lib64)\//, "usr/$1/")));
}

function differences(
  made: ReadonlyMap<string, string>,
  released: ReadonlyMap<string, string>,
): readonly string[] {
  const paths = [...new Set([...made.keys(), ...released.keys()])].toSorted();
  return paths
    .filter((path) => made.get(path) !== released.get(path))
    .map(
      (path) => `${path}: Dockerfile ${made.get(path) ?? "none"}, released ${released.get(path) ?? "none"}`,
    );
}

function hashOf(rootfs: string, path: string): string {
  return createHash("sha256")
    .update(readFileSync(join(rootfs, path)))
    .digest("hex");
}

async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  return (await promisify(execFile)(program, args, { cwd, maxBuffer: 64 * 1024 * 1024 })).stdout;
}
