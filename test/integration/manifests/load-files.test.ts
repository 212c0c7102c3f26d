import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { folderFiles } from "../../../src/manifests/files/folder-files.ts";
import { type LoadOptions, type LoadResult, loadManifests } from "../../../src/manifests/load.ts";
import { ParsedFileCache } from "../../../src/manifests/parsed-file-cache.ts";
import { configMap, namespace } from "../../support/manifests.ts";
import { scopes } from "../../support/parsed-manifests.ts";

describe("which files are loaded", () => {
  it("are those named .yaml or .yml below the root, hidden ones too, in the order of their names", async () => {
    using folder = new TempFolder();
    folder.write("b/z.yml", configMap("third"));
    folder.write("a.yaml", configMap("second"));
    folder.write("a/x.yaml", configMap("first"));
    folder.write(".hidden/h.yaml", configMap("hidden"));
    folder.write("b/no.YAML", "[");
    folder.write("b/README.md", "[");
    folder.write(".git/refs/heads/topic.yaml", "0123456789abcdef");

    assert.deepEqual(namesOf(await load(folder)), ["hidden", "first", "second", "third"]);
  });

  it("are those below the paths, or the paths themselves", async () => {
    using folder = new TempFolder();
    folder.write("a/x.yaml", configMap("x"));
    folder.write("b/z.yaml", configMap("z"));
    folder.write("c/w.yaml", configMap("w"));

    assert.deepEqual(namesOf(await load(folder, { paths: ["c/w.yaml/", "./a/"] })), ["w", "x"]);
  });

  it("may have names that are no UTF-8, as their folders may, each for itself", async () => {
    using folder = new TempFolder();
    const raw = (name: string): Buffer => Buffer.from(`${folder.path}/${name}`, "latin1");
    mkdirSync(raw("d\xff"));
    writeFileSync(raw("d\xff/a\xfe.yaml"), configMap("one"));
    writeFileSync(raw("d\xff/a\xfd.yaml"), configMap("two"));
    writeFileSync(raw("d\xff/ok.yaml"), configMap("three"));
    symlinkSync(raw("d\xff/missing"), raw("link\xff.yaml"));
    folder.write("z.yaml", configMap("last"));

    const loaded = await load(folder, { quarantine: true });

    const { resources, problems } = loaded;
    assert.deepEqual(namesOf(loaded), ["two", "one", "three", "last"]);
    assert.deepEqual(
      [...resources.values()].map(({ source }) => source),
      ["d\\xff/a\\xfd.yaml", "d\\xff/a\\xfe.yaml", "d\\xff/ok.yaml", "z.yaml"],
    );
    assert.match(String(problems[0]), /link\\+xff\.yaml/);
    assert.equal(problems.length, 1);
  });

  it("are none in charts, wherever a path begins", async () => {
    using folder = new TempFolder();
    folder.write("charts/app/Chart.yaml", "name: app\n");
    folder.write("charts/app/values.yaml", "a: 1\n");
    folder.write("charts/app/templates/web.yaml", "{{ broken }}: [");
    folder.write("charts/values.yaml", configMap("no-chart"));

    assert.deepEqual(namesOf(await load(folder)), ["no-chart"]);
    assert.deepEqual(namesOf(await load(folder, { paths: ["charts/app/templates"] })), []);
    assert.deepEqual(namesOf(await load(folder, { paths: ["charts/app/templates/web.yaml"] })), []);
  });

  it("are loaded twice, and refused, where paths overlap", async () => {
    using folder = new TempFolder();
    folder.write("a/x.yaml", configMap("x"));

    await assert.rejects(load(folder, { paths: ["a", "a/x.yaml"] }), {
      name: "DuplicateManifestError",
      message: "duplicate definition of 'default:configmap/x' (in a/x.yaml and a/x.yaml)",
    });
    assert.deepEqual(namesOf(await load(folder, { paths: ["a", "a/x.yaml"], quarantine: true })), ["x"]);
  });

  it("have to be there", async () => {
    using folder = new TempFolder();
    const gone = join(folder.path, "gone");

    await assert.rejects(load(folder, { paths: ["gone/"] }), {
      message: `unable to read root path "${gone}": stat ${gone}: no such file or directory`,
    });
    await assert.rejects(load(folder, { files: folderFiles(gone) }), {
      message: `git path "${gone}" not found`,
    });
  });

  it("are told of path by path, whether a path is not there or a file of it is broken", async () => {
    using folder = new TempFolder();
    folder.write("a/broken.yaml", "[");
    folder.write("b/x.yaml", configMap("x"));

    const refused = (paths: readonly string[], message: RegExp, quarantine = false) =>
      assert.rejects(load(folder, { paths, quarantine }), { message });
    await refused(["a", "gone"], /^scanning multidoc from "a\/broken\.yaml"/);
    await refused(["gone", "a"], /^unable to read root path/);
    await refused(["b", "b", "gone"], /^duplicate definition of 'default:configmap\/x'/);
    await refused(["a", "gone"], /^unable to read root path/, true);
  });

  it("are none in a folder behind a link, also where the path ends in a slash", async () => {
    using folder = new TempFolder();
    folder.write("real/x.yaml", configMap("x"));
    symlinkSync("real", join(folder.path, "link"));

    assert.deepEqual(namesOf(await load(folder, { paths: ["link/"] })), []);
  });
});

describe("files that lead elsewhere", () => {
  it("are read through a link that stays inside, and folders behind links are not", async () => {
    using folder = new TempFolder();
    folder.write("real/x.txt", configMap("x"));
    folder.write("other/w.yaml", configMap("w"));
    symlinkSync("real/x.txt", join(folder.path, "x.yaml"));
    symlinkSync("other", join(folder.path, "folder"));

    assert.deepEqual(namesOf(await load(folder)), ["w", "x"]);
  });

  const links: readonly (readonly [what: string, target: string, message: RegExp])[] = [
    [
      "a link out of the checkout",
      "/etc/passwd",
      /^unable to read file at ".*x\.yaml": it's a link that leads out/,
    ],
    [
      "a link to nothing",
      "nowhere",
      /^unable to read file at ".*x\.yaml": open .*: no such file or directory$/,
    ],
    ["a link to a folder", ".", /^unable to read file at ".*x\.yaml": it isn't a regular file$/],
    [
      "a link to itself",
      "x.yaml",
      /^unable to read file at ".*x\.yaml": open .*: too many levels of symbolic links$/,
    ],
  ];
  for (const [what, target, message] of links) {
    it(`are refused: ${what}`, async () => {
      using folder = new TempFolder();
      symlinkSync(target, join(folder.path, "x.yaml"));

      await assert.rejects(load(folder), { name: "ManifestError", message });
    });
  }

  it("are refused: a path that leads out of the checkout, by itself or behind a link", async () => {
    using folder = new TempFolder();
    const root = join(folder.path, "checkout");
    folder.write("outside/x.yaml", configMap("x"));
    mkdirSync(root);
    symlinkSync("../outside", join(root, "link"));

    for (const path of ["../outside", "link"]) {
      await assert.rejects(load(folder, { files: folderFiles(root), paths: [path] }), {
        message: `unable to read root path "${join(root, path)}": it leads out of the repository`,
      });
    }
  });

  it("are refused without waiting: a pipe", { timeout: 120_000 }, async () => {
    using folder = new TempFolder();
    execFileSync("mkfifo", [join(folder.path, "x.yaml")]);

    await assert.rejects(load(folder), { message: /: it isn't a regular file$/ });
  });

  it("are refused without reading: a huge file", async () => {
    using folder = new TempFolder();
    truncateSync(folder.write("x.yaml", ""), 2 ** 40);

    await assert.rejects(load(folder), {
      message:
        /x\.yaml": it's too large: it has 1099511627776 bytes, and the limit is 33554432; split it, or move it out of the git paths$/,
    });
  });

  it("are refused where what aliases make of them is too large together, and loaded once it is not", async () => {
    using folder = new TempFolder();
    // Five million characters of each megabyte: less than one document may have, but not all of them.
    const sources = Array.from({ length: 30 }, (_, index) => `${10 + index}.yaml`);
    for (const source of sources) {
      const entries = Array.from({ length: 5 }, (_, index) => `  k${index}: *long\n`).join("");
      folder.write(source, `${configMap(source)}  long: &long ${"x".repeat(1_000_000)}\n${entries}`);
    }

    await assert.rejects(load(folder), {
      name: "ManifestError",
      message:
        /^unable to read \d\d\.yaml: with this file, the manifests in the repository exceed the limit of 67108864/,
    });

    const some = await load(folder, { quarantine: true });
    assert.deepEqual([some.resources.size, some.complete], [11, false]);

    sources.slice(0, 20).forEach((source) => folder.write(source, configMap(source)));
    const all = await load(folder, { quarantine: true, cache: some.cache });
    assert.deepEqual([all.resources.size, all.complete], [30, true]);
  });

  it("are read one at a time where they are large, and whole", async () => {
    using folder = new TempFolder();
    const comment = `# ${"-".repeat(98)}\n`.repeat(20_000);
    for (const name of ["a", "b", "c"]) {
      folder.write(`${name}.yaml`, configMap(name) + comment);
    }

    assert.deepEqual(namesOf(await load(folder)), ["a", "b", "c"]);
  });
});

describe("loading again", () => {
  it("parses only files that changed", async () => {
    using folder = new TempFolder();
    folder.write("a.yaml", configMap("a"));
    folder.write("b.yaml", configMap("b"));
    const first = await load(folder);
    folder.write("b.yaml", configMap("b", "v2"));

    const second = await load(folder, { cache: first.cache });

    const same = [...second.resources].filter(([id, resource]) => first.resources.get(id) === resource);
    assert.deepEqual([namesOf(second), same.map(([id]) => id)], [["a", "b"], ["default:configmap/a"]]);
  });

  it("does not even read files of which the blob is known", async () => {
    using folder = new TempFolder();
    const path = folder.write("a.yaml", configMap("a"));
    const blobId = execFileSync("git", ["hash-object", path], { encoding: "utf8" }).trim();
    const first = await load(folder);
    folder.write("a.yaml", "[ not read");

    const second = await load(folder, { cache: first.cache, blobIds: new Map([["a.yaml", blobId]]) });

    assert.deepEqual(second.resources, first.resources);
  });

  it("holds back in quarantine what a file that broke held before", async () => {
    using folder = new TempFolder();
    folder.write("a.yaml", configMap("a") + "---\n" + namespace("demo"));
    folder.write("b.yaml", configMap("b"));
    const first = await load(folder, { quarantine: true });
    folder.write("a.yaml", "kind: [");

    const second = await load(folder, { quarantine: true, cache: first.cache });

    assert.deepEqual(namesOf(second), ["b"]);
    assert.deepEqual(second.heldBack, ["default:configmap/a", "<cluster>:namespace/demo"]);
    assert.deepEqual([second.complete, second.incompleteFiles], [false, ["a.yaml"]]);
    assert.deepEqual(
      second.problems.map(({ message }) => message),
      ['scanning multidoc from "a.yaml": yaml: line 1: did not find expected node content'],
    );
  });

  it("stops when it is told to", async () => {
    using folder = new TempFolder();
    folder.write("a.yaml", configMap("a"));

    await assert.rejects(
      load(folder, { signal: AbortSignal.abort(new Error("stopped")) }),
      /^Error: stopped$/,
    );
  });
});

describe("encrypted files", () => {
  it("are decrypted where they say that they are encrypted", async () => {
    using folder = new TempFolder();
    folder.write("a.yaml", "sops: {}\n");
    folder.write("b.yaml", configMap("b"));
    const decrypt = (): Promise<Uint8Array> => Promise.resolve(Buffer.from(configMap("clear")));

    assert.deepEqual(namesOf(await load(folder, { decrypt })), ["clear", "b"]);
  });

  it("are decrypted again only if they changed, or could not be decrypted", async () => {
    using folder = new TempFolder();
    folder.write("a.yaml", "sops: {}\n");
    folder.write("b.yaml", "# b\nsops: {}\n");
    const decrypted: string[] = [];
    let hasKey = false;
    const decrypt = (content: Uint8Array): Promise<Uint8Array> => {
      const isB = Buffer.from(content).includes("b");
      decrypted.push(isB ? "b" : "a");
      return isB && !hasKey
        ? Promise.reject(new Error("no key"))
        : Promise.resolve(Buffer.from(configMap(isB ? "clear-b" : "clear-a")));
    };

    const first = await load(folder, { decrypt, quarantine: true });
    hasKey = true;
    const second = await load(folder, { decrypt, cache: first.cache });
    const third = await load(folder, { decrypt, cache: second.cache });

    assert.deepEqual(decrypted.toSorted(), ["a", "b", "b"]);
    assert.deepEqual(namesOf(third), ["clear-a", "clear-b"]);
  });

  it("are problems where they cannot be decrypted", async () => {
    using folder = new TempFolder();
    const path = folder.write("a.yaml", "sops: {}\n");
    const decrypt = (): Promise<Uint8Array> => Promise.reject(new Error("no key"));

    await assert.rejects(load(folder, { decrypt }), {
      name: "ManifestError",
      message: `unable to read file at "${path}": failed to decrypt file: no key`,
    });
  });
});

function load(folder: TempFolder, options: Partial<LoadOptions> = {}): Promise<LoadResult> {
  return loadManifests({
    files: folderFiles(folder.path),
    paths: [],
    scopes: scopes(),
    signal: new AbortController().signal,
    cache: ParsedFileCache.empty,
    ...options,
  });
}

function namesOf({ resources }: LoadResult): readonly (string | undefined)[] {
  return [...resources.keys()].map((id) => id.split("/").pop());
}
