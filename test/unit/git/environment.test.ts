import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gitEnvironment } from "../../../src/git/environment.ts";

describe("the environment of git", () => {
  it("passes what Flux passes, and nothing that would change what git runs", () => {
    const environment = gitEnvironment({
      PATH: "/bin",
      HOME: "/home/flux",
      https_proxy: "http://proxy",
      HTTP_PROXY: "http://not-this",
      GNUPGHOME: "/gpg",
      GIT_SSH_COMMAND: "evil",
      GIT_DIR: "/evil",
      SSH_AUTH_SOCK: "/sock",
      EDITOR: "evil",
      LANG: "de_DE",
      TOKEN: "secret",
      NO_PROXY: undefined,
    });

    assert.deepEqual(environment, {
      PATH: "/bin",
      HOME: "/home/flux",
      https_proxy: "http://proxy",
      GNUPGHOME: "/gpg",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ALLOW_PROTOCOL: "file:ftp:ftps:git:http:https:ssh",
    });
  });
});
