import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ResourceResult, SyncResult } from "@weir/engine";
import { parseResourceId, type Resource } from "@weir/flux";
import type { ResourceKey } from "@weir/kube";
import { RecordedLog } from "@weir/testing";
import { KeptLog } from "../../../src/engine-adapter/kept-log.ts";
import { logKept, logPruned, resourceErrors } from "../../../src/engine-adapter/sync-report.ts";

function key(kind: string, namespace: string, name = "a"): ResourceKey {
  return { group: "", kind, namespace, name };
}

function one(of: Partial<ResourceResult>): ResourceResult {
  return { key: key("ConfigMap", "default"), phase: "Sync", wave: 0, code: "Synced", change: "none", ...of };
}

function result(...resources: readonly Partial<ResourceResult>[]): SyncResult {
  return { revision: "abc", phase: "Succeeded", message: "", resources: resources.map(one) };
}

function pruned(...resources: readonly Partial<ResourceResult>[]): readonly string[] {
  const log = new RecordedLog();
  logPruned(log, result(...resources));
  return log.lines;
}

function kept(...resources: readonly Partial<ResourceResult>[]): readonly string[] {
  const log = new RecordedLog();
  logKept(log, result(...resources));
  return log.lines;
}

describe("the errors of a sync", () => {
  const resource: Resource = {
    id: parseResourceId("default:configmap/a"),
    source: "dir/a.yaml",
    bytes: "",
    policies: {},
  };

  it("name the resource and its file", () => {
    const errors = resourceErrors(result({ code: "SyncFailed", error: "refused" }), () => resource);

    assert.deepEqual(errors, [{ id: "default:configmap/a", source: "dir/a.yaml", error: "refused" }]);
  });

  it("name the cluster as the source of what git has no more", () => {
    const errors = resourceErrors(
      result(
        { code: "SyncFailed", error: "forbidden", key: key("ConfigMap", "other") },
        { code: "SyncFailed", error: "forbidden", key: key("ClusterRole", "") },
      ),
      () => undefined,
    );

    assert.deepEqual(errors, [
      { id: "other:configmap/a", source: "<cluster>", error: "forbidden" },
      { id: "<cluster>:clusterrole/a", source: "<cluster>", error: "forbidden" },
    ]);
  });

  it("say what to do about an object of another tool", () => {
    const [error] = resourceErrors(
      result({ code: "Skipped", guard: "foreign", reason: "Helm (release shop/web) manages it" }),
      () => resource,
    );

    assert.equal(
      error?.error,
      "Helm (release shop/web) manages it, so it isn't applied; remove its manifest from git, or take it over with the annotation weir.dev/sync-options: TakeOver=true in the manifest",
    );
  });

  it("are none for what went well, or was not begun", () => {
    const errors = resourceErrors(
      result({ code: "Synced" }, { code: "HeldBack", reason: "an earlier step failed" }),
      () => resource,
    );

    assert.deepEqual(errors, []);
  });
});

describe("what a sync deleted", () => {
  it("is told, also where it only would be", () => {
    assert.deepEqual(
      pruned(
        { code: "Pruned" },
        { code: "PruneSkipped", guard: "prune-dry-run", key: key("Namespace", "", "old") },
        { code: "PruneSkipped", guard: "prune-off" },
        { code: "Synced" },
      ),
      [
        "info=cluster resource not in resources to be synced; deleting dry-run=false resource=default:configmap/a",
        "info=cluster resource not in resources to be synced; deleting dry-run=true resource=<cluster>:namespace/old",
      ],
    );
  });
});

describe("what a sync left alone", () => {
  it("is told with the reason where somebody asked for it", () => {
    assert.deepEqual(
      kept(
        { code: "Skipped", guard: "kept", reason: "ignore annotation in cluster resource" },
        { code: "PruneSkipped", guard: "kept", reason: "resource has ignore policy true" },
        { code: "PruneSkipped", guard: "no-targets", reason: "there are no targets at all" },
      ),
      [
        "info=not applying resource; ignore annotation in cluster resource resource=default:configmap/a",
        "info=skipping GC of cluster resource; resource has ignore policy true resource=default:configmap/a",
        "info=skipping GC of cluster resource; there are no targets at all resource=default:configmap/a",
      ],
    );
  });

  it("is not told where it goes without saying", () => {
    for (const guard of ["prune-off", "prune-dry-run", "opted-out", "owned", "being-deleted"] as const) {
      assert.deepEqual(kept({ code: "PruneSkipped", guard, reason: "any" }), []);
    }
    assert.deepEqual(kept({ code: "Synced" }, { code: "Pruned" }, { code: "HeldBack" }), []);
  });
});

describe("what waits for a person", () => {
  const unconfirmed = { code: "PruneSkipped", guard: "unconfirmed", reason: "any" } as const;
  const heldBack = { code: "PruneSkipped", guard: "prune-limit", reason: "too many" } as const;

  it("is told once, and again if it has changed", () => {
    const log = new RecordedLog();
    const keptLog = new KeptLog(log);
    for (const each of [result(unconfirmed), result(unconfirmed), result(), result(unconfirmed)]) {
      keptLog.tellPending(each);
    }
    keptLog.tellPending(result(unconfirmed, { ...unconfirmed, key: key("ConfigMap", "other") }));

    const line = "warning=not deleting resources until that is confirmed with `fluxctl confirm` resources=";
    assert.deepEqual(log.lines, [
      `${line}default:configmap/a`,
      `${line}default:configmap/a`,
      `${line}default:configmap/a,other:configmap/a`,
    ]);
  });

  it("names no more than twenty resources, and how to go on", () => {
    const log = new RecordedLog();
    const many = Array.from({ length: 21 }, (_, index) => ({
      ...heldBack,
      key: key("ConfigMap", `n${index}`),
    }));
    new KeptLog(log).tellPending(result(...many));

    const [line = ""] = log.lines;
    assert.match(line, /reason=too many to-allow-it=fluxctl confirm --prune abc resources=n0:/);
    assert.match(line, /n19:configmap\/a and 1 more$/);
  });
});
