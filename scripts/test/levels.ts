/** The levels of tests, as data: what each runs, and what it may take. docs/testing.md says what belongs where. */
import { join } from "node:path";
import type { ToolLevel } from "@weir/testing";

const root = join(import.meta.dirname, "..", "..");
const bin = join(root, "node_modules", ".bin");
const node = process.execPath;

/** A part of a run: one command that passes or fails, or test files. */
export type Part = Check | TestFiles;

export interface Check {
  readonly kind: "check";
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

export interface TestFiles {
  readonly kind: "tests";
  readonly name: string;
  /** A glob, from the root of the repository. */
  readonly files: string;
  /** Only those of the files that contain this. */
  readonly containing?: RegExp;
  /** For `node --test`. */
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** It runs no program that is built. */
  readonly sourcesOnly?: true;
  /** In continuous integration, the part runs only if a path that changed begins with one of these. */
  readonly covers?: readonly string[];
}

export interface Level {
  readonly name: ToolLevel;
  readonly command: string;
  readonly says: string;
  readonly parts: readonly Part[];
  /** How many of the parts run at the same time. */
  readonly atOnce: number;
  /** About how long it takes with two processors, where nothing else runs. */
  readonly minutes: number;
  /** What all parts may take together; more fails the run. */
  readonly processorSeconds: number;
  /** What a single file may take; more fails the run, too. */
  readonly fileSeconds: number;
}

/** Where tests are; a package's are next to its code. */
const outsideHub = "{test,packages/*/test,dev/*/test}";
const everywhere = "{test,packages/*/test,dev/*/test,hub/test}";

const oneProcess = "--test-isolation=none";
const sharedControlPlanes = "--test-global-setup=./dev/testing/src/shared-control-planes.ts";
const atOnce = (files: number): string => `--test-concurrency=${files}`;

/** What other parts use; it runs before them. */
export const made: readonly string[] = ["build", "go-programs"];

/** In quick runs, properties try a third of their cases. */
const fewCases = { WEIR_FUZZ_RUNS: "0.34" };

const build = check("build", node, "scripts/build.ts");

const fast: Level = {
  name: "fast",
  command: "npm test",
  says: "everything that needs no more than Node.js, git, gpg, and ssh-keygen",
  minutes: 12,
  processorSeconds: 1600,
  fileSeconds: 40,
  atOnce: 2,
  parts: [
    build,
    tests("e2e", `${everywhere}/e2e/**/*.test.ts`, { options: [atOnce(2)] }),
    check("lint", "npm", "run", "--silent", "lint"),
    check("types", "npm", "run", "--silent", "types"),
    tests("unit", `${everywhere}/unit/**/*.test.ts`, {
      options: [oneProcess],
      env: fewCases,
      sourcesOnly: true,
    }),
    check("layers", "npm", "run", "--silent", "layers"),
    check("dead-code", "npm", "run", "--silent", "dead-code"),
    check("format", join(bin, "biome"), "check", "."),
    check("licenses", node, "scripts/licenses.ts"),
    tests("parity", "test/parity/**/*.test.ts", { options: [atOnce(1)], sourcesOnly: true }),
    tests("differential", "test/differential/**/*.test.ts", {
      options: [atOnce(1)],
      env: fewCases,
      sourcesOnly: true,
    }),
    check("demo", join(root, "dist", "weir"), "demo", "--once"),
    // One process, as its tests share one PGlite, which takes five seconds to start.
    tests("hub", "hub/test/integration/**/*.test.ts", {
      options: [oneProcess],
      env: fewCases,
      sourcesOnly: true,
    }),
    tests("integration", `${outsideHub}/integration/**/*.test.ts`, {
      options: [atOnce(2)],
      env: fewCases,
    }),
  ],
};

const full: Level = {
  name: "full",
  command: "npm run test:full",
  says: "real servers, pods, browsers, and terminals, and properties with all their cases",
  minutes: 40,
  processorSeconds: 3600,
  fileSeconds: 300,
  atOnce: 1,
  parts: [
    build,
    check("go-programs", node, "scripts/test-programs.ts", "full"),
    tests("properties", `${everywhere}/{unit,integration}/**/*.test.ts`, {
      containing: /\bfc\.(assert|sample)\(/,
      options: [atOnce(2)],
    }),
    tests("differential", "test/differential/**/*.test.ts", { options: [atOnce(2)], sourcesOnly: true }),
    tests("fuzz", "test/fuzz/**/*.test.ts", { options: [atOnce(1)], sourcesOnly: true }),
    tests("real-servers", `${everywhere}/{integration,e2e}/**/*.test.ts`, {
      containing: /\bdescribeOn(EachCluster|BothDatabases|Server)\(/,
      options: [atOnce(3), sharedControlPlanes],
      env: { WEIR_TEST_SERVERS: "real" },
    }),
    tests("postgresql", `${everywhere}/full/postgresql/**/*.test.ts`, {
      options: [atOnce(2)],
      env: { WEIR_TEST_SERVERS: "real" },
    }),
    ...["daemon", "load", "cluster", "programs", "terminal", "browser", "pods"].map((folder) =>
      tests(folder, `${everywhere}/full/${folder}/**/*.test.ts`, {
        options: [atOnce(3), sharedControlPlanes],
      }),
    ),
  ],
};

const release: Level = {
  name: "release",
  command: "npm run test:release",
  says: "what is delivered: programs, packages, charts, images, and the documents about them",
  minutes: 60,
  processorSeconds: 7200,
  fileSeconds: 1200,
  atOnce: 1,
  parts: [
    build,
    check("go-programs", node, "scripts/test-programs.ts", "release"),
    tests("release", `test/release/*.test.ts`, {
      options: [atOnce(2), sharedControlPlanes],
      covers: [
        ...["dev/release", "scripts/build", "scripts/licenses", "scripts/image", "scripts/verify-release.sh"],
        ...["test/release", "test/support/chart", "test/support/images"],
        ...["chart", "docker", "Dockerfile", "deploy", "monitoring", "website", "package-lock.json"],
      ],
    }),
    tests("image", "test/{e2e,release/image}/**/*.test.ts", {
      options: [atOnce(3), "--test-global-setup=./test/support/images/delivered-setup.ts"],
      covers: ["docker", "Dockerfile", "dev/release/images", "scripts/image", "test/release/image"],
    }),
    tests("supply-chain", "test/release/supply-chain/**/*.test.ts", {
      options: [atOnce(1)],
      covers: ["dev/release/supply", "scripts/verify-release.sh", "test/release/supply-chain"],
    }),
    tests("loki", "test/release/loki/**/*.test.ts", { covers: ["docs/monitoring.md", "test/release/loki"] }),
    tests("health", "packages/*/test/release/health/**/*.test.ts", {
      options: [oneProcess],
      covers: [
        "packages/engine/src/health",
        "packages/engine/src/lua",
        "packages/engine/test/release/health",
      ],
    }),
  ],
};

export const levels: Readonly<Record<ToolLevel, Level>> = { fast, full, release };

function check(name: string, program: string, ...args: readonly string[]): Check {
  return { kind: "check", name, command: [program, ...args] };
}

function tests(name: string, files: string, rest: Partial<TestFiles> = {}): TestFiles {
  return { ...rest, kind: "tests", name, files };
}
