import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { load } from "js-yaml";
import { configMap, deployment } from "../../support/manifests.ts";
import { programs } from "../../support/programs.ts";
import { TestRepository } from "../../support/repository.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const examples = join(root, "examples", "pipelines");

/** A pipeline's script for the diff, and what its platform sets for it. */
interface Pipeline {
  readonly name: string;
  readonly script: string;
  readonly env: (folder: string) => Readonly<Record<string, string>>;
  /** How the platform clones: the commands, in an empty folder. */
  readonly clone: (url: string) => string;
}

interface GithubWorkflow {
  readonly jobs: { readonly diff: { readonly steps: readonly { readonly run?: string }[] } };
}

interface GitlabPipeline {
  readonly diff: { readonly script: readonly string[] };
}

function read(...path: readonly string[]): unknown {
  return load(readFileSync(join(examples, ...path), "utf8"));
}

const github = read("github", ".github", "workflows", "diff.yaml") as GithubWorkflow;
const gitlab = read("gitlab", ".gitlab-ci.yml") as GitlabPipeline;

const pipelines: readonly Pipeline[] = [
  {
    name: "GitHub Actions",
    script: github.jobs.diff.steps.flatMap(({ run = [] }) => run).join("\n"),
    env: (folder) => ({
      GITHUB_WORKSPACE: join(folder, "clone"),
      GITHUB_BASE_REF: "master",
      GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
    }),
    clone: (url) => `git clone --quiet ${url} clone && cd clone && git checkout --quiet proposal`,
  },
  {
    name: "GitLab CI",
    script: gitlab.diff.script.join("\n"),
    env: () => ({ CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "master" }),
    clone: (url) =>
      `git init --quiet clone && cd clone && git remote add origin ${url} && git fetch --quiet --depth=1 origin proposal && git checkout --quiet FETCH_HEAD`,
  },
];

/** Runs a script in a shell with nothing but fluxctl, git, and an empty home around it. */
function run(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const path = [programs, process.env["PATH"]].join(":");
  const surroundings = { PATH: path, GIT_CONFIG_NOSYSTEM: "1", ...env };
  return new Promise<{ readonly exit: number; readonly output: string }>((resolve) => {
    execFile("sh", ["-e", "-c", script], { cwd, env: surroundings }, (error, stdout, stderr) => {
      const exit = typeof error?.code === "number" ? error.code : error ? -1 : 0;
      resolve({ exit, output: stdout + stderr });
    });
  });
}

for (const { name, script, env, clone } of pipelines) {
  describe(`the pipeline for ${name}`, () => {
    /** Runs the pipeline for a change of a repository; resolves to its exit code and what it would comment. */
    async function proposed(files: Readonly<Record<string, string | null>>) {
      using folder = new TempFolder();
      await using repository = await TestRepository.create({
        "web.yaml": deployment("web"),
        "gone.yaml": configMap("gone"),
        "same.yaml": configMap("same"),
      });
      const main = await repository.upstream("rev-parse", "master");
      const proposal = await repository.push(files, "a proposal");
      await repository.upstream("branch", "proposal", proposal);
      await repository.upstream("update-ref", "refs/heads/master", main);
      const home = join(folder.path, "home");
      await mkdir(home);
      const cloned = await run(clone(repository.url), folder.path, { HOME: home });
      assert.equal(cloned.exit, 0, cloned.output);
      const clonePath = join(folder.path, "clone");
      const { exit, output } = await run(script, clonePath, { HOME: home, ...env(folder.path) });
      return { exit, output, comment: await readFile(join(clonePath, "diff.md"), "utf8") };
    }

    it("succeeds and tells what a proposal changes", async () => {
      const { exit, output, comment } = await proposed({
        "web.yaml": deployment("web", "example.test/app:2"),
        "gone.yaml": null,
        "new.yaml": configMap("new", "v1", "shop"),
      });

      assert.equal(exit, 0, output);
      assert.deepEqual(
        comment.split("\n").filter((line) => /^(\*\*|<details>|[+-] +- image)/.test(line)),
        [
          "**1 added, 1 changed, 1 removed**",
          "<details><summary>removed <code>default:configmap/gone</code></summary>",
          "<details><summary>changed <code>default:deployment/web</code> (<code>web.yaml</code>)</summary>",
          "-        - image: example.test/app:1",
          "+        - image: example.test/app:2",
          "<details><summary>added <code>shop:configmap/new</code> (<code>new.yaml</code>)</summary>",
        ],
      );
    });

    it("succeeds if nothing changes", async () => {
      const { exit, output, comment } = await proposed({ "README.md": "words\n" });

      assert.equal(exit, 0, output);
      assert.equal(comment, "<!-- fluxctl diff -->\n\n**0 added, 0 changed, 0 removed**\n");
    });

    it("fails and names each mistake with its place", async () => {
      const { exit, comment } = await proposed({
        "web.yaml": deployment("web").replace("replicas: 1", "replicas: -1"),
        "gone.yaml": "kind: [\n",
      });

      assert.notEqual(exit, 0);
      assert.match(comment, /^\*\*.*, 2 invalid\*\*$/m);
      assert.match(comment, /^gone\.yaml:2: .*did not find expected node content$/m);
      assert.match(comment, /^web\.yaml:1: default:deployment\/web: .*spec\.replicas: Invalid value: -1/m);
    });
  });
}
