import type { JsonObject } from "@weir/base";
import type { Query } from "../generators/api-queries.ts";
import { printRef, readRef } from "./image-ref.ts";
import { readId } from "./resource-id.ts";
import { whyUnreadable } from "./world.ts";

/** What Flux makes of a query: what it asks its daemon for, or the text of its answer 400. */
export type Read = { readonly asked: JsonObject } | { readonly refused: string };

/** A release that is asked for in the query. pkg/http/daemon/server.go, UpdateImages. */
export function readOldRelease(query: Query): Read {
  const [image = "", kind = ""] = [valuesOf(query, "image")[0], valuesOf(query, "kind")[0]];
  const [services, excludes] = [valuesOf(query, "service"), valuesOf(query, "exclude")];
  const refused =
    firstOf(services, workloadProblem, "service spec") ??
    firstOf([image], imageProblem, "image spec") ??
    firstOf([kind], kindProblem, "release kind") ??
    firstOf(excludes, idProblem, "excluded service");
  if (refused !== undefined) {
    return { refused };
  }
  const [User = "", Message = ""] = [valuesOf(query, "user")[0], valuesOf(query, "message")[0]];
  return {
    asked: {
      type: "image",
      cause: { Message, User },
      spec: {
        ServiceSpecs: services.map((text) => readId(text) ?? text),
        ImageSpec: image === "<all latest>" ? image : printRef(readRef(image)),
        Kind: kind,
        Excludes: excludes.length === 0 ? null : excludes.map((text) => readId(text) ?? text),
        Force: false,
      },
    },
  };
}

/** A question for workloads. pkg/http/daemon/server.go, ListServicesWithOptions. */
export function readServices(query: Query): Read {
  const [namespace = "", services = ""] = [valuesOf(query, "namespace")[0], valuesOf(query, "services")[0]];
  const ids = services === "" ? [] : services.split(",");
  const refused = firstOf(ids, idProblem, "service spec");
  return refused === undefined
    ? { asked: { namespace, workloads: ids.map((text) => readId(text) ?? text) } }
    : { refused };
}

function valuesOf(query: Query, key: string): readonly string[] {
  return query.filter(([name]) => name === key).map(([, value]) => value);
}

function firstOf(
  texts: readonly string[],
  problemOf: (text: string) => string | undefined,
  what: string,
): string | undefined {
  const bad = texts.find((text) => problemOf(text) !== undefined);
  return bad === undefined ? undefined : `parsing ${what} ${JSON.stringify(bad)}: ${problemOf(bad) ?? ""}`;
}

function idProblem(text: string): string | undefined {
  return readId(text) === undefined ? `parsing ${text}: invalid service ID` : undefined;
}

function workloadProblem(text: string): string | undefined {
  const problem = idProblem(text);
  return text === "<all>" || problem === undefined ? undefined : `invalid workload spec: ${problem}`;
}

function imageProblem(text: string): string | undefined {
  const { ok, tag } = readRef(text);
  if (text === "<all latest>" || (ok && tag !== "")) {
    return undefined;
  }
  if (ok) {
    return "blank tag (if you want latest, explicitly state the tag :latest): invalid image ID";
  }
  return whyUnreadable(text);
}

function kindProblem(text: string): string | undefined {
  return text === "plan" || text === "execute" ? undefined : "invalid release kind";
}
