import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { invariant } from "@weir/base";
import { committedFiles } from "../../../src/manifests/files/committed-files.ts";
import type { FileReader } from "../../../src/manifests/files/source-files.ts";

const { signal } = new AbortController();
const megabyte = 1024 * 1024;

describe("committedFiles", () => {
  it("reads files together, up to a size, and a large one by itself", async () => {
    const world = new World({
      a: 2 * 1024,
      large: 2 * megabyte,
      b: megabyte,
      c: megabyte,
      d: megabyte,
      e: megabyte,
      f: 1,
    });
    const reader = await world.open();

    for (const name of ["a", "large", "b", "c", "d", "e", "f"]) {
      assert.equal(await world.read(reader, name), world.text(name));
    }

    assert.deepEqual(world.asked, [["a"], ["large"], ["b", "c", "d", "e"], ["f"]]);
  });

  it("asks for the next files before the ones before them are used up, but not for large ones", async () => {
    const world = new World({
      a: megabyte,
      b: megabyte,
      c: megabyte,
      d: megabyte,
      e: 1,
      large: 2 * megabyte,
    });
    const reader = await world.open();

    await world.read(reader, "a");
    assert.deepEqual(world.asked, [["a", "b", "c", "d"], ["e"]]);

    await world.read(reader, "e");
    assert.equal(world.asked.length, 2);
  });

  it("asks once for content that several files have", async () => {
    const world = new World({ a: 3, b: 3 });
    const reader = await world.open();

    assert.deepEqual([await world.read(reader, "a"), await world.read(reader, "b")], ["aaa", "aaa"]);
    assert.deepEqual(world.asked, [["a"]]);
  });

  it("doesn't read a file that's larger than asked for", async () => {
    const world = new World({ a: 3 });
    const reader = await world.open();

    await assert.rejects(world.read(reader, "a", 2), {
      name: "UnreadableFileError",
      message:
        "it's too large: it has 3 bytes, and the limit is 2; split it, or move it out of the git paths",
    });
    assert.deepEqual(world.asked, []);
    assert.equal(await world.read(reader, "a", 3), "aaa");
  });

  it("fails for a file whose content git doesn't have, and for no other", async () => {
    const world = new World({ a: 1, b: 2 });
    world.lost.add("a");
    const reader = await world.open();

    await assert.rejects(world.read(reader, "a"), {
      name: "UnreadableFileError",
      message: "git doesn't have its content",
    });
    assert.equal(await world.read(reader, "b"), "bb");
  });
});

/** Files with as many letters as their size says, which are their name, or that of another file with the same size. */
class World {
  readonly asked: (readonly string[])[] = [];
  readonly lost = new Set<string>();
  readonly #sizes: ReadonlyMap<string, number>;

  constructor(sizes: Readonly<Record<string, number>>) {
    this.#sizes = new Map(Object.entries(sizes));
  }

  async open(): Promise<FileReader> {
    const files = committedFiles({
      files: [...this.#sizes].map(([name, size]) => ({
        path: `${name}.yaml`,
        mode: "100644",
        id: this.#idOf(name),
        size,
      })),
      paths: [...this.#sizes.keys()].map((name) => `${name}.yaml`),
      contents: (ids) => {
        this.asked.push(ids);
        const known = ids.filter((id) => !this.lost.has(id));
        return Promise.resolve(new Map(known.map((id) => [id, Buffer.from(this.text(id))])));
      },
    });
    invariant(files, "all paths exist");
    const { files: found } = await files.find([], signal);
    return await files.open(found, signal);
  }

  async read(reader: FileReader, name: string, most?: number): Promise<string> {
    const file = { path: `${name}.yaml`, source: `${name}.yaml`, isLink: false };
    return (await reader.read(file, most)).content.toString();
  }

  text(name: string): string {
    return this.#idOf(name)
      .charAt(0)
      .repeat(this.#sizes.get(name) ?? 0);
  }

  /** Small files of one size have the same content. */
  #idOf(name: string): string {
    const size = this.#sizes.get(name) ?? 0;
    const same = [...this.#sizes].find(([, other]) => size < 10 && other === size);
    return same?.[0] ?? name;
  }
}
