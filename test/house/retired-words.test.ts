/** Words of our own that the trade has better ones for: neither the pages nor the code must bring them back. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";

/** A button that names its action and not the thing: "End it", "Take it off the list", "Leave it in". */
const VAGUE_ACT = /word: "[A-Z][a-z]+ it\b[^"]*"|>\s*[A-Z][a-z]+ it\b[ a-z]*\s*<\/button>/;

/** Words of the pages, by what stands in their place. */
const RETIRED: readonly (readonly [RegExp, string])[] = [
  [/\bLeast (?:amount|order|value)\b/, "Minimum"],
  [/"Stands"|>\s*Stands\s*</, "Status"],
  [/\bCame to\b/, "Result"],
  [/["'>]\s*Read again\b/, "Refresh"],
  [/\bTake only cancels\b|\bTake orders again\b/, "Set or Lift cancel-only"],
  [/"Feed (?:it|the index)"/, "Set index price"],
  [/\bAsk the chains\b/, "Reconcile"],
  [/\bAll that can be done\b/, "All actions"],
  [/"Deeds"/, "Actions"],
  [/"Make an? (?:key|user|backup)"|>\s*Make an? (?:key|user|backup)\s*</, "Create"],
  [VAGUE_ACT, "what is acted on: End session, Remove address"],
];

test("the pages of the terminal and the console use the words of the trade", () => {
  const files = globSync("web/src/**/*.{ts,tsx}", { cwd: repositoryRoot });
  assert.ok(files.length > 100);
  const found = files.flatMap((file) => {
    const source = readFileSync(join(repositoryRoot, file), "utf8");
    return RETIRED.filter(([word]) => word.test(source)).map(([word, better]) => `${file}: ${word}, say ${better}`);
  });
  assert.deepEqual(found, []);
});

interface Name {
  /** As parts of an identifier or of a file's name, in small letters. */
  readonly words: readonly string[];
  readonly better: string;
  /** Where the word means this; everywhere unless given. */
  readonly within?: RegExp;
}

/** Words of code and of file names. What is on the wire, in logs or in snapshots keeps its name, as a text. */
const NAMES: readonly Name[] = [
  { words: ["candidacy"], better: "election" },
  { words: ["can bear", "unbearable"], better: "margin check, under-margined" },
  { words: ["bearing"], better: "margin check" },
  { words: ["settle down"], better: "run triggers" },
  { words: ["run ladder"], better: "unwind inventory" },
  { words: ["stirred"], better: "dirty" },
  { words: ["milestone", "milestones"], better: "height index" },
  { words: ["tape"], better: "ring" },
  { words: ["lives"], better: "lifecycle trace", within: /^src\/gateway\/(?:explain|admin|parts)\// },
  { words: ["suffer", "is struck"], better: "inject fault" },
  { words: ["audience"], better: "subscribers" },
  { words: ["greetings", "greet"], better: "initial snapshots" },
  { words: ["joined"], better: "coalesced", within: /^src\/gateway\/ws\/[^/]+$/ },
  { words: ["door", "doors"], better: "port reservation", within: /^src\// },
  { words: ["guardian"], better: "invariant monitor" },
  { words: ["desk"], better: "chain worker", within: /^(?:src\/chains|src\/venue|test\/chains)\// },
  { words: ["news"], better: "chain events", within: /^src\/chains\// },
  { words: ["house"], better: "treasury", within: /^src\/chains\// },
  { words: ["climate"], better: "volatility regime" },
  { words: ["patience"], better: "back-off", within: /^src\/lab\/market\// },
  { words: ["shelf", "shelved"], better: "builtins" },
  { words: ["chronicle"], better: "transcript" },
  { words: ["forms"], better: "command schemas", within: /^src\/engine\// },
  { words: ["numbered"], better: "codes", within: /^src\/engine\// },
  { words: ["purse", "purses"], better: "funds" },
  { words: ["voice"], better: "renderer", within: /^src\// },
  { words: ["witness"], better: "request observer, commit marker" },
  { words: ["crowd"], better: "background traders", within: /^src\/lab\// },
  { words: ["lane", "lanes"], better: "fast path; a lane is files of tests in one process", within: /^src\// },
  { words: ["exchange"], better: "request context", within: /^src\/gateway\/http\// },
  { words: ["site"], better: "router", within: /^src\/gateway\/http\// },
  { words: ["past"], better: "backfill", within: /^src\/history\// },
  { words: ["leaving"], better: "outflow", within: /^src\/engine\/(?:wallet|credit|payments)\// },
  { words: ["standing"], better: "status", within: /^src\/(?:history|engine\/credit)\// },
  { words: ["deed", "deeds"], better: "action" },
  { words: ["happening", "happenings"], better: "event, or rare event for those in JSON" },
];

/** Looks for such words in documents, by patterns that are no texts. */
const RETIRED_PHRASES = "test/house/document-style.test.ts";
/** Names that stay, with their files where only these may use them, and why. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ["greetingTimeout", "an option of the library for mail"],
  ["own_purse", "a ledger account of logs and snapshots"],
  ["purse_paid", "an event of logs"],
  ["numberedKeys", "a rule, under which keys of the API have numbers"],
  ["src/venue/audit-trail.ts: deed", "the table of audit trails that exist"],
  ["src/venue/audit-trail.ts: deed_actor", "an index of that table"],
  ["src/venue/audit-trail.ts: deed_action", "an index of that table"],
  ["src/venue/audit-trail.ts: deed_user", "an index of that table"],
]);
const COMMENT_OR_TEXT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** `isSureToBear` as ` is sure to bear `; `chain-worker.ts` alike. */
function partsOf(name: string): string {
  const apart = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replaceAll(/[^A-Za-z\d]+/g, " ");
  return ` ${apart.toLowerCase().trim()} `;
}

/** What is wrong with a file's name and with the identifiers in it. */
function retiredNamesIn(path: string, source: string): string[] {
  const names = NAMES.filter(({ within }) => within?.test(path) ?? true);
  const code = source.replaceAll(COMMENT_OR_TEXT, " ");
  const identifiers = [basename(path).replace(/\.tsx?$/, ""), ...new Set(code.match(/[A-Za-z_$][\w$]*/g))];
  return identifiers
    .filter((identifier) => !ALLOWED.has(identifier) && !ALLOWED.has(`${path}: ${identifier}`))
    .flatMap((identifier) => {
      const parts = partsOf(identifier);
      const found = names.find(({ words }) => words.some((word) => parts.includes(` ${word} `)));
      return found === undefined ? [] : [`${path}: ${identifier}, say ${found.better}`];
    });
}

test("no file and no identifier bears a word that was retired", () => {
  const files = globSync("{src,test,bench,scripts,client}/**/*.ts", {
    cwd: repositoryRoot,
    exclude: [RETIRED_PHRASES],
  });
  assert.ok(files.length > 1_000);
  const found = files.flatMap((file) => retiredNamesIn(file, readFileSync(join(repositoryRoot, file), "utf8")));
  assert.deepEqual(found, []);
});

/** In each of the folders one word at least is looked for. */
const FOLDERS = [
  "src/engine",
  "src/engine/wallet",
  "src/gateway/http",
  "src/gateway/explain",
  "src/history",
  "src/gateway/explain",
  "src/gateway/ws",
  "src/chains",
  "src/lab/market",
  "src/venue",
];

test("each retired word is found as a name, and not in a text or a comment", () => {
  for (const { words, better, within } of NAMES) {
    const folder = FOLDERS.find((each) => within?.test(`${each}/a.ts`) ?? true);
    for (const word of words) {
      const camel = word.replaceAll(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
      assert.equal(retiredNamesIn(`${folder}/a.ts`, `const ${camel} = 1;`).length, 1, `${word}, say ${better}`);
      assert.equal(retiredNamesIn(`${folder}/${word.replaceAll(" ", "-")}.ts`, "").length, 1, word);
      assert.deepEqual(retiredNamesIn(`${folder}/a.ts`, `/** ${camel} */ const a = "${camel}";`), []);
    }
  }
});
