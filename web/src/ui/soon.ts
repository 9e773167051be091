/** Something that is done a moment after it was asked for, once for all who ask within that moment. */

export interface Soon {
  /** Does it in so many ms, unless it is planned for sooner: who asks again and again does not put it off. */
  readonly plan: (inMs: number) => void;
  readonly cancel: () => void;
}

export function soon(run: () => void): Soon {
  let planned: { readonly timer: ReturnType<typeof setTimeout>; readonly inMs: number } | undefined;
  const cancel = () => {
    clearTimeout(planned?.timer);
    planned = undefined;
  };
  const plan = (inMs: number) => {
    if (planned !== undefined && planned.inMs <= inMs) return;
    cancel();
    const timer = setTimeout(() => {
      planned = undefined;
      run();
    }, inMs);
    planned = { timer, inMs };
  };
  return { plan, cancel };
}
