import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { printCredentials } from "../../../src/image/credentials.ts";
import { DockerConfigError, parseDockerConfig } from "../../../src/image/docker-config.ts";

const auth = Buffer.from("me:s:cret").toString("base64");

function hostsOf(config: unknown): Record<string, string> {
  const { credentials } = parseDockerConfig(JSON.stringify(config), "a test");
  return Object.fromEntries(
    [...credentials].map(([host, each]) => [host, `${each.username} ${each.password}`]),
  );
}

describe("parseDockerConfig", () => {
  it("reads user and password, which may hold a colon", () => {
    assert.deepEqual(hostsOf({ auths: { "registry.example.com": { auth } } }), {
      "registry.example.com": "me s:cret",
    });
  });

  it("reads the old form, without auths", () => {
    assert.deepEqual(hostsOf({ "registry.example.com": { auth } }), { "registry.example.com": "me s:cret" });
  });

  it("reads what stands beside auth only where that is missing", () => {
    const both = { auth, username: "you", password: "x" };

    assert.deepEqual(hostsOf({ auths: { a: both, b: { username: "you", password: "x" } } }), {
      a: "me s:cret",
      b: "you x",
    });
  });

  const addresses: Readonly<Record<string, string>> = {
    "https://index.docker.io/v1/": "index.docker.io",
    "http://registry.example.com": "registry.example.com",
    "registry.example.com:5000": "registry.example.com:5000",
    "localhost:5000/v2/": "localhost:5000",
    "https://10.0.0.1:443/": "10.0.0.1:443",
    "[::1]:5000": "[::1]:5000",
  };
  for (const [address, host] of Object.entries(addresses)) {
    it(`takes ${address} for ${host}`, () => {
      assert.deepEqual(Object.keys(hostsOf({ auths: { [address]: { auth } } })), [host]);
    });
  }

  it("leaves out entries that make no sense, and says so without their secrets", () => {
    const config = {
      auths: {
        good: { auth },
        "https://": { auth },
        empty: {},
        odd: { auth: Buffer.from("c4n4ry").toString("base64") },
        worse: "c4n4ry",
      },
    };

    const { credentials, problems } = parseDockerConfig(JSON.stringify(config), "a test");

    assert.deepEqual([...credentials.keys()], ["good"]);
    assert.deepEqual(problems, [
      "a test: an entry has no valid host name",
      'a test: the entry for empty has no valid user name and password in "auth"',
      'a test: the entry for odd has no valid user name and password in "auth"',
      'a test: the entry for worse has no valid user name and password in "auth"',
    ]);
  });

  it("refuses what is no config, without telling what it is", () => {
    for (const text of ["", "c4n4ry", "[]", '"c4n4ry"', "null"]) {
      assert.throws(
        () => parseDockerConfig(text, "a test"),
        (error) => {
          assert.ok(error instanceof DockerConfigError);
          assert.ok(!error.message.includes("c4n4ry"));
          return true;
        },
      );
    }
  });

  it("reads or leaves out whatever JSON there is", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (auths) => {
        const { credentials, problems } = parseDockerConfig(JSON.stringify({ auths }), "a test");
        return credentials.size + problems.length <= Object.keys(auths).length;
      }),
    );
  });
});

describe("printCredentials", () => {
  it("tells all but the password, as Flux does", () => {
    const of = (password: string): { username: string; password: string; provenance: string } => ({
      username: "me",
      password,
      provenance: "default:secret/pull",
    });

    assert.equal(printCredentials(new Map()), "{map[]}");
    assert.equal(
      printCredentials(
        new Map([
          ["b.example.com", of("c4n4ry")],
          ["a.example.com", of("c4n4ry")],
        ]),
      ),
      "{map[a.example.com:<registry creds for me@a.example.com, from default:secret/pull> b.example.com:<registry creds for me@b.example.com, from default:secret/pull>]}",
    );
  });
});
