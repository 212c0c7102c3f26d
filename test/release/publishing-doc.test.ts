import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { TempFolder } from "@weir/testing";
import { checksumsFile, checksumsOf, printChecksums } from "../../dev/release/checksums.ts";
import { downloadsStep } from "../../dev/release/downloads.ts";
import { releaseContext } from "../support/release-context.ts";
import { codeBelow } from "./support/code-blocks.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/releasing.md"), "utf8");

/** What steps made, by the folders that they have it in. */
const made = [
  ...["bin/fluxctl_1.2.3_linux_amd64.tar.gz", "bin/fluxctl.rb", "bin/weir-fluxctl_1.2.3_amd64.deb"],
  ...[
    "chart/weir-1.2.3.tgz",
    "chart/weir-console-1.2.3.tgz",
    "docs/weir-docs-1.2.3.tar.gz",
    "monitoring/weir-monitoring-1.2.3.tar.gz",
  ],
  ...["images/digests.txt", "packages/weir-1.2.3.tgz", "packages/weir-engine-1.2.3.tgz"],
  ...["sbom/image-weir.cdx.json", "release-notes.md", "THIRD-PARTY-NOTICES.txt"],
];

describe("what people download of a release", () => {
  it("is published as docs/releasing.md says: signed images, packages, a chart, and files without folders", async () => {
    using folder = new TempFolder();
    const context = releaseContext(folder.path, { out: join(folder.path, "dist", "release", "1.2.3") });
    writeMade(context.out, made);
    await downloadsStep(context);
    const checksums = printChecksums(await checksumsOf(context.out, context.signal));
    writeFileSync(join(context.out, checksumsFile), checksums);
    for (const program of ["npm", "helm", "gh"]) {
      folder.write(`programs/${program}`, `#!/bin/sh\necho ${program} "$@"\n`, 0o755);
    }

    const { stdout } = await promisify(execFile)("sh", ["-euc", codeBelow(page, "Publish", "sh")], {
      cwd: folder.path,
      env: { PATH: `${join(folder.path, "programs")}:${process.env["PATH"] ?? ""}` },
    });

    const attached = [
      ...["THIRD-PARTY-NOTICES.txt", "checksums.txt", "fluxctl.rb", "fluxctl_1.2.3_linux_amd64.tar.gz"],
      ...[
        "image-weir.cdx.json",
        "verify-release.sh",
        "weir-1.2.3.tgz",
        "weir-console-1.2.3.tgz",
        "weir-docs-1.2.3.tar.gz",
      ],
      ...["weir-fluxctl_1.2.3_amd64.deb", "weir-monitoring-1.2.3.tar.gz"],
    ];
    const lines = stdout.trimEnd().split("\n");
    const files = lines.pop() ?? "";
    assert.deepEqual(lines, [
      "npm run publish-images -- --version 1.2.3 --key cosign.key",
      "npm publish --access=public packages/weir-1.2.3.tgz",
      "npm publish --access=public packages/weir-engine-1.2.3.tgz",
      "helm push weir-1.2.3.tgz oci://docker.io/weirdev/charts",
      "helm push weir-console-1.2.3.tgz oci://docker.io/weirdev/charts",
    ]);
    const [command = "", ...names] = files.split(" ./");
    assert.equal(command, "gh release create v1.2.3 --verify-tag --notes-file=release-notes.md");
    assert.deepEqual(names.toSorted(), attached.toSorted());
  });

  for (const [why, names, message] of [
    [
      "two files have the same name",
      ["bin/a.txt", "sbom/a.txt"],
      /two files of the release are called a\.txt/,
    ],
    [
      "a Git host would rename a file",
      ["bin/weir_1.0~rc.1.deb"],
      /Git hosts would rename weir_1\.0~rc\.1\.deb/,
    ],
  ] as const) {
    it(`can't be made if ${why}`, () => {
      using folder = new TempFolder();
      const context = releaseContext(folder.path);
      writeMade(context.out, names);

      assert.throws(() => void downloadsStep(context), message);
    });
  }
});

function writeMade(out: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(out, path, ".."), { recursive: true });
    writeFileSync(join(out, path), path);
  }
}
