import { quoteGo } from "@weir/base";
import {
  type ImageRef,
  type Policy,
  type PolicyChanges,
  partsOfResourceId,
  printImageName,
  type ResourceId,
} from "@weir/flux";
import { CommandError } from "./command-error.ts";
import type { ShellCommand, Updater } from "./config-file.ts";
import type { ConfigPlace } from "./find-config.ts";
import { runInShell, type ShellSettings } from "./shell.ts";

/** An image for updaters to set. */
export interface ImageUpdate {
  readonly id: ResourceId;
  readonly container: string;
  readonly image: ImageRef;
}

/** Policy changes for updaters to make. */
export interface PolicyChange {
  readonly id: ResourceId;
  readonly changes: PolicyChanges;
}

/** Runs a .flux.yaml's updaters to set the image of a container. Rejects with CommandError or NoUpdatersError. */
export async function runImageUpdaters(
  place: ConfigPlace,
  { id, container, image }: ImageUpdate,
  settings: UpdaterSettings,
  signal: AbortSignal,
): Promise<void> {
  const updaters = updatersOf(place, "update.containerImage");
  const commands = updaters.flatMap(({ containerImage }) => containerImage ?? []);
  const environment = {
    ...workloadVariables(id),
    FLUX_CONTAINER: container,
    FLUX_IMG: printImageName(image),
    FLUX_TAG: image.tag,
  };
  await runAll("image", commands, environment, place, settings, signal);
}

/** A .flux.yaml has no commands for a change. */
export class NoUpdatersError extends Error {
  override readonly name = "NoUpdatersError";
  /** The .flux.yaml, as named in the source of its manifests. */
  readonly source: string;

  constructor(updater: string, { file, gitPath, source }: ConfigPlace) {
    super(`no ${updater} commands to run in ${file} (from path ${gitPath})`);
    this.source = source;
  }
}

/** Runs the updaters for policy changes, one after another. Rejects with CommandError or NoUpdatersError. */
export async function runPolicyUpdaters(
  place: ConfigPlace,
  { id, changes }: PolicyChange,
  settings: UpdaterSettings,
  signal: AbortSignal,
): Promise<void> {
  for (const [policy, value] of changes) {
    const updaters = updatersOf(place, "updaters.policy");
    const commands = updaters.flatMap((updater) => updater.policy ?? []);
    const environment = { ...workloadVariables(id), ...policyVariables(policy, value) };
    await runAll("annotation", commands, environment, place, settings, signal);
  }
}

/** How to run updaters; from the environment, they get only PATH. */
export type UpdaterSettings = Omit<ShellSettings, "workingDir">;

function updatersOf(place: ConfigPlace, name: string): readonly Updater[] {
  const updaters = place.config.kind === "command" ? place.config.updaters : [];
  if (updaters.length === 0) {
    throw new NoUpdatersError(name, place);
  }
  return updaters;
}

function workloadVariables(id: ResourceId): Readonly<Record<string, string>> {
  const { namespace, kind, name } = partsOfResourceId(id);
  return { FLUX_WORKLOAD: id, FLUX_WL_NS: namespace, FLUX_WL_KIND: kind, FLUX_WL_NAME: name };
}

/** A policy to remove has no value. */
function policyVariables(policy: Policy, value: string | undefined): Readonly<Record<string, string>> {
  return { FLUX_POLICY: policy, ...(value === undefined ? {} : { FLUX_POLICY_VALUE: value }) };
}

async function runAll(
  what: "image" | "annotation",
  commands: readonly ShellCommand[],
  variables: Readonly<Record<string, string>>,
  { workingDir, source }: ConfigPlace,
  { environment, timeout, clock }: UpdaterSettings,
  signal: AbortSignal,
): Promise<void> {
  const given = { ...variables, PATH: environment["PATH"] ?? "" };
  const settings = { workingDir, timeout, clock, environment: given };
  for (const command of commands) {
    const { failure, both } = await runInShell(command, settings, signal);
    if (failure !== undefined) {
      const message = `error executing ${what} updater command ${quoteGo(command.command)} from file ${quoteGo(source)}: ${failure}\noutput:\n${both}`;
      throw new CommandError(message, source);
    }
  }
}
