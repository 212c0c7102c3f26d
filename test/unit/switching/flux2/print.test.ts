import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { exportToFlux2 } from "../../../../src/switching/flux2/export.ts";
import { printExport, printNotes } from "../../../../src/switching/flux2/print.ts";
import { exportedInstall, exportedWorkload } from "../../../support/flux2-install.ts";

describe("printExport", () => {
  it("prints documents that hold the objects, whatever stands in the comments", () => {
    const { exported, pod } = anExport("a\nkind: Evil\u2028b\u001b[2J");

    const text = printExport(exported, pod);

    assert.deepEqual(
      parseAllDocuments(text).flatMap((document): readonly unknown[] => {
        const value: unknown = document.toJS();
        return value === null ? [] : [value];
      }),
      exported.objects.map(({ object }) => object),
    );
    assert.doesNotMatch(text, /^kind: Evil|\u001b/m);
  });

  it("keeps commands and markers in one line each", () => {
    const { exported, pod } = anExport("later");

    const lines = printExport(exported, pod).split("\n");

    for (const command of [
      "flux install ",
      "kubectl create secret generic shop-git-auth ",
      "kubectl scale deployment/flux -n flux --replicas=0",
    ]) {
      assert.equal(lines.filter((line) => line.startsWith(`#     ${command}`)).length, 1, command);
    }
    assert.ok(
      lines.includes(
        '#     image: example.test/org/web:1 # {"$imagepolicy": "flux-system:default-web-main"}',
      ),
    );
    assert.ok(lines.every((line) => line.length < 116 || line.startsWith("#     ")));
  });
});

describe("printNotes", () => {
  it("names what is not carried over, with what to do", () => {
    const { exported, pod } = anExport("later");

    const notes = printNotes(exported, pod);

    const at = notes.indexOf("- default:deployment/db: locked (later); Flux v2 has no locks.");
    assert.match(notes[at + 1] ?? "", /^ {4}To do: leave the markers out/);
  });
});

function anExport(lockMessage: string) {
  const install = exportedInstall(
    ["--git-url=git@github.com:org/shop"],
    [
      exportedWorkload({ policies: { automated: "true" }, tags: ["1", "2"] }),
      exportedWorkload({
        id: "default:deployment/db",
        policies: { locked: "true", locked_msg: lockMessage },
      }),
    ],
  );
  return { exported: exportToFlux2(install, { namespace: "flux-system", gitUrl: "" }), pod: install.pod };
}
