import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { isEquivalent, remoteOf, whyRefused } from "../../../src/git/remote.ts";

describe("a remote", () => {
  const safe: Readonly<Record<string, string>> = {
    "git@github.com:fluxcd/flux-get-started": "ssh://git@github.com/fluxcd/flux-get-started",
    "https://user:pass@example.com/org/repo.git": "https://user@example.com/org/repo.git",
    "https://:password@example.com/x": "https://@example.com/x",
    "ssh://git@example.com:2222/org/repo": "ssh://git@example.com:2222/org/repo",
    "/srv/git/repo.git": "file:///srv/git/repo.git",
    "": "file:",
    "https://user:not^escaped@example.com/x": "https://user@example.com/x",
    "https://user:not/escaped@example.com/x": "https://user@example.com/x",
    "https://ghp_0123456789abcdef@github.com/o/r": "https://<redacted>@github.com/o/r",
    "https://host:8443/a@b/repo": "https://host:8443/a@b/repo",
  };
  for (const [url, expected] of Object.entries(safe)) {
    it(`is told of without a secret: ${url}`, () => {
      assert.equal(remoteOf(url).safeUrl, expected);
    });
  }

  /** Anything but what reads as a port and a path, which no one can tell from a password. */
  const secret = fc
    .string({ unit: "grapheme-ascii", minLength: 6, maxLength: 20 })
    .filter((text) => !/^\d+\//.test(text));
  const scheme = fc.constantFrom("https", "http", "ssh", "git", "ftp");
  const around = fc.constantFrom(
    (url: string) => `fatal: unable to access '${url}/': The requested URL returned error: 403`,
    (url: string) => `To ${url}\n ! [rejected] master -> master\n`,
    (url: string) => `git push ${url} [master refs/notes/flux]: failed`,
    (url: string) => `Cloning ${url}...${url}`,
  );

  it("never lets a password through, escaped or not, in whatever text", () => {
    fc.assert(
      fc.property(scheme, fc.boolean(), secret, around, (kind, escaped, password, text) => {
        const written = escaped ? encodeURIComponent(password) : password;
        const url = `${kind}://bot:${written}@example.test/o/r.git`;
        const remote = remoteOf(url);

        const told = [remote.safeUrl, remote.redact(text(url)), remote.redact(`password: ${password}`)].join(
          "\n",
        );

        const withoutOthers = told.replaceAll(/password: |example\.test|o\/r\.git/g, "");
        fc.pre(!text("https://bot@example.test/o/r.git").includes(password));
        assert.equal(withoutOthers.includes(written), false, told);
      }),
      runs(2_000),
    );
  });

  it("lets no password of another URL through either", () => {
    const { redact } = remoteOf("git@example.test:o/r");

    assert.equal(
      redact("warning: redirecting to https://other:s3cret@example.test/x and ssh://git@h/y"),
      "warning: redirecting to https://other@example.test/x and ssh://git@h/y",
    );
  });

  it("takes no time over a long word, which a server may send", () => {
    const word = "x".repeat(1_000_000);

    assert.equal(remoteOf("ssh://git@example.test/o/r").redact(word), word);
  });

  it("leaves a text without secrets as it is", () => {
    fc.assert(
      fc.property(fc.lorem(), (text) => {
        assert.equal(remoteOf("ssh://git@example.test/o/r").redact(text), text);
      }),
    );
  });
});

describe("two URLs", () => {
  const pairs: readonly (readonly [string, string, boolean])[] = [
    ["git@github.com:fluxcd/flux", "ssh://git@github.com/fluxcd/flux.git", true],
    ["https://git@github.com/fluxcd/flux.git", "ssh://git@github.com/fluxcd/flux.git", true],
    ["https://github.com/fluxcd/flux.git", "git@github.com:fluxcd/flux.git", true],
    ["https://github.com/fluxcd/flux.git", "https://github.com/fluxcd/helm-operator.git", false],
    ["https://github.com/fluxcd/flux", "https://github.com:443/fluxcd/flux", false],
    ["/srv/x.git", "file:///srv/x", true],
  ];
  for (const [a, b, same] of pairs) {
    it(`${a} and ${b} are ${same ? "equivalent" : "not equivalent"}`, () => {
      assert.equal(isEquivalent(a, b), same);
      assert.equal(isEquivalent(b, a), same);
    });
  }
});

describe("a URL", () => {
  for (const url of [
    "git@github.com:fluxcd/flux",
    "ssh://git@h:22/x",
    "https://u:p@h/x",
    "https://u:p@h:80/x:y/z@1",
    "https://h:8080/x@y",
    "https://[::1]:8080/x@y",
    "git+ssh://h/x",
    "file:///x",
    "/x",
    "../x",
    "host:x",
  ]) {
    it(`is given to git: ${url}`, () => {
      assert.equal(whyRefused(url), undefined);
    });
  }

  for (const [url, why] of [
    ["--upload-pack=x", "it starts with a dash"],
    ["https://h/\nx", "it contains a control character"],
    ["ext::sh -c x", "it names a transport helper"],
    ["fd::3", "it names a transport helper"],
    ["https://bot:a%0Ab@h/x", "its user or password contains a line break or a NUL"],
    ["https://bot:a%00@h/x", "its user or password contains a line break or a NUL"],
    ["https://bot:s3/cret@h/x", /^its password contains \/, \?, or #; write these as %2F/],
    ["rsync://h/x", /^its scheme is not one of /],
    ["javascript://h/x", /^its scheme is not one of /],
  ] as const) {
    it(`is refused: ${JSON.stringify(url)}`, () => {
      assert.match(whyRefused(url) ?? "", typeof why === "string" ? new RegExp(`^${why}$`) : why);
    });
  }
});
