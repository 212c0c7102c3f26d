import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Bom, LicenseChoice } from "../../../dev/release/supply/boms.ts";
import { modulesIn, withModuleLicenses } from "../../../dev/release/supply/module-licenses.ts";

/** An SBOM with a module, of which files have these licenses. */
function bomOf(purl: string, files: Readonly<Record<string, string>>): Bom {
  const licenses = Object.entries(files).map(([file, id]) => ({
    license: { id, url: `file://$GOPATH/pkg/mod/example.test/module@v1.2.3/${file}` },
  }));
  return { components: [{ type: "library", name: "module", version: "v1.2.3", purl, licenses }] };
}

/** The licenses that the module turns out to have. */
function licensesOf(bom: Bom): readonly LicenseChoice[] {
  return withModuleLicenses(bom).components?.[0]?.licenses ?? [];
}

const purl = "pkg:golang/example.test/module@v1.2.3";

describe("a module of Go in an SBOM", () => {
  it("has the licenses of its code, each once", () => {
    const found = licensesOf(
      bomOf(purl, { LICENSE: "MIT", "third/LICENSE.libyaml": "MIT", "other/COPYING.txt": "ISC" }),
    );

    assert.deepEqual(
      found.map(({ license }) => license?.id),
      ["MIT", "ISC"],
    );
  });

  for (const file of [
    "license_test.go",
    "cobra/license_agpl.go",
    "testdata/chart/LICENSE",
    "NOTICE",
    "NOTICE.txt",
    "LICENSE.docs",
    "LICENSE_TEMPLATE",
    "logo/LICENSE",
    "license.yml",
  ]) {
    it(`doesn't have that of ${file}`, () => {
      assert.deepEqual(licensesOf(bomOf(purl, { [file]: "AGPL-3.0-only" })), []);
    });
  }

  it("has the one that people found if there's no other", () => {
    const known = "pkg:golang/go.mozilla.org/gopgagent@v0.0.0";

    assert.deepEqual(licensesOf(bomOf(known, {})), [{ license: { id: "Apache-2.0" } }]);
    assert.deepEqual(licensesOf(bomOf(purl, {})), []);
  });

  it("is judged by all of its licenses", () => {
    const bom = withModuleLicenses(bomOf(purl, { LICENSE: "MIT", "sub/LICENSE": "GPL-3.0-only" }));

    assert.deepEqual(modulesIn(bom), [
      { name: "example.test/module", version: "v1.2.3", license: "MIT AND GPL-3.0-only" },
    ]);
  });

  it("isn't a package of another kind", () => {
    const bom = bomOf("pkg:deb/debian/git@1", { NOTICE: "GPL-2.0-only" });

    assert.deepEqual(withModuleLicenses(bom), bom);
    assert.deepEqual(modulesIn(bom), []);
  });
});
