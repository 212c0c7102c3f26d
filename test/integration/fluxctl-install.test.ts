import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { callFluxctl } from "../support/fluxctl.ts";

const repository = ["--git-url=git@example.test:org/repo", "--git-email=flux@example.test"];

describe("fluxctl install", () => {
  it("writes a file for each part where a folder is named", async () => {
    using folder = new TempFolder();

    const { exit, stdout, stderr } = await callFluxctl(["install", ...repository, "-o", folder.path]);

    const names = await readdir(folder.path);
    assert.deepEqual(
      [exit, stdout, names.toSorted()],
      [
        0,
        "",
        [
          "flux-account.yaml",
          "flux-deployment.yaml",
          "flux-secret.yaml",
          "memcache-dep.yaml",
          "memcache-svc.yaml",
        ],
      ],
    );
    assert.deepEqual(
      stderr.match(/^writing .*$/gm)?.toSorted(),
      names.toSorted().map((name) => `writing ${join(folder.path, name)}`),
    );
    const printed = await callFluxctl(["install", ...repository]);
    const written = await Promise.all(names.map((name) => readFile(join(folder.path, name), "utf8")));
    assert.deepEqual(documentsIn(printed.stdout), documentsIn(written.join("")));
  });

  it("writes nothing where there is no such folder", async () => {
    using folder = new TempFolder();
    const file = folder.write("file", "");

    for (const [path, message] of [
      [`${folder.path}/none`, `stat ${folder.path}/none: no such file or directory`],
      [file, `${file} is not a directory`],
    ] as const) {
      const { exit, stdout, stderr } = await callFluxctl(["install", ...repository, "-o", path]);

      assert.deepEqual(
        [exit, stdout, stderr],
        [1, "", `Error: ${message}\nRun 'fluxctl install --help' for usage.\n`],
      );
    }
  });

  it("is for the namespace of the kubeconfig's context where none is named", async () => {
    using folder = new TempFolder();
    const kubeconfig = {
      "current-context": "here",
      contexts: [{ name: "here", context: { cluster: "c", user: "u", namespace: "gitops" } }],
    };
    const env = { KUBECONFIG: folder.write("config", JSON.stringify(kubeconfig)) };

    const [found, named] = [
      await callFluxctl(["install", ...repository], env),
      await callFluxctl(["install", ...repository, "--namespace=flux"], env),
    ];

    assert.deepEqual(new Set(found.stdout.match(/(?<=^ +namespace: ).*/gm)), new Set(["gitops"]));
    assert.deepEqual(new Set(named.stdout.match(/(?<=^ +namespace: ).*/gm)), new Set(["flux"]));
  });

  it("warns of a password that would stand in the Deployment, without showing it on the screen", async () => {
    const { exit, stderr } = await callFluxctl([
      "install",
      "--git-url=https://jo:c4n4ry@example.test/r",
      "--git-email=a@example.test",
    ]);

    assert.equal(exit, 0);
    assert.match(stderr, /\nWarning: the Deployment contains the password from --git-url/);
    assert.ok(!stderr.includes("c4n4ry"));
  });
});

/** In the order of their text. */
function documentsIn(text: string): readonly string[] {
  return text.split(/^(?=---$)/m).toSorted();
}
