import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checksumAnnotation } from "@weir/flux";
import { hideInMessage, hideInStates } from "../../../src/engine-adapter/confidential.ts";

const confidential = new Set(["hunter2", "42"]);

describe("hideInStates", () => {
  it("masks confidential values, and what was in their place before", () => {
    const before = { data: { password: "old", user: "admin", pin: 42 } };
    const after = { data: { password: "hunter2", user: "admin", pin: 42 } };

    assert.deepEqual(hideInStates([before, after], confidential), [
      { data: { password: "++++++++", user: "admin", pin: "++++++++" } },
      { data: { password: "+++++++++", user: "admin", pin: "++++++++" } },
    ]);
  });

  it("finds the items of a list by their names", () => {
    const before = {
      env: [
        { name: "a", value: "1" },
        { name: "b", value: "old" },
      ],
    };
    const after = { env: [{ name: "b", value: "hunter2" }] };

    assert.deepEqual(hideInStates([before, after], confidential), [
      {
        env: [
          { name: "a", value: "1" },
          { name: "b", value: "++++++++" },
        ],
      },
      { env: [{ name: "b", value: "+++++++++" }] },
    ]);
  });

  it("masks a text that contains a confidential value", () => {
    const after = { url: "https://user:hunter2@example.test" };

    assert.deepEqual(hideInStates([null, after], confidential), [null, { url: "++++++++" }]);
  });

  it("masks the checksum of the manifest", () => {
    const withChecksum = (checksum: string) => ({
      metadata: { annotations: { [checksumAnnotation]: checksum } },
    });

    assert.deepEqual(hideInStates([withChecksum("aaaa"), withChecksum("bbbb")], confidential), [
      withChecksum("++++++++"),
      withChecksum("+++++++++"),
    ]);
  });

  it("masks nothing where nothing is confidential", () => {
    const after = { data: { a: "b" } };

    assert.deepEqual(hideInStates([null, after], undefined), [null, after]);
  });
});

describe("hideInMessage", () => {
  it("hides quotes of confidential values, plain and in base64", () => {
    const message = `Invalid value: "hunter2": ${Buffer.from("hunter2").toString("base64")} is wrong, not "42"`;

    const shown = hideInMessage(message, confidential);

    assert.doesNotMatch(shown, /hunter2|aHVudGVyMg|42/);
    assert.match(shown, /^Invalid value: /);
  });
});
