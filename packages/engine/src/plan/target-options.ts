import type { KubeObject } from "@weir/kube";
import { type ApplyMethod, type ObjectSyncOptions, syncOptionsOf } from "./sync-options.ts";

/**
 * How a target is written. The fields have the names and meanings of Argo CD's sync options; docs/engine.md
 * lists them.
 */
export interface TargetOptions {
  readonly method: ApplyMethod;
  /** False: fields that the server doesn't know are dropped without an error. */
  readonly validate: boolean;
  /** True: an object whose change the server refuses is deleted and created again. */
  readonly force: boolean;
  /** True: in a dry run, a kind that the server doesn't have yet isn't an error. */
  readonly skipDryRunOnMissingResource: boolean;
  /** True: with server-side apply, fields that client-side apply owned are handed over. */
  readonly clientSideApplyMigration: boolean;
  /** True: fields that the comparison ignores keep their live values in what is written. */
  readonly respectIgnoreDifferences: boolean;
}

const usual: TargetOptions = {
  method: "client-side",
  validate: true,
  force: false,
  skipDryRunOnMissingResource: false,
  clientSideApplyMigration: true,
  respectIgnoreDifferences: true,
};

/** The options of a target: what it says itself comes before what the request says. */
export function targetOptionsOf(object: KubeObject, request: Partial<TargetOptions>): TargetOptions {
  const said = syncOptionsOf(object);
  function choose(name: Exclude<keyof TargetOptions, "method">): boolean {
    return said[name] ?? request[name] ?? usual[name];
  }
  return {
    method: methodOf(said, request.method ?? usual.method),
    validate: choose("validate"),
    force: choose("force"),
    skipDryRunOnMissingResource: choose("skipDryRunOnMissingResource"),
    clientSideApplyMigration: choose("clientSideApplyMigration"),
    respectIgnoreDifferences: choose("respectIgnoreDifferences"),
  };
}

/** Replace comes before ServerSideApply, whoever says it; each can be switched off for an object. */
function methodOf({ replace, serverSideApply }: ObjectSyncOptions, requested: ApplyMethod): ApplyMethod {
  if (replace ?? requested === "replace") {
    return "replace";
  }
  return (serverSideApply ?? requested === "server-side") ? "server-side" : "client-side";
}
