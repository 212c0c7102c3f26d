import type { KeyService } from "../key-service.ts";
import type { MasterKey } from "../master-key.ts";

/** A key service for each type of master key that can be used. */
export type KeyServices = Partial<Readonly<Record<MasterKey["type"], KeyService>>>;

/** A key service that passes each master key to the service for its type. Other types are refused. */
export function dispatchingKeyService(services: KeyServices): KeyService {
  return {
    decrypt: async (key, signal) => {
      const service = services[key.type];
      if (service === undefined) {
        throw new Error(`keys of the type ${key.type} aren't supported here`);
      }
      return await service.decrypt(key, signal);
    },
  };
}
