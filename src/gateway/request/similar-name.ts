/** The name that somebody probably meant, for sentences about names that do not exist. */

/** Letters that may be wrong, missing, too many or swapped: one in a short name, two in a longer one. */
const EDITS_MAX = 2;
const SHORT_NAME = 5;
/** Nobody means a known name by more letters than this; comparing costs the product of both lengths. */
const CHARS_MAX = 64;

/**
 * Returns ` Did you mean "x"?`, or an empty text when no known name is similar. `mark` writes the name as the caller's
 * reader spells it.
 */
export function didYouMean(
  name: string,
  known: Iterable<string>,
  mark: (name: string) => string = (similar) => JSON.stringify(similar),
): string {
  const similar = similarName(name, known);
  return similar === undefined ? "" : ` Did you mean ${mark(similar)}?`;
}

/**
 * Returns the known name that differs least from `name`; of equal ones the first. Capitals, `-` and `_` make no
 * difference.
 */
export function similarName(name: string, known: Iterable<string>): string | undefined {
  const wanted = plain(name);
  if (wanted.length === 0 || name.length > CHARS_MAX) return undefined;
  let best: string | undefined;
  let least = (wanted.length <= SHORT_NAME ? 1 : EDITS_MAX) + 1;
  for (const candidate of known) {
    const edits = editsBetween(wanted, plain(candidate));
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** The least number of letters to change, add, drop or swap with the next one: optimal string alignment. */
function editsBetween(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > EDITS_MAX) return EDITS_MAX + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let edits = Math.min(
        (last[column] as number) + 1,
        (line[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) edits = Math.min(edits, (beforeLast[column - 2] as number) + 1);
      line.push(edits);
    }
    [beforeLast, last] = [last, line];
  }
  return last[to.length] as number;
}
