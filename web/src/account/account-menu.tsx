/** Who is signed in, and where to. */
export function AccountMenu() {
  return null;
}
