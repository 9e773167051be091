/** Whether the next market that is chosen gets a tab of its own, or takes the place of the one that is shown. */
let opensNew = false;

export function openInNewTab(): void {
  opensNew = true;
}

/** Also said when the list of markets is closed without a choice. */
export function openInSameTab(): void {
  opensNew = false;
}

/** Asked once for each choice. */
export function takesNewTab(): boolean {
  const is = opensNew;
  opensNew = false;
  return is;
}
