/** What the help of a flag leaves open: values, limits, and where to read on. Markdown, by the name of the flag. */
export const notes: Readonly<Record<string, string>> = {
  "log-format": "`fmt` is logfmt, `json` is a JSON object per line. Any other value is logfmt.",
  listen:
    "Everyone who can reach this address can use the API: listen on `127.0.0.1:3030`, restrict access with a NetworkPolicy, or set [`--listen-token-file`](#listen-token-file). See [the threat model](../SECURITY.md#threat-model).",
  "listen-metrics": "`/metrics` is then served only at this address.",
  "git-url": "A password in the URL isn't shown in logs, events, or the API.",
  "git-path":
    "Without a leading slash. Repeat the flag, or separate the paths with commas. Without it, fluxd syncs the whole repository.",
  "git-readonly": "For a repository that fluxd can't push to. Image updates and policy changes then fail.",
  "git-label":
    "Give each cluster that syncs the same repository a label of its own: see [several clusters](../examples/clusters/README.md).",
  "git-sync-tag": "fluxd moves this tag to each commit that it has synced.",
  "git-timeout": "Must be longer than 0. Large repositories may need more for the first clone.",
  "git-poll-interval":
    "Must be longer than 0. With [webhooks](webhooks.md), pushes are seen within seconds, whatever the interval.",
  "git-secret": "Weir decrypts the files itself and doesn't start `git-secret`.",
  sops: "Weir decrypts the files itself and doesn't start `sops`. Keys can be PGP, age, AWS KMS, GCP KMS, Azure Key Vault, and Vault.",
  "git-gpg-key-import": "Files, or folders with files, of exported keys.",
  "git-signing-key":
    "The ID of an OpenPGP key, or the path of an SSH key, which begins with `/` or `.`. See [Signatures](signatures.md).",
  "git-verify-signatures-mode": "See [Signatures](signatures.md).",
  "sync-interval": "Must be longer than 0.",
  "sync-timeout":
    "Must be longer than 0. Reading the repository and running generators count; applying, and waiting for hooks and waves, doesn't.",
  "sync-garbage-collection":
    "Deletes only objects that this fluxd created, and that carry the mark of its repository, branch, and paths. See [what garbage collection keeps](differences.md#garbage-collection), and [`--sync-prune-limit`](#sync-prune-limit).",
  "sync-state":
    "`secret` keeps the synced commit in an annotation of the Secret with the SSH key, and needs no push access.",
  "manifest-generation":
    "`.flux.yaml` files run commands: whoever can push to the repository can run programs in fluxd's container. See [examples](../examples/README.md).",
  "memcached-hostname":
    "Without memcached, set this to an empty value, and image metadata is kept in the process.",
  "registry-exclude-image": "A given value replaces the default.",
  "registry-insecure-host": "Host names with their port, as in image references.",
  "registry-require": "`ecr` is the only value.",
  "docker-config": "In the format of `~/.docker/config.json`. It's read again when it changes.",
  "k8s-allow-namespace":
    "Doesn't restrict cluster-scoped objects; grant permissions accordingly. See `fluxctl install --least-privilege` in [fluxctl](fluxctl.md#fluxctl-install).",
  "k8s-default-namespace": "Otherwise, the namespace of the kubeconfig's context, or else `default`.",
  "kubernetes-kubectl": "Weir doesn't run `kubectl`.",
  "k8s-verbosity": "Weir has no klog.",
  "kube-config": "If there is no such file, fluxd uses `KUBECONFIG`, or else the service account of its pod.",
  "k8s-secret-name":
    "Weir also keeps suspensions, the history of syncs, and the progress of syncs with hooks in annotations of this Secret.",
  "ssh-keygen-dir":
    "Without a mounted key, fluxd generates one here and stores it in the Secret. `fluxctl identity` prints its public key.",
  connect: "`ws://`, `wss://`, `http://`, or `https://`.",
  token: "Also visible to everyone who can read the Deployment: prefer a Secret.",
  "embedded-cluster": "Without a folder, the cluster is kept in memory, and gone when fluxd ends.",
  "git-ssh-allowed-signers": "See [Signatures](signatures.md).",
  "listen-token-file": "fluxd reads the file for each request, so that a mounted Secret can be replaced.",
  "listen-webhooks": "See [Webhooks](webhooks.md).",
  "webhooks-config": "See [Webhooks](webhooks.md).",
  "sync-prune-limit": "See [garbage collection](differences.md#garbage-collection).",
  "write-back-style": "`flux` or `minimal`.",
};
