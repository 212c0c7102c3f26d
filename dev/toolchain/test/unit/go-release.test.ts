import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { programHash } from "../../src/go-program.ts";
import { goEnvironment, goRelease } from "../../src/go-release.ts";

const target = { system: "linux", architecture: "arm64" };

describe("the environment of Go", () => {
  it("has the pinned release and the target, whatever the machine says", () => {
    const { GOTOOLCHAIN, GOOS, GOARCH, CGO_ENABLED } = goEnvironment(target, {
      GOTOOLCHAIN: "local",
      GOOS: "windows",
      GOARCH: "386",
      CGO_ENABLED: "1",
    });

    assert.match(goRelease, /^go\d+\.\d+\.\d+$/);
    assert.deepEqual(
      { GOTOOLCHAIN, GOOS, GOARCH, CGO_ENABLED },
      {
        GOTOOLCHAIN: goRelease,
        GOOS: "linux",
        GOARCH: "arm64",
        CGO_ENABLED: "0",
      },
    );
  });

  it("has nothing of the machine's own settings that changes what is built", () => {
    const machine = {
      GOFLAGS: "-tags=netgo",
      GOEXPERIMENT: "arenas",
      GOAMD64: "v3",
      GOARM64: "v9.0",
      GOFIPS140: "latest",
      GOWORK: "/src/go.work",
    };

    assert.deepEqual(goEnvironment(target, machine), goEnvironment(target, {}));
  });

  it("keeps where modules come from", () => {
    const proxies = { HOME: "/home/weir", GOPROXY: "https://go.example.test", GONOSUMDB: "example.test" };

    const env = goEnvironment(target, proxies);

    assert.deepEqual({ ...env, ...proxies }, env);
  });
});

describe("the hash of a program", () => {
  const environment = goEnvironment(target, {});
  const hash = programHash(environment, ["sum", "build"]);

  it("is that of another program with another release of Go, another target, or other sources", () => {
    const others = [
      programHash({ ...environment, GOTOOLCHAIN: "go1.20.1" }, ["sum", "build"]),
      programHash(goEnvironment({ ...target, system: "darwin" }, {}), ["sum", "build"]),
      programHash(environment, ["other sum", "build"]),
    ];

    assert.match(hash, /^[0-9a-f]{16}$/);
    assert.equal(new Set([hash, ...others]).size, 4);
  });

  it("is the same for the same settings in any order", () => {
    const reordered = Object.fromEntries(Object.entries(environment).toReversed());

    assert.equal(programHash(reordered, ["sum", "build"]), hash);
  });
});
