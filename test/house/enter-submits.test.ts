/**
 * Enter sends what was typed: every text field of a page stands in a form that can be submitted, or does its own at
 * every letter.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/** Fields that take letters. */
const FIELD = /<(?:TextField|NumberField|FieldInput|input)\b[^>]*?>/gs;
const CHOICE = /type="(?:checkbox|radio|range)"/;
const FORM = /<form\b.*?<\/form>/gs;

/** Files of fields that stand in a form of another file, or in none; each with the reason. */
const WITHOUT_FORM: Readonly<Record<string, string>> = {
  "web/src/account/text-field.tsx": "the field itself",
  "web/src/entry/number-field.tsx": "the field itself",
  "web/src/console/field-input.tsx": "the field itself",
  "web/src/entry/bracket-fields.tsx": "stands in the order form",
  "web/src/entry/exit-fields.tsx": "stands in the order form",
  "web/src/entry/order-fields.tsx": "stands in the order form",
  "web/src/panels/open-orders.tsx": "a cell of a table, which hears Enter by itself",
  "web/src/account/keys-section.tsx": "a cell of a table, which hears Enter by itself; its form has a button",
  "web/src/console/act-dialog.tsx": "the field is made before the form that it stands in",
  "web/src/console/listing-wizard.tsx": "the field is made before the form that it stands in",
  "web/src/panels/past.tsx": "filters at every letter",
  "web/src/market/market-list.tsx": "filters at every letter, and Enter opens the market",
  "web/src/account/statement-section.tsx": "filters at every letter, and when a day is changed",
  "web/src/console/all-calls.tsx": "filters at every letter",
  "web/src/console/list-view.tsx": "filters when it is changed, which Enter does",
};

function faultsIn(text: string): string[] {
  const forms = text.match(FORM) ?? [];
  const faults = forms.flatMap((form) => {
    const fields = (form.match(FIELD) ?? []).filter((field) => !CHOICE.test(field));
    // With one field a browser submits without a button.
    const canSubmit =
      /type="submit"|type=\{[^}]*"submit"/.test(form) || fields.length === 1 || /<[A-Z]\w*Buttons\b/.test(form);
    return [
      ...(/onSubmit=/.test(form) ? [] : ["a form without onSubmit"]),
      ...(canSubmit ? [] : ["a form without a button that submits it"]),
    ];
  });
  const outside = text.replaceAll(FORM, "").match(FIELD) ?? [];
  return [...faults, ...outside.filter((field) => !CHOICE.test(field)).map(() => "a text field outside of every form")];
}

test("every text field of the pages stands in a form that Enter submits", () => {
  const sources = repositoryFiles("web/src").filter((path) => path.endsWith(".tsx"));
  const faults = sources.flatMap((path) => {
    const found = faultsIn(readFileSync(join(repositoryRoot, path), "utf8"));
    return path in WITHOUT_FORM ? [] : found.map((fault) => `${path}: ${fault}`);
  });
  assert.deepEqual(faults, []);
  for (const path of Object.keys(WITHOUT_FORM)) assert.ok(sources.includes(path), `${path} is gone`);
});

test("a form without a way to submit it, and a field outside of forms, are found", () => {
  const two = '<TextField name="a" /><TextField name="b" />';
  assert.deepEqual(faultsIn(`<form onSubmit={send}>${two}<button type="submit" /></form>`), []);
  assert.deepEqual(faultsIn('<form onSubmit={send}><input class="a" /></form>'), []);
  assert.deepEqual(faultsIn(`<form onSubmit={send}>${two}<button type="button" /></form>`), [
    "a form without a button that submits it",
  ]);
  assert.deepEqual(faultsIn(`<form>${two}<button type="submit" /></form>`), ["a form without onSubmit"]);
  assert.deepEqual(faultsIn('<div><NumberField name="a" /></div>'), ["a text field outside of every form"]);
  assert.deepEqual(faultsIn('<input type="checkbox" />'), []);
});
