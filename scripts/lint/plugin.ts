/** What `.oxlintrc.json` loads: the rules that oxlint doesn't have. */
import { fewParameters } from "./few-parameters.ts";

export default { meta: { name: "weir" }, rules: { "few-parameters": fewParameters } };
