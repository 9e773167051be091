/** Asks who sits here, where the venue wants to know it again. The dialog hears of it and answers. */
import { createSignal } from "solid-js";

const [asked, setAsked] = createSignal<(isConfirmed: boolean) => void>();

export { asked };

/** Whether somebody has confirmed it. */
export function askConfirmation(): Promise<boolean> {
  return new Promise((resolve) => {
    setAsked(() => (isConfirmed: boolean) => {
      setAsked(undefined);
      resolve(isConfirmed);
    });
  });
}
