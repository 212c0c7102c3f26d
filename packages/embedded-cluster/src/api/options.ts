/** The options of requests, as queries and bodies carry them. */

import { messageOf } from "@weir/base";
import { type LabelSelector, parseLabelSelector } from "@weir/kube";
import { type FieldError, forbidden, notSupported, refuseInvalid, required } from "../field-errors.ts";
import { badRequestError } from "../status-errors.ts";
import { Field } from "../validate/field.ts";
import { checkFieldManager } from "../validate/metadata.ts";
import { type FieldSelector, parseFieldSelector } from "./field-selector.ts";
import type { ApiRequest } from "./request.ts";

/** What is done about fields that are unknown or there twice. */
export type FieldValidation = "Ignore" | "Warn" | "Strict";

/** The options of a create, update or patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  readonly force: boolean;
}

/** The options of a list or watch. */
export interface ListOptions {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector;
  readonly hasSelector: boolean;
  readonly limit: number;
  readonly continueToken: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly watch: boolean;
  readonly allowBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

/**
 * Reads the options of a write; a server-side apply has rules of its own. Throws KubeApiError (400, 422).
 */
export function readWriteOptions(
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  { query, headers: { userAgent } }: Pick<ApiRequest, "query" | "headers">,
  isApply = false,
): WriteOptions {
  const manager = query.get("fieldManager") ?? "";
  const validation = query.get("fieldValidation") ?? "";
  const force = readBoolean(query, "force");
  refuseInvalid({ group: "meta.k8s.io", kind }, "", [
    ...(kind === "PatchOptions" ? checkForce(manager, force, isApply) : []),
    ...checkFieldManager(Field.named("fieldManager", manager)),
    ...checkDryRun(query.getAll("dryRun")),
    ...checkValidation(validation),
  ]);
  return {
    dryRun: query.getAll("dryRun").length > 0,
    fieldManager: manager === "" ? managerOfUserAgent(userAgent) : manager,
    fieldValidation: validation === "Ignore" || validation === "Strict" ? validation : "Warn",
    force: force ?? false,
  };
}

/** Reads the options of a list or watch. Throws KubeApiError (400, 422). */
export function readListOptions(query: URLSearchParams, isWatchPath = false): ListOptions {
  const options = {
    labels: readLabels(query.get("labelSelector") ?? ""),
    fields: parseFieldSelector(query.get("fieldSelector") ?? ""),
    hasSelector: (query.get("labelSelector") ?? "") !== "" || (query.get("fieldSelector") ?? "") !== "",
    limit: readInteger(query, "limit") ?? 0,
    continueToken: query.get("continue") ?? "",
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
    watch: isWatchPath || (readBoolean(query, "watch") ?? false),
    allowBookmarks: readBoolean(query, "allowWatchBookmarks") ?? false,
    sendInitialEvents: readBoolean(query, "sendInitialEvents"),
    timeoutSeconds: readInteger(query, "timeoutSeconds"),
  };
  const errors = options.watch ? checkWatch(options) : checkList(options);
  refuseInvalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
  return options;
}

/** Which dry runs are known: the one that does all but store. */
export function checkDryRun(values: readonly string[]): readonly FieldError[] {
  return values.every((value) => value === "All") ? [] : [notSupported("dryRun", [...values], ["All"])];
}

/** The manager of a write that names none: the program of its user agent. */
export function managerOfUserAgent(userAgent: string): string {
  const [program = ""] = userAgent.split("/");
  const printable = program.replaceAll(/[^\P{C}]/gu, "");
  return printable.slice(0, 128) || "unknown";
}

/** A boolean as Go's API machinery reads it from a query: present means true, but for "0" and "false". */
export function readBoolean(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : !["false", "0"].includes(value.toLowerCase());
}

/** A whole number of a query. Throws KubeApiError (400). */
export function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === "") {
    return undefined;
  }
  if (!/^[+-]?\d+$/.test(text)) {
    throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  return Number(text);
}

function readLabels(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw badRequestError(`unable to parse requirement: ${messageOf(error)}`);
  }
}

function checkForce(manager: string, force: boolean | undefined, isApply: boolean): readonly FieldError[] {
  if (isApply) {
    return manager === "" ? [required("fieldManager", "is required for apply patch")] : [];
  }
  return force === undefined ? [] : [forbidden("force", "may not be specified for non-apply patch")];
}

function checkValidation(value: string): readonly FieldError[] {
  const known = ["", "Ignore", "Strict", "Warn"];
  return known.includes(value) ? [] : [notSupported("fieldValidation", value, known)];
}

type VersionOptions = Pick<
  ListOptions,
  "resourceVersion" | "resourceVersionMatch" | "continueToken" | "sendInitialEvents"
>;

const matchField = "resourceVersionMatch";

function checkList(options: VersionOptions): readonly FieldError[] {
  const { resourceVersionMatch: match, resourceVersion, continueToken } = options;
  const errors: FieldError[] = [];
  if (match !== "") {
    if (resourceVersion === "") {
      errors.push(
        forbidden(matchField, "resourceVersionMatch is forbidden unless resourceVersion is provided"),
      );
    }
    if (continueToken !== "") {
      errors.push(forbidden(matchField, "resourceVersionMatch is forbidden when continue is provided"));
    }
    errors.push(...checkMatch(match, ["Exact", "NotOlderThan", ""]));
    if (match === "Exact" && resourceVersion === "0") {
      const why = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
      errors.push(forbidden(matchField, why));
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function checkWatch(options: VersionOptions): readonly FieldError[] {
  const { resourceVersionMatch: match, sendInitialEvents, continueToken } = options;
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    const why = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
    errors.push(forbidden(matchField, why));
  }
  if (match !== "") {
    if (sendInitialEvents === undefined) {
      const why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
      errors.push(forbidden(matchField, why));
    }
    errors.push(...checkMatch(match, ["NotOlderThan"]));
    if (continueToken !== "") {
      errors.push(forbidden(matchField, "resourceVersionMatch is forbidden when continue is provided"));
    }
  }
  return errors;
}

function checkMatch(match: string, known: readonly string[]): readonly FieldError[] {
  return known.includes(match) ? [] : [notSupported(matchField, match, known)];
}
