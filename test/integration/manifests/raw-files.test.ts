import assert from "node:assert/strict";
import { chmodSync, linkSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseImageRef, parseResourceId } from "@weir/flux";
import { TempFolder } from "@weir/testing";
import { replaceFileInside } from "../../../src/manifests/files/write-file.ts";
import { RawFiles } from "../../../src/manifests/raw-files.ts";
import { configMap, deployment } from "../../support/manifests.ts";
import { scopes } from "../../support/parsed-manifests.ts";

const web = parseResourceId("default:deployment/web");
const { signal } = new AbortController();

describe("RawFiles", () => {
  it("writes an image into the file that names it, and sees it then", async () => {
    using folder = new TempFolder();
    const path = folder.write(
      "app/web.yaml",
      `# kept\n${configMap("c")}---\n${deployment("web", "org/app:1")}`,
      0o640,
    );
    const store = storeOf(folder);

    await store.setWorkloadImage(web, "main", parseImageRef("org/app:2"), signal);

    const { resources } = await store.resources(signal);
    assert.equal(resources.get(web)?.containers?.[0]?.image.tag, "2");
    assert.match(readFileSync(path, "utf8"), /# kept[^]*image: org\/app:2/);
    assert.equal(lstatSync(path).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(join(folder.path, "app")), ["web.yaml"]);
  });

  it("writes policies, one after the other, and says whether anything changed", async () => {
    using folder = new TempFolder();
    const path = folder.write("web.yaml", `---\n${deployment("web")}`);
    const store = storeOf(folder);
    const automate = { add: { automated: "true" }, remove: null };

    const changed = [
      await store.updateWorkloadPolicies(web, automate, signal),
      await store.updateWorkloadPolicies(web, automate, signal),
      await store.updateWorkloadPolicies(
        web,
        { add: { tag_all: "semver:1" }, remove: { automated: "" } },
        signal,
      ),
    ];

    const { resources } = await store.resources(signal);
    assert.deepEqual(changed, [true, false, true]);
    assert.deepEqual(resources.get(web)?.policies, { "tag.main": "semver:1" });
    assert.match(readFileSync(path, "utf8"), /annotations:\n {4}fluxcd.io\/tag.main: semver:1\n/);
  });

  it("says so where a resource is not there, and leaves files as they are where an edit fails", async () => {
    using folder = new TempFolder();
    const text = deployment("web");
    const path = folder.write("web.yaml", text);
    const store = storeOf(folder);

    await assert.rejects(
      store.updateWorkloadPolicies(parseResourceId("a:b/c"), { add: {}, remove: {} }, signal),
      {
        name: "ResourceNotFoundError",
        message: "resource a:b/c not found",
      },
    );
    await assert.rejects(store.setWorkloadImage(web, "gone", parseImageRef("x"), signal), {
      name: "ManifestNotFoundError",
    });
    assert.equal(readFileSync(path, "utf8"), text);
  });

  it("writes to the file that a link in the checkout names, and keeps the link", async () => {
    using folder = new TempFolder();
    const real = folder.write("real.txt", `---\n${deployment("web", "org/app:1")}`);
    symlinkSync("real.txt", join(folder.path, "web.yaml"));

    await storeOf(folder).setWorkloadImage(web, "main", parseImageRef("org/app:2"), signal);

    assert.match(readFileSync(real, "utf8"), /org\/app:2/);
    assert.ok(lstatSync(join(folder.path, "web.yaml")).isSymbolicLink());
  });
});

describe("replaceFileInside", () => {
  it("does not write through a link out of the checkout", async () => {
    using outside = new TempFolder();
    using folder = new TempFolder();
    const target = outside.write("x.yaml", "theirs");
    symlinkSync(target, join(folder.path, "x.yaml"));

    await assert.rejects(replaceFileInside(folder.path, join(folder.path, "x.yaml"), "ours"), {
      name: "UnwritableFileError",
      message: `unable to write file at "${join(folder.path, "x.yaml")}": it leads out of the repository`,
    });
    assert.equal(readFileSync(target, "utf8"), "theirs");
  });

  it("does not write to a file that has another name elsewhere", async () => {
    using outside = new TempFolder();
    using folder = new TempFolder();
    const other = outside.write("x.yaml", "theirs");
    const path = join(folder.path, "x.yaml");
    linkSync(other, path);
    chmodSync(path, 0o600);

    await replaceFileInside(folder.path, path, "ours");

    assert.deepEqual([readFileSync(path, "utf8"), readFileSync(other, "utf8")], ["ours", "theirs"]);
  });
});

function storeOf(folder: TempFolder): RawFiles {
  return new RawFiles({ root: folder.path, paths: [], scopes: scopes() });
}
