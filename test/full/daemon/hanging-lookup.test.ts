import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type ProgramEnd, TempFolder, until } from "@weir/testing";
import { Fluxd } from "../../support/fluxd.ts";
import { TestRepository } from "../../support/repository.ts";

/**
 * Makes the system's resolver hang while it looks up a name: it reads aliases of names from a pipe, to which nobody
 * writes. Node.js can't tell that from a DNS that doesn't answer, and neither needs rights on this machine.
 */
class HangingResolver implements AsyncDisposable {
  readonly #folder = new TempFolder();
  readonly #pipe = join(this.#folder.path, "aliases");
  #writer: FileHandle | undefined;

  constructor() {
    execFileSync("mkfifo", [this.#pipe]);
  }

  /** For the environment of a program. */
  get env(): Readonly<Record<string, string>> {
    return { HOSTALIASES: this.#pipe };
  }

  /** Resolves when a lookup has begun. */
  async isAsked(): Promise<void> {
    // Nobody can open the pipe for writing, without waiting, before somebody reads it.
    const flags = constants.O_WRONLY | constants.O_NONBLOCK;
    this.#writer = await until("a lookup", () => open(this.#pipe, flags).catch(() => undefined));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writer?.close();
    this.#folder[Symbol.dispose]();
  }
}

describe("fluxd with a DNS that doesn't answer", () => {
  it("ends when it's told to, in order and with code 0", async () => {
    await using resolver = new HangingResolver();
    await using repository = await TestRepository.create({});
    const fluxd = await Fluxd.start({
      gitUrl: repository.url,
      flags: ["--embedded-cluster", "--connect=ws://upstream"],
      env: resolver.env,
    });
    try {
      await fluxd.ready();
      await resolver.isAsked();

      let exit: ProgramEnd | undefined;
      void fluxd.stop().then((ended) => (exit = ended));
      const ended = await until("fluxd to end", () => exit);

      assert.deepEqual(ended, { code: 0, signal: null }, fluxd.log);
      assert.match(fluxd.log, /exiting="?received SIGTERM/);
    } finally {
      await fluxd.stop("SIGKILL");
      await fluxd[Symbol.asyncDispose]();
    }
  });
});
