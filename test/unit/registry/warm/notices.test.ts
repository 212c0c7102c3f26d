import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Notices } from "../../../../src/registry/warm/notices.ts";

const alpine = { domain: "", image: "alpine" };
const canonicalAlpine = "index.docker.io/library/alpine";

describe("notices", () => {
  it("are one for each repository, however it is spelt", () => {
    const notices = new Notices();

    notices.add(alpine, ["1"], 5);
    notices.add({ domain: "docker.io", image: "library/alpine" }, ["2"], 7);

    const due = notices.take(7);
    assert.deepEqual([...due.keys()], [canonicalAlpine]);
    assert.deepEqual([...(due.get(canonicalAlpine)?.tags ?? [])].sort(), ["1", "2"]);
    assert.equal(notices.take(7).size, 0, "what is taken does not wait any more");
  });

  it("wait for their time", () => {
    const notices = new Notices();
    notices.add(alpine, [], 100);

    assert.deepEqual([notices.wait(40), notices.take(99).size, notices.take(100).size], [60, 0, 1]);
    assert.equal(notices.wait(40), undefined);
  });

  it("are looked for twice more where a pass did not see them", () => {
    const notices = new Notices();
    notices.add(alpine, ["1", "2"], 0);

    const waits: number[] = [];
    let now = 0;
    for (let due = notices.take(now).get(canonicalAlpine); due !== undefined; ) {
      notices.miss(due, ["2"], now);
      const wait = notices.wait(now);
      if (wait === undefined) {
        break;
      }
      waits.push(wait);
      now += wait;
      due = notices.take(now).get(canonicalAlpine);
      assert.deepEqual([...(due?.tags ?? [])], ["2"]);
    }

    assert.deepEqual(waits, [1_000, 5_000]);
  });

  it("are done with where all was seen", () => {
    const notices = new Notices();
    notices.add(alpine, ["1"], 0);
    const [[, notice] = []] = notices.take(0);
    assert.ok(notice);

    notices.miss(notice, [], 0);

    assert.equal(notices.wait(0), undefined);
  });

  it("do not fill the memory with names that somebody makes up", () => {
    const notices = new Notices();

    for (let index = 0; index < 5_000; index += 1) {
      notices.add({ domain: "a.example.com", image: `x${index}` }, [], 0);
    }
    notices.add({ domain: "a.example.com", image: "x0" }, ["1"], 0);

    const due = notices.take(0);
    assert.equal(due.size, 200);
    assert.deepEqual([...(due.get("a.example.com/x0")?.tags ?? [])], ["1"]);
  });
});
