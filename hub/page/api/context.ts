import { createContext, useContext } from "react";
import { Api } from "./api.ts";

/** The API that the page uses. */
export const ApiContext = createContext(new Api());

/** The API that the page uses. */
export function useApi(): Api {
  return useContext(ApiContext);
}
