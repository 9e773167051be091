/**
 * Figures of a page follow what they are computed from. Solid runs a component, and a function child of <Show> or
 * <For>, once: what such a function computes outside of JSX is never computed again, so a total would stay what it was
 * when it was first shown.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseSync } from "vite";
import { repositoryRoot } from "./program.ts";
import { repositoryFiles } from "./repository-files.ts";

/** A node of the syntax tree; which further fields it has follows from its type. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

const CONTROL_FLOW = ["Show", "Match", "For", "Index"];

/** Objects of signals that a component is given once and for all: taking a signal out of one reads nothing. */
const OBJECTS_OF_SIGNALS = ["draft", "sending"];

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

function nodesIn(node: Node): Node[] {
  return [node, ...childrenOf(node).flatMap(nodesIn)];
}

function isFunction(node: Node): boolean {
  return /Function/.test(node.type);
}

function isJsx(node: Node | undefined): boolean {
  if (node?.type === "ParenthesizedExpression") return isJsx(node["expression"] as Node);
  return node?.type === "JSXElement" || node?.type === "JSXFragment";
}

function nameOf(node: Node | undefined): string | undefined {
  return node?.["name"] as string | undefined;
}

/** The places of a source where a read is not tracked, as `line: reason`. */
function untrackedReads(path: string, text: string): string[] {
  const { program } = parseSync(path, text, { lang: "tsx" });
  const found: string[] = [];
  const report = (node: Node, reason: string) => {
    found.push(`${path}:${text.slice(0, node.start).split("\n").length} ${reason}`);
  };
  for (const node of nodesIn(program as unknown as Node)) {
    if (node.type === "JSXElement") checkControlFlow(node, report);
    if (node.type === "FunctionDeclaration" && /^[A-Z]/.test(nameOf(node["id"] as Node | undefined) ?? "")) {
      checkComponent(node, report);
    }
  }
  return found;
}

type Report = (node: Node, reason: string) => void;

function checkControlFlow(element: Node, report: Report): void {
  const opening = element["openingElement"] as Node;
  if (!CONTROL_FLOW.includes(nameOf(opening["name"] as Node) ?? "")) return;
  const isKeyed = (opening["attributes"] as Node[]).some(
    (each) => nameOf(each["name"] as Node | undefined) === "keyed",
  );
  for (const child of element["children"] as Node[]) {
    const given = child["expression"] as Node | undefined;
    if (given === undefined || !isFunction(given)) continue;
    const body = given["body"] as Node;
    // A keyed function runs again for another value; that it reads nothing else has to be said by untrack.
    if (body.type !== "BlockStatement") {
      if (!isJsx(body) && !(isKeyed && isUntracked(body))) report(body, "computes a child once: return JSX");
    } else checkBody(body, report);
  }
}

function checkComponent(component: Node, report: Report): void {
  for (const parameter of component["params"] as Node[]) {
    if (parameter.type === "ObjectPattern") report(parameter, "takes props apart, which reads them once");
  }
  checkBody(component["body"] as Node, report);
}

function checkBody(body: Node, report: Report): void {
  for (const statement of body["body"] as Node[]) {
    if (statement.type === "ReturnStatement" && !isJsx(statement["argument"] as Node)) {
      report(statement, "decides once what is returned: return JSX");
    } else if (statement.type === "IfStatement") {
      report(statement, "decides once: use <Show>");
    } else if (statement.type === "VariableDeclaration") {
      for (const { id, init } of statement["declarations"] as { id: Node; init?: Node | null }[]) {
        const takesApart = id.type === "ObjectPattern" && nameOf(init ?? undefined) === "props";
        if (init !== undefined && init !== null && (takesApart || readsAtOnce(init))) {
          report(statement, "reads once: make it a function, or say untrack");
        }
      }
    }
  }
}

/** Whether an initial value reads a prop or a signal where nothing tracks it. */
function readsAtOnce(node: Node): boolean {
  if (isFunction(node) || isUntracked(node)) return false;
  const callee = node["callee"] as Node | undefined;
  if (node.type === "CallExpression") {
    if (/^(?:create|use)[A-Z]/.test(nameOf(callee) ?? "")) return false;
    if ((node["arguments"] as Node[]).length === 0) return true;
  }
  if (node.type === "MemberExpression" && nameOf(node["object"] as Node) === "props") {
    return !OBJECTS_OF_SIGNALS.includes(nameOf(node["property"] as Node) ?? "");
  }
  return childrenOf(node).some(readsAtOnce);
}

function isUntracked(node: Node): boolean {
  return node.type === "CallExpression" && nameOf(node["callee"] as Node) === "untrack";
}

test("what a page shows is read where it is tracked", () => {
  const sources = repositoryFiles("web/src").filter((path) => path.endsWith(".tsx"));
  assert.ok(sources.length > 50);
  const found = sources.flatMap((path) => untrackedReads(path, readFileSync(join(repositoryRoot, path), "utf8")));
  assert.deepEqual(found, []);
});

/**
 * Effects that run again without a change: `on` calls its effect whenever something that its function reads is set,
 * also to the same. A list was read anew whenever one of its rows was opened.
 */
function needlessEffects(path: string, text: string): string[] {
  const { program } = parseSync(path, text, { lang: path.endsWith("x") ? "tsx" : "ts" });
  return nodesIn(program as unknown as Node)
    .filter((node) => node.type === "CallExpression" && nameOf(node["callee"] as Node | undefined) === "on")
    .filter((node) => (node["arguments"] as Node[])[0]?.type === "ArrowFunctionExpression")
    .map((node) => `${path}:${text.slice(0, node.start).split("\n").length} give "on" a signal or a memo`);
}

test("an effect on a value runs when the value is another one", () => {
  const found = repositoryFiles("web/src")
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => needlessEffects(path, readFileSync(join(repositoryRoot, path), "utf8")));
  assert.deepEqual(found, []);
  assert.equal(needlessEffects("a.ts", "createEffect(on(() => place().area, read));").length, 1);
  assert.equal(needlessEffects("a.ts", "createEffect(on(createMemo(() => place().area), read));").length, 0);
  assert.equal(needlessEffects("a.ts", "createEffect(on(area, read));").length, 0);
});

test("planted reads that are not tracked are found", () => {
  const found = (body: string) => untrackedReads("a.tsx", `function Sums(props: P) {\n${body}\n}`).length;
  assert.equal(found("return <Show when={value()}>{(worth) => <b>{worth()}</b>}</Show>;"), 0);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source
  assert.equal(found("return <Show when={value()}>{(worth) => `≈ ${worth()}`}</Show>;"), 1);
  assert.equal(found("return <Show when={value()}>{(worth) => (worth() > 1 ? <b /> : <i />)}</Show>;"), 1);
  assert.equal(found("return <Show when={value()}>{(worth) => inMoney(worth())}</Show>;"), 1);
  assert.equal(found("return <Show when={value()} keyed>{(worth) => untrack(() => inMoney(worth))}</Show>;"), 0);
  assert.equal(found("return <For each={rows()}>{(row) => { const at = row.now(); return <b>{at}</b>; }}</For>;"), 1);
  assert.equal(found("const total = props.amount; return <b>{total}</b>;"), 1);
  assert.equal(found("const { amount } = props; return <b>{amount}</b>;"), 1);
  assert.equal(found("const total = () => props.amount; return <b>{total()}</b>;"), 0);
  assert.equal(found("const { market } = props.draft; return <b>{market()}</b>;"), 0);
  assert.equal(found("const now = leverage(); return <b>{now}</b>;"), 1);
  assert.equal(found("if (props.isOff) return <i />; return <b />;"), 1);
  assert.equal(found("return props.isOff ? <i /> : <b />;"), 1);
  assert.equal(untrackedReads("a.tsx", "function Sums({ draft }: P) { return <b>{draft.total}</b>; }").length, 1);
});
