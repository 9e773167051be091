/**
 * Control characters forge lines in what is shown of the log; characters that turn the direction of writing or that
 * nobody sees make one name look like another; separators of lines and paragraphs break the line. The two joiners that
 * several scripts are written with (U+200C, U+200D) are none of these.
 */
const UNCLEAN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
const ALL_UNCLEAN = new RegExp(UNCLEAN, "gu");

/** Whether a text is one line of characters that show. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !UNCLEAN.test(text);
}

/**
 * A text on one line of characters that show: the others as escapes. For what somebody outside has chosen and a
 * terminal is to show.
 */
export function printable(text: string): string {
  return text.replaceAll(ALL_UNCLEAN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
