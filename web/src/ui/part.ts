/** Parts of the page that are loaded when they are first shown. */
import { type Component, lazy } from "solid-js";

const RELOADED_AT = "bourse.reloaded";
const AGAIN_MS = 30_000;

/**
 * A component of a module. A venue that was updated has its parts under other names than a page that was open knows:
 * then the page is read again, once.
 */
export function part<Name extends string>(name: Name, load: () => Promise<Record<Name, Component>>): Component {
  return lazy(() =>
    load().then(
      (module) => ({ default: module[name] }),
      (error: unknown) => {
        const before = Number(sessionStorage.getItem(RELOADED_AT));
        if (Date.now() - before < AGAIN_MS) throw error;
        sessionStorage.setItem(RELOADED_AT, `${Date.now()}`);
        location.reload();
        return new Promise<never>(() => {});
      },
    ),
  );
}
