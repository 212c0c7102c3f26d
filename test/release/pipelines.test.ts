import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { TempFolder } from "@weir/testing";
import { parse } from "yaml";

const root = join(import.meta.dirname, "..", "..");

interface GithubWorkflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

interface GitlabJob {
  readonly script?: readonly string[];
}

const readYaml = (file: string): unknown => parse(readFileSync(join(root, file), "utf8"));

/** Without `sudo` and its flags, which GitHub's machines need to install packages. */
function commandOf(line: string): string {
  return line.replace(/^sudo (?:--\S+ )*/, "");
}

describe("the pipelines", () => {
  const commands = [
    ...["sh .ci/run", "sh .ci/run-image", "sh scripts/release-in-pipeline.sh"],
    ...["apt-get install -y -qq skopeo", "sh scripts/release-in-pipeline.sh publish-images"],
  ];

  it("of GitHub call the commands that people call", () => {
    const called = ["test.yaml", "release.yaml"].flatMap((file) =>
      Object.values((readYaml(`.github/workflows/${file}`) as GithubWorkflow).jobs).flatMap(({ steps }) =>
        steps.flatMap(({ run }) => (run === undefined ? [] : [commandOf(run)])),
      ),
    );

    assert.deepEqual(called, ["sh .ci/run", ...commands]);
  });

  it("of GitLab call the same", () => {
    const jobs = Object.values(readYaml(".gitlab-ci.yml") as Readonly<Record<string, GitlabJob>>);

    assert.deepEqual(
      jobs.flatMap(({ script }) => script ?? []),
      commands,
    );
  });
});

describe("a release in a pipeline", () => {
  /** Stands for npm: says how it was called, and what it could see. */
  const npm = `#!/bin/sh
echo "$@"
[ "$6" = --key ] && cat "$7" && echo "$7" > "$SEEN"
[ -n "\${REGISTRY_AUTH_FILE:-}" ] && cat "$REGISTRY_AUTH_FILE" "$DOCKER_CONFIG/config.json"
echo "COSIGN_KEY=\${COSIGN_KEY:-unset} DOCKER_AUTH_CONFIG=\${DOCKER_AUTH_CONFIG:-unset}"
exit \${STATUS:-0}
`;

  const unset = "COSIGN_KEY=unset DOCKER_AUTH_CONFIG=unset";

  async function run(
    env: Readonly<Record<string, string>>,
    ...args: readonly string[]
  ): Promise<{ lines: readonly string[]; key: string }> {
    using folder = new TempFolder();
    writeFileSync(join(folder.path, "npm"), npm, { mode: 0o755 });
    const seen = join(folder.path, "seen");
    const path = `${folder.path}:${process.env["PATH"] ?? ""}`;
    const { stdout } = await promisify(execFile)(
      "sh",
      [join(root, "scripts/release-in-pipeline.sh"), ...args],
      { env: { PATH: path, SEEN: seen, ...env } },
    );
    return {
      lines: stdout.trimEnd().split("\n"),
      key: existsSync(seen) ? readFileSync(seen, "utf8").trim() : "",
    };
  }

  it("signs with the key in a variable, which no program sees, and removes its file", async () => {
    const { lines, key } = await run({ VERSION: "1.2.3", COSIGN_KEY: "line 1\nline 2" });

    assert.deepEqual(lines, [`run release -- --version 1.2.3 --key ${key}`, "line 1", "line 2", unset]);
    assert.equal(existsSync(key), false);
  });

  it("is not signed without one", async () => {
    const { lines } = await run({ VERSION: "1.2.3" });

    assert.deepEqual(lines, ["run release -- --version 1.2.3", unset]);
  });

  it("publishes with a login to the registry, which isn't left behind either", async () => {
    const { lines, key } = await run(
      { VERSION: "1.2.3", COSIGN_KEY: "key", DOCKER_AUTH_CONFIG: '{"auths":{}}' },
      "publish-images",
    );

    assert.deepEqual(lines, [
      `run publish-images -- --version 1.2.3 --key ${key}`,
      ...["key", '{"auths":{}}', '{"auths":{}}', unset],
    ]);
    assert.equal(existsSync(dirname(key)), false);
  });

  it("fails if the release does", async () => {
    await assert.rejects(run({ VERSION: "1.2.3", COSIGN_KEY: "key", STATUS: "3" }), { code: 3 });
  });
});
