import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { declareGlobalFlags, fillFromEnvironment } from "../../../../../cmd/fluxctl/flags/globals.ts";

function filled(env: Readonly<Record<string, string>>, given: Readonly<Record<string, string>> = {}) {
  const flags = declareGlobalFlags();
  let said = "";
  for (const [key, value] of Object.entries(given)) {
    flags[key as keyof typeof flags].set(value);
  }
  fillFromEnvironment(flags, { env, out: () => undefined, err: (text) => (said += text) });
  return { flags, said };
}

describe("fillFromEnvironment", () => {
  it("takes from the environment what was not given", () => {
    const { flags } = filled({
      FLUX_FORWARD_NAMESPACE: "flux",
      FLUX_FORWARD_LABELS: "a=1,b=2",
      FLUX_URL: "http://there",
      FLUX_SERVICE_TOKEN: "token",
      FLUX_TIMEOUT: "5s",
    });

    assert.deepEqual(
      [
        flags.forwardNamespace.value,
        [...flags.forwardLabels.value],
        flags.url.value,
        flags.token.value,
        flags.timeout.value,
      ],
      [
        "flux",
        [
          ["a", "1"],
          ["b", "2"],
        ],
        "http://there",
        "token",
        5_000,
      ],
    );
  });

  it("prefers what was given, and a token of Weave Cloud over another", () => {
    const env = {
      FLUX_URL: "http://env",
      FLUX_SERVICE_TOKEN: "flux",
      WEAVE_CLOUD_TOKEN: "cloud",
      FLUX_TIMEOUT: "",
    };
    const { flags } = filled(env, { url: "http://flag" });

    assert.deepEqual(
      [flags.url.value, flags.token.value, flags.timeout.value],
      ["http://flag", "cloud", 60_000],
    );
  });

  it("says what it cannot use, and goes on", () => {
    const { flags, said } = filled({ FLUX_TIMEOUT: "soon", FLUX_URL: "http://there" });

    assert.deepEqual([flags.timeout.value, flags.url.value], [60_000, "http://there"]);
    assert.equal(
      said,
      'Warning: ignoring the environment variable FLUX_TIMEOUT: invalid argument "soon" for "--timeout" flag: time: invalid duration "soon"\n',
    );
  });
});
