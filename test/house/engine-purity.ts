import {
  type Identifier,
  isAwaitExpression,
  isBindingElement,
  isBreakStatement,
  isCallExpression,
  isContinueStatement,
  isElementAccessExpression,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isInterfaceDeclaration,
  isLabeledStatement,
  isMetaProperty,
  isModuleBlock,
  isModuleDeclaration,
  isNumericLiteral,
  isPropertyAccessExpression,
  isShorthandPropertyAssignment,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeNode,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { lineOf, type SourceProgram, walk } from "./program.ts";

/**
 * The only names from outside that the engine may use: plain values and containers whose behaviour depends on nothing
 * but their arguments. A list of what is allowed, so that a clock or a source of randomness nobody thought of is
 * refused too: Date, process, timers, performance, crypto, globalThis, console, require, fetch, Intl, Promise …
 */
export const GLOBALS_ALLOWED: ReadonlySet<string> = new Set([
  ...["undefined", "Infinity", "NaN"],
  ...["Array", "BigInt", "Boolean", "JSON", "Map", "Math", "Number", "Object", "Set", "String", "Symbol", "WeakMap"],
  ...["Error", "RangeError", "TypeError"],
  ...["ArrayBuffer", "DataView", "TextDecoder", "TextEncoder"],
  ...["Int8Array", "Int16Array", "Int32Array", "Uint8Array", "Uint16Array", "Uint32Array"],
  ...["BigInt64Array", "BigUint64Array"],
  // Milliseconds, ids and counts exceed 32 bits and are exact whole numbers in a double up to 2^53.
  "Float64Array",
]);

/** Whole-number functions; everything else of Math is random, or rounds differently from machine to machine. */
export const MATH_ALLOWED: ReadonlySet<string> = new Set(
  "abs ceil clz32 floor imul max min round sign trunc".split(" "),
);

/** Properties whose results hang on the machine's language, its time zone or on binary fractions. */
export const PROPERTIES_DENIED: ReadonlySet<string> = new Set([
  ...["localeCompare", "toLocaleString", "toLocaleLowerCase", "toLocaleUpperCase"],
  ...["toFixed", "toPrecision", "toExponential", "parseFloat"],
]);

/** Sentences that name everything in src/engine which could make two replays differ; unit tests aside. */
export function impurities(program: SourceProgram): string[] {
  const found: string[] = [];
  for (const [path, file] of program.files) {
    if (!path.startsWith("src/engine/") || path.endsWith(".test.ts")) continue;
    for (const { node, reason } of [...syntaxImpurities(file), ...globalImpurities(program, file)]) {
      found.push(`${path}:${lineOf(file, node)} ${reason}`);
    }
  }
  return found;
}

interface Impurity {
  readonly node: Node;
  readonly reason: string;
}

/** What can be seen from the text alone. */
function syntaxImpurities(file: SourceFile): Impurity[] {
  const found: Impurity[] = [];
  walk(file, (node) => {
    const reason = syntaxReason(node);
    if (reason !== undefined) found.push({ node, reason });
    return true;
  });
  return found;
}

function syntaxReason(node: Node): string | undefined {
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) return "imports dynamically.";
  if (isMetaProperty(node) && node.keywordToken === SyntaxKind.ImportKeyword) return "touches import.meta.";
  if (isAwaitExpression(node) || node.kind === SyntaxKind.AsyncKeyword) return "waits for a promise.";
  if (isNumericLiteral(node) && !Number.isSafeInteger(Number(node.text))) return "holds a number that is not whole.";
  if (isPropertyAccessExpression(node) && PROPERTIES_DENIED.has(node.name.text)) return `touches ${node.name.text}.`;
  // A declaration without a body would make a name from outside look like one of the project's own. Brands of types are
  // declared as `unique symbol`, and what a part adds to the interfaces of the kernel as `module`: both exist for the
  // checker alone.
  if (node.kind === SyntaxKind.DeclareKeyword && !addsTypesOnly(node.parent)) {
    return "declares a name that it does not define.";
  }
  return undefined;
}

function addsTypesOnly(declaration: Node): boolean {
  if (!isModuleDeclaration(declaration)) return /\bunique symbol\b/.test(declaration.getText());
  const { name, body } = declaration;
  if (!isStringLiteral(name) || !name.text.startsWith(".") || body === undefined || !isModuleBlock(body)) return false;
  return body.statements.every((statement) => isInterfaceDeclaration(statement));
}

/** Names that are declared nowhere in the project: the checker tells them from local ones of the same spelling. */
function globalImpurities(program: SourceProgram, file: SourceFile): Impurity[] {
  const names = valueNames(file);
  const symbols = program.checker.getSymbolAtLocation(names);
  const found: Impurity[] = [];
  names.forEach((node, index) => {
    const symbol = isShorthandPropertyAssignment(node.parent)
      ? program.checker.getShorthandAssignmentValueSymbol(node.parent)
      : symbols[index];
    if (symbol?.declarations.some((declaration) => program.isOwn(declaration.path))) return;
    const reason = globalReason(node);
    if (reason !== undefined) found.push({ node, reason });
  });
  return found;
}

function globalReason(node: Identifier): string | undefined {
  if (!GLOBALS_ALLOWED.has(node.text)) return `touches ${node.text}.`;
  if (node.text !== "Math") return undefined;
  // Math itself may only be followed by one of the allowed names: taking it apart would hide which function is used.
  const { parent } = node;
  if (isPropertyAccessExpression(parent) && parent.expression === node) {
    return MATH_ALLOWED.has(parent.name.text) ? undefined : `touches Math.${parent.name.text}.`;
  }
  return isElementAccessExpression(parent) ? "picks a function of Math by name." : "hands Math around.";
}

/** Identifiers that stand for a value: no types, no property names, no labels, no import or export lists. */
function valueNames(file: SourceFile): Identifier[] {
  const names: Identifier[] = [];
  walk(file, (node) => {
    if (isImportDeclaration(node) || isExportDeclaration(node)) return false;
    if (isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)) return false;
    // `extends Error` counts as a type in the grammar and yet names a value.
    if (isTypeNode(node) && node.kind !== SyntaxKind.ExpressionWithTypeArguments) return false;
    if (isIdentifier(node) && !isPropertyName(node)) names.push(node);
    return true;
  });
  return names;
}

function isPropertyName(node: Identifier): boolean {
  const { parent } = node;
  if (isPropertyAccessExpression(parent)) return parent.name === node;
  if (isBindingElement(parent)) return parent.propertyName === node;
  return (
    isMetaProperty(parent) || isLabeledStatement(parent) || isBreakStatement(parent) || isContinueStatement(parent)
  );
}
