import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkSource, decodeYaml, encodeYaml } from "@weir/yaml/go-yaml";
import { parse, parseAllDocuments } from "yaml";
import { runProgram } from "./run-program.ts";
import type { StandInSettings } from "./settings.ts";

/** An object as Flux v1 applies it. */
export interface MarkedObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: object;
}

/** The objects of a work tree with Flux's marks: the label for garbage collection and the checksum of the manifest. */
export async function markedObjects(
  tree: string,
  settings: StandInSettings,
): Promise<readonly MarkedObject[]> {
  const roots = settings.paths.length === 0 ? [tree] : settings.paths.map((path) => join(tree, path));
  const texts = (await Promise.all(roots.map((root) => textsBelow(root, settings)))).flat();
  const name = syncSetName(settings);
  return texts.flatMap((text) => documentsOf(text).map((document) => mark(document, name)));
}

/** The files below a folder, or what the generators of its .flux.yaml print. */
async function textsBelow(root: string, { manifestGeneration }: StandInSettings): Promise<readonly string[]> {
  const config = join(root, ".flux.yaml");
  return manifestGeneration && existsSync(config) ? generated(config, root) : plainFiles(root);
}

function plainFiles(root: string): readonly string[] {
  const names = statSync(root).isFile() ? [""] : (readdirSync(root, { recursive: true }) as string[]).sort();
  return names
    .filter((name) => name === "" || /\.ya?ml$/.test(name))
    .map((name) => readFileSync(join(root, name), "utf8"));
}

interface FluxYaml {
  readonly commandUpdated: { readonly generators: readonly { readonly command: string }[] };
}

function generated(config: string, cwd: string): Promise<readonly string[]> {
  const { commandUpdated } = parse(readFileSync(config, "utf8")) as FluxYaml;
  const commands = commandUpdated.generators.map(({ command }) => command);
  return Promise.all(commands.map((command) => runProgram("sh", ["-c", command], { cwd })));
}

interface Document {
  readonly object: MarkedObject;
  /** As Go's yaml.v2 prints it; Flux v1 takes the checksum of that. */
  readonly text: string;
}

function documentsOf(text: string): readonly Document[] {
  const objects = parseAllDocuments(text).map((document) => document.toJS() as MarkedObject);
  const texts = [...decodeYaml(checkSource(text))].map(({ value }) => encodeYaml(value));
  return objects.map((object, index) => ({ object, text: texts[index] ?? "" }));
}

function mark({ object, text }: Document, name: string): MarkedObject {
  const { kind, metadata } = object;
  const id = `${metadata.namespace ?? "<cluster>"}:${kind.toLowerCase()}/${metadata.name}`;
  const label = createHash("sha256").update(name).update(id).digest("base64url");
  const checksum = createHash("sha1").update(text).digest("hex");
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, "fluxcd.io/sync-gc-mark": `sha256.${label}` },
      annotations: { ...metadata.annotations, "fluxcd.io/sync-checksum": checksum },
    },
  };
}

function syncSetName({ url, branch, paths }: StandInSettings): string {
  return createHash("sha256")
    .update([url, branch, ...paths].join(""))
    .digest("base64url");
}
