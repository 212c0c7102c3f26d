import { type AnyFlag, Flag, findFlag } from "@weir/cli";
import type { GlobalFlags } from "../flags/globals.ts";
import { namespaceOr } from "../flags/namespace.ts";
import type { Terminal } from "../terminal.ts";
import { bareWords, type Candidate, noOffer, type Offer } from "./candidate.ts";
import { askDaemon, type LiveNames } from "./live-names.ts";
import { type HomeNamespace, imageRepositories, tagsOf, workloadNames } from "./names.ts";

/** A flag and its incomplete value. */
interface Value {
  readonly flag: AnyFlag;
  readonly begun: string;
}

/** The flags of a command line, with the values given so far. */
interface Line {
  readonly own: readonly AnyFlag[];
  readonly globals: GlobalFlags;
  readonly terminal: Terminal;
}

/** Finds the possible values of a flag that begin with `begun`. */
type FindValues = (begun: string, line: Line) => Promise<Offer>;

/** The possible values of a flag; for a list, of the part after the last comma. */
export async function offerValues({ flag, begun }: Value, line: Line): Promise<Offer> {
  const { name, values } = flag.declaration;
  if (values !== undefined) {
    const [only, ...others] = values.filter((value) => value.startsWith(begun));
    // What follows "=" is for the person to write.
    return { candidates: bareWords(values), isOpen: others.length === 0 && only?.endsWith("=") === true };
  }
  const find = finders.get(name);
  if (find === undefined) {
    return noOffer;
  }
  const given = flag.type.word === "strings" ? begun.slice(0, begun.lastIndexOf(",") + 1) : "";
  const offer = await find(begun.slice(given.length), line);
  return { ...offer, candidates: offer.candidates.map(({ word, what }) => ({ word: given + word, what })) };
}

const finders: ReadonlyMap<string, FindValues> = new Map<string, FindValues>([
  ["workload", findWorkloads],
  ["controller", findWorkloads],
  ["exclude", findWorkloads],
  ["namespace", findNamespaces],
  ["container", findContainers],
  ["update-image", findImages],
  ["tag", findTagFilters],
  ["tag-all", () => Promise.resolve({ candidates: patternKinds, isOpen: true })],
  ["context", findContexts],
  ["out", () => Promise.resolve({ candidates: [], takesFiles: true })],
  ["output-dir", () => Promise.resolve({ candidates: [], takesFiles: true })],
]);

/** The prefixes of tag filter patterns. */
const patternKinds: readonly Candidate[] = [
  { word: "glob:", what: "wildcards, e.g. glob:master-*" },
  { word: "semver:", what: "a range of versions, e.g. semver:~1.2" },
  { word: "regexp:", what: "a regular expression, e.g. regexp:^v[0-9]+$" },
];

async function findWorkloads(begun: string, line: Line): Promise<Offer> {
  const home = await homeNamespace(line);
  return offerLive(line, async ({ workloads }) => bareWords(workloadNames(await workloads(), begun, home)));
}

async function homeNamespace({ own, globals, terminal }: Line): Promise<HomeNamespace> {
  const given = givenText(own, "namespace");
  return { name: await namespaceOr(given, { env: terminal.env, globals }), isGiven: given !== "" };
}

function findNamespaces(_begun: string, line: Line): Promise<Offer> {
  return offerLive(line, async ({ workloads }) =>
    bareWords([...new Set((await workloads()).map(({ id }) => id.slice(0, id.indexOf(":"))))]),
  );
}

function findContainers(_begun: string, line: Line): Promise<Offer> {
  return offerLive(line, async (names) => bareWords(await containersOf(names, line)));
}

/** First a repository, then its tags, because there can be very many of them. */
async function findImages(begun: string, line: Line): Promise<Offer> {
  const repository = /^(.*[^/]):[^/]*$/.exec(begun)?.[1];
  if (repository === undefined) {
    const offer = await offerLive(line, async ({ workloads }) =>
      bareWords(imageRepositories(await workloads()).map((each) => `${each}:`)),
    );
    return { ...offer, isOpen: true };
  }
  return offerLive(line, async ({ workloads, images }) => tagsOf(repository, await workloads(), images));
}

/** First the container, then the prefix of its pattern. */
async function findTagFilters(begun: string, line: Line): Promise<Offer> {
  const container = /^([^=]*)=/.exec(begun)?.[1];
  if (container !== undefined) {
    const candidates = patternKinds.map(({ word, what }) => ({ word: `${container}=${word}`, what }));
    return { candidates, isOpen: true };
  }
  const offer = await offerLive(line, async (names) =>
    bareWords((await containersOf(names, line)).map((name) => `${name}=`)),
  );
  return { ...offer, isOpen: true };
}

/** Containers of the given workload, or else of all workloads. */
async function containersOf({ workloads }: LiveNames, { own }: Line): Promise<readonly string[]> {
  const workload = givenText(own, "workload");
  const all = await workloads();
  const named = all.filter(({ id }) => workload !== "" && (id === workload || id.endsWith(`:${workload}`)));
  const containers = (named.length > 0 ? named : all).flatMap((each) => each.containers);
  return [...new Set(containers.map(({ name }) => name))];
}

async function findContexts(_begun: string, { terminal }: Line): Promise<Offer> {
  const { contextsOf } = await import("../flags/kube-config-namespace.ts");
  return { candidates: bareWords(await contextsOf(terminal.env)) };
}

async function offerLive(
  { globals, terminal }: Line,
  find: (names: LiveNames) => Promise<readonly Candidate[]>,
): Promise<Offer> {
  return { candidates: (await askDaemon(globals, terminal, find)) ?? [] };
}

/** The value of a flag so far; "" if it isn't given or isn't a string. */
function givenText(flags: readonly AnyFlag[], name: string): string {
  const flag = findFlag(flags, name);
  return flag instanceof Flag && typeof flag.value === "string" ? flag.value : "";
}
