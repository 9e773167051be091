/** Waits of a fixed time in tests: on a slow machine they are too short, and everywhere else they are too long. */

export interface FixedWait {
  readonly line: number;
  readonly text: string;
}

/** The names under which tests know the timers that are awaited. */
const WAIT = /\bawait (?:pause|delay|sleep|wait|setTimeout)\((?!0\)|\))[^,{]*\)|=> setTimeout\((?:resolve|done|r), /;
/** Heads of loops that look again and again until something has happened. */
const LOOP = /^(?:\w+: )?(?:while \(|do \{|for \([^;]*;.*;|for await \()/;
/** A comment that begins so tells why time itself is the subject, or why nothing can be looked at. */
export const REASON = "// Time itself:";

/** The waits that stand in no loop and have no reason. */
export function fixedWaitsOf(source: string): FixedWait[] {
  const lines = source.split("\n");
  return lines.flatMap((text, at) => {
    if (!WAIT.test(text) || isWithinLoop(lines, at) || hasReason(lines, at)) return [];
    return [{ line: at + 1, text: text.trim() }];
  });
}

/**
 * Whether the line, or the head of a block around it up to its function, begins a loop; by indentation, which the
 * formatter keeps.
 */
function isWithinLoop(lines: readonly string[], at: number): boolean {
  let indent = Number.POSITIVE_INFINITY;
  for (let above = at; above >= 0; above--) {
    const line = lines[above] as string;
    const own = line.search(/\S/);
    if (own < 0 || own >= indent) continue;
    indent = own;
    const text = line.trim();
    if (LOOP.test(text)) return true;
    if (above < at && /^(?:export )?(?:async )?function |^(?:test|it|describe)\(|=> \{$/.test(text)) return false;
  }
  return false;
}

/** In the comment right above the line. */
function hasReason(lines: readonly string[], at: number): boolean {
  let above = at - 1;
  while (above >= 0 && (lines[above] as string).trim().startsWith("//")) {
    if ((lines[above] as string).trim().startsWith(REASON)) return true;
    above--;
  }
  return false;
}
