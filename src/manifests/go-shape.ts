/**
 * The Go types into which Flux v1 decodes manifests, as far as it reads them. A manifest that doesn't fit is refused
 * with an error that names the Go type.
 */
export type Shape =
  | { readonly kind: "text" }
  | { readonly kind: "int" }
  | { readonly kind: "any" }
  | { readonly kind: "list"; readonly type: string; readonly item: Shape }
  | { readonly kind: "map"; readonly type: string; readonly value: Shape }
  | { readonly kind: "struct"; readonly type: string; readonly fields: ReadonlyMap<string, Shape> };

const text: Shape = { kind: "text" };
const int: Shape = { kind: "int" };
const texts: Shape = { kind: "map", type: "map[string]string", value: text };

const metadata = struct(
  'struct { Namespace string "yaml:\\"namespace\\""; Name string "yaml:\\"name\\""; Annotations map[string]string "yaml:\\"annotations,omitempty\\"" }',
  { namespace: text, name: text, annotations: texts },
);

// Fields without a tag have lower-case names, so imagePullSecrets, for example, is ignored.
const container = struct("resource.ContainerSpec", {
  name: text,
  image: text,
  args: list("resource.Args", text),
  ports: list(
    "[]resource.ContainerPort",
    struct("resource.ContainerPort", { containerport: int, name: text }),
  ),
  env: list("resource.Env", struct("resource.EnvEntry", { name: text, value: text })),
});
const volume = struct("resource.Volume", {
  name: text,
  secret: struct("struct { SecretName string }", { secretname: text }),
});
const podSpec = struct("resource.PodSpec", {
  imagepullsecrets: list("[]struct { Name string }", struct("struct { Name string }", { name: text })),
  volumes: list("[]resource.Volume", volume),
  containers: list("[]resource.ContainerSpec", container),
  initContainers: list("[]resource.ContainerSpec", container),
});
const podTemplate = struct("resource.PodTemplate", {
  metadata: struct("resource.ObjectMeta", { labels: texts, annotations: texts }),
  spec: podSpec,
});
const templateOnly = struct("struct { Template resource.PodTemplate }", { template: podTemplate });

/** The type into which every manifest is decoded first. */
export const anyManifest = struct("resource.baseObject", { apiVersion: text, kind: text, metadata });

/** The type into which manifests of some kinds are then decoded. */
export const manifestsByKind: ReadonlyMap<string, Shape> = new Map([
  [
    "Deployment",
    withSpec("resource.Deployment", "resource.DeploymentSpec", { replicas: int, template: podTemplate }),
  ],
  [
    "StatefulSet",
    withSpec("resource.StatefulSet", "resource.StatefulSetSpec", { replicas: int, template: podTemplate }),
  ],
  ["DaemonSet", struct("resource.DaemonSet", { spec: templateOnly })],
  [
    "CronJob",
    withSpec("resource.CronJob", "resource.CronJobSpec", {
      jobTemplate: struct("struct { Spec struct { Template resource.PodTemplate } }", { spec: templateOnly }),
    }),
  ],
]);

/** The type into which a list of manifests is decoded. */
export const manifestList = struct("resource.rawList", {
  items: list("[]map[string]interface {}", {
    kind: "map",
    type: "map[string]interface {}",
    value: { kind: "any" },
  }),
});

function withSpec(type: string, specType: string, fields: Readonly<Record<string, Shape>>): Shape {
  return struct(type, { spec: struct(specType, fields) });
}

function struct(type: string, fields: Readonly<Record<string, Shape>>): Shape {
  return { kind: "struct", type, fields: new Map(Object.entries(fields)) };
}

function list(type: string, item: Shape): Shape {
  return { kind: "list", type, item };
}
