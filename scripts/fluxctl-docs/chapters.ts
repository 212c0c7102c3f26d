/** What a manual tells that no command does. Paragraphs stand apart by empty lines; an indented one is shown as it is. */
export interface Chapter {
  readonly title: string;
  readonly text: string;
}

/** What fluxctl is. */
export const summary =
  "fluxctl asks a fluxd what runs, has it sync and release, and changes what it may do by itself.";

/** Names and what they are for. */
export type Terms = readonly (readonly [name: string, meaning: string])[];

/** The variables of the environment that fluxctl looks at. A flag that is given counts for more. */
export const environment: Terms = [
  ["FLUX_URL", "where fluxd's API is, as --url"],
  ["FLUX_FORWARD_NAMESPACE", "the namespace of fluxd's pod, as --k8s-fwd-ns"],
  ["FLUX_FORWARD_LABELS", "the labels of fluxd's pod, as --k8s-fwd-labels"],
  ["FLUX_SERVICE_TOKEN, WEAVE_CLOUD_TOKEN", "a token, as --token; the second counts where both are set"],
  ["FLUX_TIMEOUT", "how long to wait, as --timeout"],
  ["KUBECONFIG", "the kubeconfig files, else ~/.kube/config"],
  ["HTTP_PROXY, HTTPS_PROXY, NO_PROXY", "proxies on the way to fluxd's API and to the cluster"],
  ["NO_COLOR", "with any value: no colours (no-color.org)"],
  ["CLICOLOR, CLICOLOR_FORCE", "CLICOLOR=0: no colours; CLICOLOR_FORCE=1: colours without a screen, too"],
  ["TERM", "dumb: no colours, no progress, nothing drawn over what was there"],
];

/** How fluxctl ends. */
export const exitStatus: Terms = [
  [
    "0",
    "it did what was asked; also where a release was made and its commit is not applied in time, which is said",
  ],
  ["1", "it did not, and stderr says why; of diff: a sync would change something"],
  ["2", "of diff: it cannot tell, or the API server would refuse something"],
  ["130, 143", "somebody ended it, by Ctrl-C or SIGTERM"],
];

/** Chapters on what several commands have in common. */
export const chapters: readonly Chapter[] = [
  {
    title: "Connecting",
    text: `With --url fluxctl asks the API there. With a token alone it asks Weave Cloud. Otherwise it finds fluxd's pod through the cluster of the kubeconfig (--context names another context than the current one) and forwards a port to it: the one running pod in the namespace --k8s-fwd-ns that has the labels --k8s-fwd-labels, or else whose label "name" is flux, fluxd or weave-flux-agent. That takes the rights to list pods and to create pods/portforward there.

    fluxctl --k8s-fwd-ns=flux list-workloads
    fluxctl --url=http://localhost:3030/api/flux list-workloads

A workload is named <namespace>:<kind>/<name>, or <kind>/<name> in the namespace of --namespace, else of the kubeconfig's context, else default.`,
  },
  {
    title: "Output",
    text: `What was asked for goes to stdout: tables, JSON, YAML, keys, scripts. What happens meanwhile, and errors, go to stderr.

Lists take -o: tab is Flux's table, wide has more columns (replicas, all policies, labels and messages; ages and digests of images), json and yaml have all there is in the shape of the API, and name has a line for each thing that another command takes:

    fluxctl list-workloads -n prod -o name | xargs -n1 fluxctl lock -w

With --watch, fluxctl shows the list again whenever it changes, until you press Ctrl-C. On a screen the new list replaces the old one; in a pipe it follows the old one. A fluxd that goes away meanwhile is waited for. sync --watch and release --watch follow the rollouts of what they changed, until all are ready; where one has a problem they end with exit status 1.

On a screen there are colours, a line that tells what is waited for, and below an error what can be done about it. In a pipe or a file there is none of these.`,
  },
  {
    title: "Completion",
    text: `Shells learn fluxctl's commands, flags, and the names of workloads, namespaces, containers and images that fluxd knows at the moment:

    source <(fluxctl completion bash)                             # ~/.bashrc
    source <(fluxctl completion zsh)                              # ~/.zshrc, behind compinit
    fluxctl completion fish | source                              # ~/.config/fish/config.fish
    fluxctl completion powershell | Out-String | Invoke-Expression  # $PROFILE`,
  },
];
