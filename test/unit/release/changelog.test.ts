import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changelogEntry, unreleasedEntry, withRelease } from "../../../dev/release/changelog.ts";

const changelog =
  "# Changelog\n\n## Unreleased\n\n### fluxd\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n";

describe("the changelog", () => {
  it("has one entry for each version, and what is unreleased", () => {
    assert.equal(changelogEntry(changelog, "0.1.0"), "- First.");
    assert.equal(changelogEntry(changelog, "0.1"), undefined);
    assert.equal(unreleasedEntry(changelog), "### fluxd\n\n- New.");
    assert.equal(unreleasedEntry("# Changelog\n"), "");
  });

  it("gets an entry from what is unreleased, once", () => {
    const next = withRelease(changelog, "0.2.0", "2026-03-31");

    assert.equal(next, changelog.replace("## Unreleased\n", "## Unreleased\n\n## 0.2.0 (2026-03-31)\n"));
    assert.equal(changelogEntry(next, "0.2.0"), "### fluxd\n\n- New.");
    assert.equal(unreleasedEntry(next), "");
    assert.equal(withRelease(next, "0.2.0", "2027-01-01"), next);
  });
});
