import { changesOf } from "../../resources/kind-rules.ts";
import { containerCells, nameOf, printLabels } from "../../tables/cell-text.ts";
import { treesAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { checkPodTemplate } from "../pod/validate/pod-spec.ts";

/** PodTemplates: templates of pods on their own. */
export const podTemplate: Kind = {
  bucket: "podtemplates",
  rules: {
    generation: changesOf("template"),
    returnsDeleted: true,
    check: (template) => checkPodTemplate(template.at("template")),
  },
  cells: (object) => [
    nameOf(object),
    ...containerCells(treesAt(object, "template", "spec", "containers")),
    printLabels(object, "template", "metadata", "labels"),
  ],
};
