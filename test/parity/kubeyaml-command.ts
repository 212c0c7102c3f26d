import { EditError } from "@weir/yaml/ruamel-yaml";
import { ManifestNotFoundError, UnresolvedPathsError } from "../../src/manifests/edit/errors.ts";
import { setAnnotations } from "../../src/manifests/edit/set-annotations.ts";
import { setImage } from "../../src/manifests/edit/set-image.ts";
import { setPaths } from "../../src/manifests/edit/set-paths.ts";

/** How a run of the program ended: what it exits with, what it printed, and the last line of a refusal. */
export interface Outcome {
  readonly exit: number;
  readonly output: string | null;
  readonly stderr: string | undefined;
}

const targetOptions = ["--namespace", "--kind", "--name"];

const commands: ReadonlyMap<string, readonly string[]> = new Map([
  ["image", [...targetOptions, "--container", "--image"]],
  ["annotate", targetOptions],
  ["set", targetOptions],
]);

/** Runs an edit as kubeyaml's command line says it, a crash being any error that is not a refusal. */
export function runKubeyaml(args: readonly string[], input: string | Uint8Array): Outcome {
  try {
    return { exit: 0, output: edit(parseArguments(args), input), stderr: undefined };
  } catch (error) {
    if (error instanceof ManifestNotFoundError || error instanceof UnresolvedPathsError) {
      return { exit: 2, output: null, stderr: error.message.split("\n").at(-1) };
    }
    if (error instanceof UsageError) {
      return { exit: 2, output: null, stderr: undefined };
    }
    if (error instanceof EditError) {
      return { exit: 1, output: null, stderr: "crash" };
    }
    throw error;
  }
}

/** Bad arguments; how the program words that is no matter here. */
class UsageError extends Error {
  override readonly name = "UsageError";
}

interface Arguments {
  readonly command: string;
  readonly options: ReadonlyMap<string, string>;
  readonly pairs: readonly (readonly [string, string])[];
}

function edit({ command, options, pairs }: Arguments, input: string | Uint8Array): string {
  const option = (name: string): string => options.get(name) ?? "";
  const target = { namespace: option("--namespace"), kind: option("--kind"), name: option("--name") };
  switch (command) {
    case "image":
      return setImage(input, target, { container: option("--container"), image: option("--image") });
    case "annotate":
      return setAnnotations(input, target, { changes: pairs.map(([key, value]) => ({ key, value })) });
    default:
      return setPaths(input, target, { paths: pairs.map(([path, value]) => ({ path, value })) });
  }
}

/** As Python's argparse: options may be shortened, the positional arguments stand together. */
function parseArguments([command = "", ...words]: readonly string[]): Arguments {
  const known = commands.get(command);
  if (known === undefined) {
    throw new UsageError(`no command ${command}`);
  }
  const { options, positionals } = parseWords(words, known);
  const missing = known.filter((name) => !options.has(name));
  const surplus = command === "image" ? positionals.length > 0 : positionals.length !== 1;
  if (missing.length > 0 || surplus) {
    throw new UsageError("arguments are missing, or too many");
  }
  return { command, options, pairs: (positionals[0] ?? []).map(keyValuePair) };
}

/** The options, and the runs of positional arguments between them. */
function parseWords(
  words: readonly string[],
  known: readonly string[],
): { options: Map<string, string>; positionals: string[][] } {
  const options = new Map<string, string>();
  const positionals: string[][] = [];
  let onlyPositional = false;
  let run: string[] | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    if (!onlyPositional && word === "--") {
      onlyPositional = true;
    } else if (onlyPositional || isPositional(word, known)) {
      if (run === undefined) {
        run = [];
        positionals.push(run);
      }
      run.push(word);
    } else {
      const { name, value } = option(word, known);
      const next = words[index + 1];
      if (value === undefined && (next === undefined || next === "--" || !isPositional(next, known))) {
        throw new UsageError(`${name} needs a value`);
      }
      index += value === undefined ? 1 : 0;
      options.set(name, value ?? next ?? "");
      run = undefined;
    }
  }
  return { options, positionals };
}

function isPositional(word: string, known: readonly string[]): boolean {
  if (!word.startsWith("-") || word === "-") {
    return true;
  }
  const isOption = matchingOptions(word, known).length > 0;
  return !isOption && (/^-(?:\d+|\d*\.\d+)$/.test(word) || word.includes(" "));
}

function option(word: string, known: readonly string[]): { name: string; value: string | undefined } {
  const [name, ...others] = matchingOptions(word, known);
  if (name === undefined || others.length > 0) {
    throw new UsageError(`no option ${word}`);
  }
  const at = word.indexOf("=");
  return { name, value: at < 0 ? undefined : word.slice(at + 1) };
}

function matchingOptions(word: string, known: readonly string[]): readonly string[] {
  const [given = ""] = word.split("=");
  if (!given.startsWith("--")) {
    return [];
  }
  return known.includes(given) ? [given] : known.filter((name) => name.startsWith(given));
}

function keyValuePair(text: string): readonly [string, string] {
  const [key, value, ...others] = text.split("=");
  if (key === undefined || value === undefined || others.length > 0) {
    throw new UsageError(`${text} is no key=value`);
  }
  return [key, value];
}
