/**
 * How Flux v1 is installed: the objects that its Helm chart, `fluxctl install`, and its deploy/ folder leave in a
 * cluster, plain or through kustomize. They differ in labels, names, rights, arguments, volumes, and where the
 * kubeconfig comes from; a switch to Weir has to work with each of them.
 */
export { type ChartValues, chartInstall } from "./flux-installs/chart.ts";
export { type FluxInstall, fluxImage, withImage } from "./flux-installs/install.ts";
export { deployFolderInstall, fluxctlInstall, kustomizedInstall } from "./flux-installs/manifests.ts";
