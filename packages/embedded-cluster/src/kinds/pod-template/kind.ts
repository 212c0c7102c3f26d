import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { type Cells, containerCells, nameOf, printLabels } from "../../tables/cell-text.ts";
import { treesAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { checkPodTemplate } from "../pod/validate/pod-spec.ts";

/** The cells of PodTemplates. */
const podTemplateCells: Cells = (object) => [
  nameOf(object),
  ...containerCells(treesAt(object, "template", "spec", "containers")),
  printLabels(object, "template", "metadata", "labels"),
];

/** The rules of PodTemplates. */
const podTemplateRules: KindRules = {
  generation: changesOf("template"),
  returnsDeleted: true,
  check: (template) => checkPodTemplate(template.at("template")),
};

/** PodTemplates: templates of pods on their own. */
export const podTemplate: Kind = { bucket: "podtemplates", rules: podTemplateRules, cells: podTemplateCells };
