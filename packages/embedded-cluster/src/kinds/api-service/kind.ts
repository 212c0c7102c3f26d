import { setDefault } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { apiServiceCells } from "./cells.ts";
import { apiServiceRules } from "./rules.ts";

/** APIServices. */
export const apiService: Kind = {
  bucket: "apiservices.apiregistration.k8s.io",
  rules: apiServiceRules,
  defaults: {
    "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference": (service) =>
      setDefault(service, "port", 443),
  },
  cells: apiServiceCells,
};
