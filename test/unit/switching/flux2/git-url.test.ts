import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GitUrlError, toFlux2Url } from "../../../../src/switching/flux2/git-url.ts";

describe("toFlux2Url", () => {
  const urls: readonly (readonly [url: string, flux2: string, access: string, repository: string])[] = [
    ["git@github.com:org/repo", "ssh://git@github.com/org/repo", "ssh", "repo"],
    ["git@github.com:org/repo.git", "ssh://git@github.com/org/repo.git", "ssh", "repo"],
    ["host.example:org/repo", "ssh://git@host.example/org/repo", "ssh", "repo"],
    ["git@host.example:/srv/git/repo.git", "ssh://git@host.example/srv/git/repo.git", "ssh", "repo"],
    ["ssh://git@host.example:2222/org/repo", "ssh://git@host.example:2222/org/repo", "ssh", "repo"],
    ["ssh://host.example/org/repo", "ssh://git@host.example/org/repo", "ssh", "repo"],
    ["git+ssh://me:secret@host.example/repo", "ssh://me@host.example/repo", "ssh", "repo"],
    ["https://host.example/org/repo.git/", "https://host.example/org/repo.git/", "open", "repo"],
    ["https://me:secret@host.example/org/repo", "https://host.example/org/repo", "password", "repo"],
    ["https://host.example/org/repo?token=secret", "https://host.example/org/repo", "password", "repo"],
    ["https://$(GIT_USER):$(GIT_KEY)@host.example:8443/r", "https://host.example:8443/r", "password", "r"],
    ["http://[2001:db8::1]:8080/repo", "http://[2001:db8::1]:8080/repo", "open", "repo"],
    [
      "ssh://git@ssh.dev.azure.com/v3/org/project/repo",
      "ssh://git@ssh.dev.azure.com/v3/org/project/repo",
      "ssh",
      "repo",
    ],
  ];
  for (const [url, flux2, access, repository] of urls) {
    it(`makes ${flux2} of ${url}`, () => {
      const found = toFlux2Url(url);

      assert.deepEqual([found.url, found.access, found.repository], [flux2, access, repository]);
    });
  }

  for (const url of ["", "git://host.example/repo", "file:///srv/repo", "/srv/repo"]) {
    it(`refuses ${JSON.stringify(url)} and names the flag that helps`, () => {
      assert.throws(
        () => toFlux2Url(url),
        (error) => error instanceof GitUrlError && error.advice.join().includes("--git-url"),
      );
    });
  }

  it("never repeats a password, whatever characters it has", () => {
    for (const url of [
      "https://me:se/cret@host.example/r",
      "https://me:se@cret@host.example/r",
      "ftp://me:secret@h/r",
    ]) {
      const told = messageOrUrl(url);

      assert.doesNotMatch(told, /cret/, told);
    }
  });
});

function messageOrUrl(url: string): string {
  try {
    return toFlux2Url(url).url;
  } catch (error) {
    return String(error);
  }
}
