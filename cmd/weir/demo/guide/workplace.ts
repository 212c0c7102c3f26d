import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What there is to work with in the demo. */
export interface Surroundings {
  /** The demo's folder, which is removed in the end. */
  readonly folder: string;
  /** The program. */
  readonly fluxctl: string;
  /** The base URL of fluxd's API. */
  readonly url: string;
  readonly kubeconfig: string;
  /** Where an empty file is an image. */
  readonly registry: string;
  /** The clone of the repository. */
  readonly clone: string;
}

/**
 * A place for a person to work: a file for shells to read, and a fluxctl that also notes how it was called, so that the
 * demo knows what was tried.
 */
export class Workplace {
  /** The file that a shell reads to work here. */
  readonly file: string;
  /** The environment of a command that runs here. */
  readonly env: NodeJS.ProcessEnv;
  readonly clone: string;
  readonly #calls: string;

  constructor({ folder, fluxctl, url, kubeconfig, registry, clone }: Surroundings) {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    this.#calls = join(folder, "calls");
    this.clone = clone;
    this.file = join(folder, "env");
    writeFileSync(this.#calls, "");
    const note = `printf '%s\\n' "$*" >> ${quoted(this.#calls)}`;
    writeFileSync(join(bin, "fluxctl"), `#!/bin/sh\n${note}\nexec ${quoted(fluxctl)} "$@"\n`, {
      mode: 0o755,
    });
    const variables = { FLUX_URL: url, KUBECONFIG: kubeconfig, REGISTRY: registry };
    this.env = { ...process.env, ...variables, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
    const lines = [
      ...Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`),
      `export PATH=${quoted(bin)}:"$PATH"`,
      `cd ${quoted(clone)}`,
    ];
    writeFileSync(this.file, `${lines.join("\n")}\n`);
  }

  /** The arguments of each fluxctl that was run here, oldest first. */
  calls(): readonly string[] {
    return readFileSync(this.#calls, "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("__complete"));
  }
}

/** A text as a word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
