import { messageOf } from "@weir/base";
import { type KubeObject, labelOf } from "@weir/kube";
import type { KubeEyes } from "@weir/testing";
import { ownerLabel } from "../engine-rig.ts";
import type { Meddling, Revision } from "./story.ts";
import { objectOf, ourOwner, patchOf, pathOf, type Thing, type ThingKind, valuesOf } from "./thing.ts";

/** The others in a namespace: what they have there, which nobody may touch, and what they do to ours. */
export class Bystanders {
  readonly #kube: KubeEyes;
  readonly #namespace: string;
  /** The objects as they must stay, by path. */
  readonly #untouched = new Map<string, KubeObject>();

  /** Creates objects that look more or less like ours. */
  static async place(kube: KubeEyes, namespace: string): Promise<Bystanders> {
    const bystanders = new Bystanders(kube, namespace);
    const owner = {
      apiVersion: "v1",
      kind: "Namespace",
      name: namespace,
      uid: "11111111-2222-3333-4444-555555555555",
    };
    const owned = objectOf(plain("owned"), namespace, ourOwner);
    await Promise.all([
      bystanders.#place("ConfigMap", objectOf(plain("stranger"), namespace)),
      bystanders.#place("ConfigMap", objectOf(plain("theirs"), namespace, "them")),
      bystanders.#place("ConfigMap", { ...owned, metadata: { ...owned.metadata, ownerReferences: [owner] } }),
    ]);
    return bystanders;
  }

  private constructor(kube: KubeEyes, namespace: string) {
    this.#kube = kube;
    this.#namespace = namespace;
  }

  /** True for an object that must stay although it has our label. */
  includes({ kind, metadata: { name } }: KubeObject): boolean {
    return this.#untouched.has(this.#path(kind as ThingKind, name));
  }

  /** Notes what changes hands with a revision, before it's synced. */
  async note({ things }: Revision, before: Revision | undefined): Promise<void> {
    for (const thing of things) {
      this.#untouched.delete(this.#path(thing.kind, thing.name));
    }
    for (const { kind, name, options } of before?.things ?? []) {
      if (options.includes("Prune=false") && !things.some((thing) => thing.name === name)) {
        await this.#keep(this.#path(kind, name));
      }
    }
  }

  /** Does something to one of our objects, unless it's gone, or somebody changes it at this moment. */
  async meddle(meddling: Meddling): Promise<void> {
    await this.#act(meddling).catch((error: unknown) => {
      if (!/: (404|409) /.test(messageOf(error))) {
        throw error;
      }
    });
  }

  /** What somebody did to their objects. */
  async complaints(): Promise<readonly string[]> {
    const complaints: string[] = [];
    for (const [path, before] of this.#untouched) {
      const now = await this.#kube.get(path);
      if (now === undefined || now.metadata.uid !== before.metadata.uid) {
        complaints.push(`${path} was deleted, and isn't ours`);
      } else if (contentOf(now) !== contentOf(before)) {
        complaints.push(`${path} was changed, and isn't ours`);
      }
    }
    return complaints;
  }

  async #place(kind: ThingKind, object: KubeObject): Promise<void> {
    await this.#kube.create(pathOf(kind, this.#namespace), object);
    await this.#keep(this.#path(kind, object.metadata.name));
  }

  async #keep(path: string): Promise<void> {
    const live = await this.#kube.get(path);
    if (live !== undefined) {
      this.#untouched.set(path, live);
    }
  }

  async #act(meddling: Meddling): Promise<void> {
    const { thing } = meddling;
    const path = this.#path(thing.kind, thing.name);
    const live = await this.#kube.get(path);
    if (live === undefined || labelOf(live, ownerLabel) !== ourOwner) {
      return;
    }
    const { resourceVersion } = live.metadata;
    switch (meddling.kind) {
      case "edit":
        if (meddling.key in valuesOf({ ...live, kind: thing.kind })) {
          await this.#kube.patch(path, {
            ...patchOf(thing, meddling.key, "drift"),
            metadata: { resourceVersion },
          });
        }
        return;
      case "delete":
        return this.#kube.delete(path);
      case "adopt": {
        const metadata = { resourceVersion, labels: { [ownerLabel]: null } };
        this.#untouched.set(path, await this.#kube.patch(path, { metadata }));
        return;
      }
      case "replace":
        await this.#kube.delete(path);
        return this.#place(thing.kind, objectOf(thing, this.#namespace));
    }
  }

  #path(kind: ThingKind, name = ""): string {
    return pathOf(kind, this.#namespace, name);
  }
}

/** Everything but what a controller reports. */
function contentOf({ metadata, data, spec }: KubeObject): string {
  const { labels, annotations, deletionTimestamp } = metadata;
  return JSON.stringify([labels, annotations, deletionTimestamp, data, spec]);
}

function plain(name: string): Thing {
  return { kind: "ConfigMap", name, values: { a: "theirs" }, wave: 0, options: [] };
}
