import type { JsonObject } from "@weir/base";
import type { Express, RequestHandler } from "express";
import { type ApiOptions, restApi } from "./api.ts";
import { apiPrefix } from "./openapi.ts";
import { plainApp } from "./plain-app.ts";
import { overTls, securityHeaders } from "./security-headers.ts";

/** What the console serves to people and programs. */
export interface ConsoleAppOptions extends ApiOptions {
  readonly openApi: JsonObject;
  /** Sends the page and its files. */
  readonly page: RequestHandler;
  /** True if people reach the console over TLS. */
  readonly isOverTls: boolean;
}

/** Answers requests for the page and the REST API; leaves other paths of APIs, such as those of Flux's, to what follows. */
export function consoleApp(options: ConsoleAppOptions): Express {
  const headers = { ...securityHeaders, ...(options.isOverTls ? overTls : {}) };
  const app = plainApp();
  app.use((request, response, next) => {
    if (request.path.startsWith("/api/") && !request.path.startsWith(`${apiPrefix}/`)) {
      next("router");
    } else {
      response.set(headers);
      next();
    }
  });
  app.use(apiPrefix, restApi(options));
  app.use(options.page);
  return app;
}
