/** Terms and their meanings, in Markdown. */
export type Terms = readonly (readonly [term: string, meaning: string])[];

/** Environment variables. No flag can be set from the environment. */
export const environment: Terms = [
  [
    "`HOME`, `USERPROFILE`",
    "the home folder: the default of `--kube-config`, and where ssh and GnuPG look for files",
  ],
  ["`KUBECONFIG`", "the kubeconfig files, if the file of `--kube-config` doesn't exist"],
  [
    "`KUBERNETES_SERVICE_HOST`, `KUBERNETES_SERVICE_PORT`, `POD_NAMESPACE`",
    "the API server and namespace of the pod, if no kubeconfig names a cluster; Kubernetes sets the first two",
  ],
  ["`PATH`", "where git, ssh, ssh-keygen, and the commands of generators are found"],
  ["`TMPDIR`", "the folder for the mirror and the clones of the repository; the default is `/tmp`"],
  [
    "`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`",
    "proxies for registries, cloud services, and git (which doesn't use `HTTP_PROXY`); also in lower case",
  ],
  ["`SSL_CERT_FILE`, `SSL_CERT_DIR`", "certificate authorities to trust instead of those of the system"],
  ["`GNUPGHOME`", "the GnuPG keyring whose keys sign, verify, and decrypt; the default is `~/.gnupg`"],
  ["`SOPS_AGE_KEY`, `SOPS_AGE_KEY_FILE`, `XDG_CONFIG_HOME`", "age keys for `--sops`"],
  [
    "`VAULT_ADDR`, `VAULT_TOKEN`, `VAULT_NAMESPACE`, `VAULT_CACERT`, `VAULT_SKIP_VERIFY` and others of Vault",
    "Vault, for `--sops`",
  ],
  [
    "`AWS_REGION`, `AWS_PROFILE`, `AWS_ACCESS_KEY_ID`, `AWS_ROLE_ARN` and others of the AWS SDK",
    "credentials for ECR, and for AWS KMS with `--sops`",
  ],
  ["`GOOGLE_APPLICATION_CREDENTIALS`, `CLOUDSDK_CONFIG`", "credentials for GCP KMS with `--sops`"],
  [
    "`AZURE_CLIENT_ID`, `AZURE_TENANT_ID` and others of the Azure SDK",
    "credentials for Azure Key Vault with `--sops`",
  ],
  ["`SECRETS_DIR`, `SECRETS_EXTENSION`", "the names that git-secret uses, for `--git-secret`"],
];

/** Signals. */
export const signals: Terms = [
  [
    "`SIGTERM`, `SIGINT`",
    "fluxd stops: it starts nothing new, ends the programs that it started, and exits with 0. What hasn't stopped after 9 seconds isn't waited for, so that it ends within a pod's grace period.",
  ],
];

/** Exit codes. */
export const exitCodes: Terms = [
  ["`0`", "help, the version, or a stop by a signal"],
  [
    "`1`",
    "a check at startup failed, an address can't be listened on, an internal error, or an upstream that has ended the protocol (410); the last log line says which",
  ],
  ["`2`", "the command line is invalid"],
];

/** Files and folders that fluxd reads or writes without a flag that names them. */
export const files: Terms = [
  [
    "`/etc/fluxd/ssh/identity`",
    "the mounted SSH key; see `--k8s-secret-volume-mount-path` and `--k8s-secret-data-key`",
  ],
  [
    "`/var/run/secrets/kubernetes.io/serviceaccount`",
    "the token, certificate, and namespace of the pod's service account",
  ],
  ["`~/.kube/config`", "the kubeconfig; see `--kube-config`"],
  [
    "`~/.ssh`, `/etc/ssh`",
    "where ssh finds its configuration and `known_hosts`; see [the image](image.md#host-keys)",
  ],
  ["`~/.gnupg`", "the GnuPG keyring; see `GNUPGHOME`"],
  ["`/etc/kubernetes/azure.json`", "credentials for Azure's registry, if it's mounted"],
  [
    "`/etc/resolv.conf`",
    "the domain of the cluster, which is part of the host names under which the API answers",
  ],
  [
    "`flux-gitclone*`, `flux-working*` in `TMPDIR`",
    "the mirror and clones of the repository; removed when they're no longer needed, at the latest by the next start",
  ],
  ["`.flux.yaml` in the repository", "how to generate and update manifests; see `--manifest-generation`"],
];
