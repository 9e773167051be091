/** Plants a fault into one module as this thread loads it; modules that use it must be imported afterwards. */
import { registerHooks } from "node:module";

/** One place of the source that is changed. */
export interface Plant {
  /** Stands there exactly once. */
  readonly code: string;
  readonly instead: string;
}

/** `url`: the module's. A place that is gone makes its import fail, so that no fault is planted quietly. */
export function plantFault(url: string, { code, instead }: Plant): void {
  registerHooks({
    load(loading, context, nextLoad) {
      const loaded = nextLoad(loading, context);
      if (loading !== url) return loaded;
      const parts = String(loaded.source).split(code);
      if (parts.length !== 2) {
        const file = url.slice(url.lastIndexOf("/") + 1);
        throw new Error(`${file} holds the code to change ${parts.length - 1} times.`);
      }
      return { ...loaded, source: parts.join(instead) };
    },
  });
}
