/** Serves what CustomResourceDefinitions define, says so in their status, and cleans up when they go. */

import { timestamp } from "../../api/api-context.ts";
import { apiServiceOf } from "../../bootstrap/api-services.ts";
import { createWithStatus } from "../../bootstrap/bootstrap.ts";
import { isCondition, setConditions } from "../../conditions.ts";
import type { ClusterWriter } from "../../controllers/cluster-writer.ts";
import type { Controller } from "../../controllers/controller.ts";
import { type Owned, read } from "../../controllers/owned.ts";
import { bucketOf } from "../../resources/served-resource.ts";
import type { StoreEvent } from "../../storage/bucket.ts";
import { ensureTree, stringAt, type Tree, treeAt } from "../../tree.ts";
import { acceptNames } from "./definition-names.ts";
import { cleanupFinalizer } from "./rules.ts";

const bucket = "customresourcedefinitions.apiextensions.k8s.io";

const apiServices = "apiservices.apiregistration.k8s.io";

export class DefinitionController implements Controller {
  readonly name = "definition";
  readonly #writer: ClusterWriter;

  constructor(writer: ClusterWriter) {
    this.#writer = writer;
  }

  keysOf({ object, type }: StoreEvent): readonly string[] {
    const { store } = this.#writer.context;
    if (object.bucket === bucket) {
      // One that is gone has set names free.
      return type === "DELETED"
        ? [
            "",
            ...store
              .bucket(bucket)
              .list("")
              .map(({ name }) => name),
          ]
        : [object.name];
    }
    // The last object that a definition waits for may be gone.
    return type === "DELETED" && store.get(bucket, "", object.bucket)?.deleting === true
      ? [object.bucket]
      : [];
  }

  reconcile(name: string): undefined {
    const stored = this.#writer.context.store.get(bucket, "", name);
    if (stored === undefined) {
      this.#forgetApis();
    } else if (stored.deleting) {
      this.#cleanUp(read(stored));
    } else {
      this.#establish(read(stored));
    }
  }

  #establish({ stored, tree }: Owned): void {
    const { store, clock, registry } = this.#writer.context;
    const others = store
      .bucket(bucket)
      .list("")
      .filter(({ name }) => name !== stored.name)
      .map(read);
    const { names, condition } = acceptNames(
      tree,
      others.map((other) => other.tree),
    );
    const now = timestamp(clock);
    const isGood = condition.status === "True" || isCondition(treeAt(tree, "status"), "Established");
    this.#writer.update(stored, "status", (next) => {
      const status = ensureTree(next, "status");
      status["acceptedNames"] = names;
      setConditions(status, now, [
        condition,
        isGood
          ? {
              type: "Established",
              status: "True",
              reason: "InitialNamesAccepted",
              message: "the initial names have been accepted",
            }
          : {
              type: "Established",
              status: "False",
              reason: "NotAccepted",
              message: "not all names are accepted",
            },
      ]);
    });
    const group = stringAt(tree, "spec", "group");
    for (const { version } of registry.group(group)?.versions ?? []) {
      createWithStatus(this.#writer, apiServiceOf({ group, version }, "true", now));
    }
  }

  /** Deletes the objects of a definition, then lets it go. */
  #cleanUp({ stored, tree }: Owned): void {
    const { store, clock } = this.#writer.context;
    const own = store.bucket(ownBucket(tree));
    own
      .list("")
      .filter((object) => !object.deleting)
      .forEach((object) => this.#writer.delete(object));
    if (own.size === 0) {
      this.#writer.removeFinalizer(stored, cleanupFinalizer);
      return;
    }
    this.#writer.update(stored, "status", (next) =>
      setConditions(ensureTree(next, "status"), timestamp(clock), [
        {
          type: "Terminating",
          status: "True",
          reason: "InstanceDeletionInProgress",
          message: "CustomResource deletion is in progress",
        },
      ]),
    );
  }

  /** API services of groups and versions that are no longer served. */
  #forgetApis(): void {
    const { store, registry } = this.#writer.context;
    for (const service of store.bucket(apiServices).list("").map(read)) {
      const [group, version] = [
        stringAt(service.tree, "spec", "group"),
        stringAt(service.tree, "spec", "version"),
      ];
      const isServed = registry.group(group)?.versions.some((one) => one.version === version) === true;
      const isOurs = service.stored.labels["kube-aggregator.kubernetes.io/automanaged"] === "true";
      if (isOurs && !isServed) {
        this.#writer.delete(service.stored);
      }
    }
  }
}

function ownBucket(definition: Tree): string {
  return bucketOf(stringAt(definition, "spec", "group"), stringAt(definition, "spec", "names", "plural"));
}
