import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UnknownFlagError } from "@weir/cli";
import { transportError } from "@weir/flux/client";
import { adviceOn, didYouMean } from "../../../../../cmd/fluxctl/advice/on-errors.ts";
import { UsageError } from "../../../../../cmd/fluxctl/command.ts";
import { declareGlobalFlags } from "../../../../../cmd/fluxctl/flags/globals.ts";

const request = { method: "GET", url: new URL("http://there/v6/services") };
const refused = transportError(request, Object.assign(new Error("no"), { code: "ECONNREFUSED" }));

function globals(given: Readonly<Record<string, string>> = {}) {
  const flags = declareGlobalFlags();
  for (const [key, value] of Object.entries(given)) {
    flags[key as keyof typeof flags].set(value);
  }
  return flags;
}

describe("adviceOn", () => {
  it("asks whether a flag like an unknown one was meant", () => {
    const error = new UnknownFlagError("unknown flag: --namspace", "namspace", ["namespace", "no-headers"]);

    assert.deepEqual(adviceOn(error, globals()), ["Did you mean --namespace?"]);
  });

  for (const [what, given, advice] of [
    ["with a URL", { url: "http://there" }, /^Nothing is listening there\. Make sure that fluxd is running /],
    ["with a token alone", { token: "t" }, /^With a token but no --url, fluxctl connects to Weave Cloud\. /],
    ["through the cluster", {}, /^fluxctl found the pod, but fluxd does not respond\. /],
  ] as const) {
    it(`tells what to look at where nothing answers ${what}`, () => {
      assert.match(adviceOn(refused, globals(given)).join("\n"), advice);
    });
  }

  it("has none on an answer that is broken", () => {
    assert.deepEqual(adviceOn(transportError(request, new Error("bad header")), globals()), []);
  });

  it("is what the error itself or its cause says", () => {
    const error = new UsageError("bad", { advice: ["Do this."] });

    assert.deepEqual(adviceOn(error, globals()), ["Do this."]);
    assert.deepEqual(adviceOn(new Error("outer", { cause: error }), globals()), ["Do this."]);
    assert.deepEqual(adviceOn(new Error("other"), globals()), []);
  });
});

describe("didYouMean", () => {
  it("is no question without suggestions", () => {
    assert.deepEqual([didYouMean([]), didYouMean(["a", "b"])], [[], ["Did you mean a or b?"]]);
  });
});
