import type { KubeEyes } from "@weir/testing";
import { type DefinitionModule, defineKinds } from "./module-definitions.ts";

const folder = "config/crd/bases";

/** The modules of one release of Flux v2. */
const modules: readonly DefinitionModule[] = [
  {
    path: "github.com/fluxcd/source-controller",
    version: "v1.9.0",
    sum: "h1:5msg2yyjVYDULZos+2ve8MZzcSqTpusiXmrOeBhc9yY=",
    folder,
    files: ["source.toolkit.fluxcd.io_gitrepositories.yaml"],
  },
  {
    path: "github.com/fluxcd/kustomize-controller",
    version: "v1.9.0",
    sum: "h1:WfM+bQUGUGW2qyrrTgh2bIVSZSPmc3JC7234K8NiTWQ=",
    folder,
    files: ["kustomize.toolkit.fluxcd.io_kustomizations.yaml"],
  },
  {
    path: "github.com/fluxcd/image-reflector-controller",
    version: "v1.2.0",
    sum: "h1:ojsV55VNVyuu1AVTwq9Si0tLrKCRwE8od4I/UY2UolU=",
    folder,
    files: ["image.toolkit.fluxcd.io_imagepolicies.yaml", "image.toolkit.fluxcd.io_imagerepositories.yaml"],
  },
  {
    path: "github.com/fluxcd/image-automation-controller",
    version: "v1.2.0",
    sum: "h1:Buso7CwZmTdk6OJmlYYCDeQNYVIuSQ764UwHpjf2/fM=",
    folder,
    files: ["image.toolkit.fluxcd.io_imageupdateautomations.yaml"],
  },
];

/** Defines the kinds of Flux v2 in a cluster, and resolves when they are served. */
export function defineFlux2(kube: KubeEyes): Promise<void> {
  return defineKinds({ name: "flux2-definitions", modules }, kube);
}
