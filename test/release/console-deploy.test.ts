import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { flagsOf } from "@weir/cli";
import { lacks, TempFolder } from "@weir/testing";
import { parse } from "yaml";
import { declareServeFlags, declareSharedFlags, variableOf } from "../../hub/cmd/flags.ts";

const folder = join(import.meta.dirname, "../../deploy/console");
const guide = readFileSync(join(import.meta.dirname, "../../hub/docs/console-install.md"), "utf8");
const known = flagsOf({ ...declareSharedFlags(), ...declareServeFlags() });

describe("the console's compose file", () => {
  const { services, secrets } = parse(readFileSync(join(folder, "compose.yaml"), "utf8")) as Compose;

  it("gives the program only flags that it has", () => {
    const [command, ...args] = services.console.command;

    assert.equal(command, "serve");
    const names = args.map((arg) => /^--([a-z-]+)=./.exec(arg)?.[1] ?? arg);
    assert.deepEqual(
      names.filter((name) => !known.some(({ declaration }) => declaration.name === name)),
      [],
    );
  });

  it("has secrets from files only, each of which the guide makes", () => {
    const files = services.console.command.flatMap((arg) => /=\/run\/secrets\/(.*)/.exec(arg)?.[1] ?? []);

    assert.deepEqual(services.console.secrets.toSorted(), files.toSorted());
    for (const name of [...services.console.secrets, ...services.database.secrets]) {
      const file = secrets[name]?.file ?? "";
      assert.match(file, /^\.\/secrets\//);
      assert.ok(guide.includes(`> ${file.slice(2)}`), file);
    }
  });

  it("lets the console write nothing but temporary files", () => {
    const { read_only, cap_drop, user } = services.console;

    assert.deepEqual(
      { read_only, cap_drop, user },
      { read_only: true, cap_drop: ["ALL"], user: "1000:1000" },
    );
  });
});

describe("the console's systemd unit", () => {
  const unit = readFileSync(join(folder, "weir-console.service"), "utf8");

  it("is one that systemd understands", { skip: lacks("systemd") }, async () => {
    using temp = new TempFolder();
    const program = temp.write("weir-console", "#!/bin/sh\n", 0o755);
    const file = temp.write(
      "weir-console.service",
      unit.replace("/opt/weir/weir-console", program).replace(/^EnvironmentFile=.*$/m, ""),
    );

    const { stderr } = await promisify(execFile)("systemd-analyze", ["verify", "--man=no", file]);

    assert.equal(stderr, "");
  });

  it("has a folder for the data that only the console reads", () => {
    assert.match(unit, /^DynamicUser=yes$/m);
    assert.match(unit, /^StateDirectory=weir-console$/m);
    assert.match(unit, /^StateDirectoryMode=0700$/m);
    assert.match(unit, /^ProtectSystem=strict$/m);
  });
});

describe("the guide to installing the console", () => {
  it("names only environment variables and flags that there are", () => {
    const variables = known.map(variableOf);
    const named = [...guide.matchAll(/\bWEIR_CONSOLE_[A-Z_]+/g)].map(([name]) => name);

    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((name) => name !== "WEIR_CONSOLE_IMAGE" && !variables.includes(name)),
      [],
    );
  });
});

interface Compose {
  readonly services: {
    readonly console: {
      readonly command: readonly string[];
      readonly secrets: readonly string[];
      readonly read_only: boolean;
      readonly cap_drop: readonly string[];
      readonly user: string;
    };
    readonly database: { readonly secrets: readonly string[] };
  };
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}
