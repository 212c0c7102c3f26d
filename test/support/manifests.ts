/** A ConfigMap with one key. */
export function configMap(name: string, value = "v1", namespace = "default"): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  namespace: ${namespace}
data:
  key: ${value}
`;
}

/** A Deployment of one container. */
export function deployment(name: string, image = "example.test/app:1", replicas = 1): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: default
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
        - name: main
          image: ${image}
`;
}

/** A Deployment whose one container gets the newest image that the tag pattern lets through. */
export function automatedDeployment(name: string, image: string, pattern: string): string {
  return deployment(name, image).replace(
    "metadata:\n",
    `metadata:\n  annotations:\n    fluxcd.io/automated: "true"\n    fluxcd.io/tag.main: ${pattern}\n`,
  );
}

/** A Namespace. */
export function namespace(name: string): string {
  return `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${name}\n`;
}
