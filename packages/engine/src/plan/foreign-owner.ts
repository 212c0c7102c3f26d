/**
 * Recognizes live objects that other tools manage, by the marks that those tools leave on them. Two tools that
 * manage one object undo each other's work, and either one may delete it.
 */
import type { JsonValue } from "@weir/base";
import { annotationOf, type KubeObject, labelOf } from "@weir/kube";
import { lastAppliedOf } from "../diff/last-applied.ts";
import { objectOf, textOf } from "../health/fields.ts";

const trackingId = "argocd.argoproj.io/tracking-id";

/** A tool, or another unit, that manages an object. */
export interface ForeignOwner {
  /** E.g. "Helm". */
  readonly tool: string;
  /** What manages the object there, e.g. "release demo/web". */
  readonly name: string;
}

/** How a tool marks its objects. */
interface Mark {
  readonly tool: string;
  /** The label or annotation that all of its objects have. */
  readonly key: string;
  /** What manages the object, or undefined if it isn't the tool's. */
  readonly nameOf: (object: KubeObject) => string | undefined;
}

const marks: readonly Mark[] = [
  // pkg/action/validate.go of Helm, which adopts objects only with all of these.
  { tool: "Helm", key: "meta.helm.sh/release-name", nameOf: helmRelease },
  // docs/user-guide/resource_tracking.md of Argo CD: its annotation, and the label that it recommends instead.
  { tool: "Argo CD", key: trackingId, nameOf: trackedApplication },
  {
    tool: "Argo CD",
    key: "argocd.argoproj.io/instance",
    nameOf: (object) => named("application", labelOf(object, "argocd.argoproj.io/instance")),
  },
  // The API docs of kustomize-controller and helm-controller; the domain is that of their project.
  {
    tool: "kustomize-controller",
    key: "kustomize.toolkit",
    nameOf: (object) => toolkitObject(object, "kustomize", "Kustomization"),
  },
  {
    tool: "helm-controller",
    key: "helm.toolkit",
    nameOf: (object) => toolkitObject(object, "helm", "HelmRelease"),
  },
  // https://carvel.dev/kapp/docs/latest/state-namespace/
  byLabel("kapp", "kapp.k14s.io/app", "app"),
  // pkg/inventory of sigs.k8s.io/cli-utils, which kpt and others use.
  byAnnotation("an inventory of cli-utils", "config.k8s.io/owning-inventory", "inventory"),
  // https://cloud.google.com/kubernetes-engine/config-sync/docs/how-to/managing-objects
  {
    tool: "Config Sync",
    key: "configmanagement.gke.io/managed",
    nameOf: (object) =>
      annotationOf(object, "configmanagement.gke.io/managed") === "enabled"
        ? named("object", annotationOf(object, "configsync.gke.io/resource-id"))
        : undefined,
  },
  // pkg/apply of github.com/rancher/wrangler, with which Fleet applies its bundles.
  byAnnotation("Fleet", "objectset.rio.cattle.io/id", "object set"),
  // What the ClusterServiceVersion of an operator owns: https://olm.operatorframework.io
  byLabel("Operator Lifecycle Manager", "olm.owner", "owner"),
  // pkg/oam of github.com/kubevela/pkg.
  byLabel("KubeVela", "app.oam.dev/name", "application"),
  // cluster/addons/addon-manager/README.md of Kubernetes; in its other mode, it only creates objects.
  {
    tool: "the addon manager",
    key: "addonmanager.kubernetes.io/mode",
    nameOf: (object) =>
      labelOf(object, "addonmanager.kubernetes.io/mode") === "Reconcile" ? "an addon" : undefined,
  },
];

const keys: ReadonlySet<string> = new Set(marks.map(({ key }) => key));

/**
 * The tools that manage a live object, by their marks. A mark that the manifest has too doesn't count: for
 * example, the output of `helm template` has Helm's label. `target` is undefined for an object without a
 * manifest; then, the configuration that was last applied counts as its manifest.
 */
export function foreignOwnersOf(live: KubeObject, target: KubeObject | undefined): readonly ForeignOwner[] {
  if (!mayBeMarked(live)) {
    return [];
  }
  const owners = marks.flatMap(({ tool, nameOf }) => {
    const name = nameOf(live);
    return name === undefined ? [] : [{ tool, name, nameOf }];
  });
  const manifest = owners.length === 0 ? undefined : (target ?? lastApplied(live));
  return owners
    .filter(({ name, nameOf }) => manifest === undefined || nameOf(manifest) !== name)
    .map(({ tool, name }) => ({ tool, name }));
}

/** The first tool that manages a live object, as words: "Helm (release demo/web)"; undefined if none does. */
export function foreignOwnerOf(live: KubeObject, target: KubeObject | undefined): string | undefined {
  const [owner] = foreignOwnersOf(live, target);
  return owner && `${owner.tool} (${owner.name})`;
}

/** Nearly no object is marked: a look at its keys is enough to tell. */
function mayBeMarked({ metadata: { labels, annotations } }: KubeObject): boolean {
  return hasMarkKey(labels) || hasMarkKey(annotations);
}

function hasMarkKey(entries: KubeObject["metadata"]["labels"]): boolean {
  return Object.keys(entries ?? {}).some(isMarkKey);
}

/** The group of the toolkit's controllers is "<controller>.toolkit.<domain of the project>". */
function isMarkKey(key: string): boolean {
  const at = key.indexOf(".toolkit.");
  return keys.has(at < 0 ? key : key.slice(0, at + ".toolkit".length));
}

function helmRelease(object: KubeObject): string | undefined {
  const release = annotationOf(object, "meta.helm.sh/release-name") ?? "";
  const namespace = annotationOf(object, "meta.helm.sh/release-namespace") ?? object.metadata.namespace ?? "";
  const isHelms = labelOf(object, "app.kubernetes.io/managed-by") === "Helm";
  return isHelms && release !== "" ? `release ${namespace}/${release}` : undefined;
}

/** "<application>:<group>/<kind>:<namespace>/<name>": it says whose it is, so a copy of it doesn't count. */
function trackedApplication(object: KubeObject): string | undefined {
  const [application, kind, place] = (annotationOf(object, trackingId) ?? "").split(":");
  const { name = "" } = object.metadata;
  const isItsOwn = kind?.endsWith(`/${object.kind}`) === true && place?.endsWith(`/${name}`) === true;
  return isItsOwn ? named("application", application) : undefined;
}

function toolkitObject(object: KubeObject, controller: string, kind: string): string | undefined {
  const labels = Object.entries(object.metadata.labels ?? {});
  const valueOf = (what: string): string =>
    labels.find(([key]) => key.startsWith(`${controller}.toolkit.`) && key.endsWith(`/${what}`))?.[1] ?? "";
  const name = valueOf("name");
  return name === "" ? undefined : `${kind} ${valueOf("namespace")}/${name}`;
}

function byLabel(tool: string, key: string, what: string): Mark {
  return { tool, key, nameOf: (object) => named(what, labelOf(object, key)) };
}

function byAnnotation(tool: string, key: string, what: string): Mark {
  return { tool, key, nameOf: (object) => named(what, annotationOf(object, key)) };
}

function named(what: string, name: string | undefined): string | undefined {
  return name === undefined || name === "" ? undefined : `${what} ${name}`;
}

/** The part of the last-applied configuration that marks are in; undefined if there's none. */
function lastApplied(live: KubeObject): KubeObject | undefined {
  try {
    const applied = lastAppliedOf(live);
    if (applied === null) {
      return undefined;
    }
    const { labels, annotations } = objectOf(applied["metadata"]);
    const { name, namespace = "" } = live.metadata;
    const metadata = { ...(name === undefined ? {} : { name }), namespace };
    return { ...live, metadata: { ...metadata, labels: textsIn(labels), annotations: textsIn(annotations) } };
  } catch {
    return undefined;
  }
}

function textsIn(value: JsonValue | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([key, text]) => [key, textOf(text)]));
}
