import {
  type Identifier,
  isArrowFunction,
  isBinaryExpression,
  isCallExpression,
  isClassDeclaration,
  isDeleteExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isNonNullExpression,
  isObjectBindingPattern,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyDeclaration,
  isRegularExpressionLiteral,
  isVariableStatement,
  type Node,
  NodeFlags,
  type SourceFile,
  SyntaxKind,
  type VariableDeclaration,
} from "typescript/unstable/ast";
import { type Checker, SignatureKind, SymbolFlags, type Type } from "typescript/unstable/sync";
import { type SourceProgram, walk } from "./program.ts";

/** Containers of the language that can be written into. Read-only views of them have names of their own. */
const CONTAINERS =
  /^(Map|Set|WeakMap|WeakSet|ArrayBuffer|DataView|Uint8Array|Uint16Array|Uint32Array|Int8Array|Int16Array|Int32Array|Float64Array|BigInt64Array|BigUint64Array)(<|$)/;

/** Types of which no object holds anything that a caller could see again. */
const EMPTY = /^(Slot<|TextEncoder$|TextDecoder$|RegExp$|Readonly(Set|Map)?<)/;

/** How deep a constant is looked into: tables hold rows, rows hold lists. */
const DEPTH_MAX = 4;

/**
 * Every module-level name of src/engine that a command could write into, as `path name`: all engines of a process would
 * share it, and none would have it in its snapshot. Such are variables, containers that are not declared read-only,
 * objects with fields that are not, fields of classes themselves, and plain objects into which some line writes.
 */
export function moduleState(program: SourceProgram): string[] {
  const found: string[] = [];
  const kinds = new Kinds(program.checker);
  for (const [path, file] of program.files) {
    if (!path.startsWith("src/engine/") || path.endsWith(".test.ts")) continue;
    const names = constantsOf(file);
    const types = program.checker.getTypeAtLocation(names.map(({ name }) => name));
    const written = writtenIn(file);
    names.forEach(({ name, declaration }, at) => {
      const type = types[at];
      const isOpen = declaration === undefined || written.has(name.text) || (type && kinds.isOpen(type, DEPTH_MAX));
      if (isOpen || remembersPlace(declaration)) found.push(`${path} ${name.text}`);
    });
  }
  return found;
}

interface Constant {
  readonly name: Identifier;
  /** Undefined of what may be given another value. */
  readonly declaration: VariableDeclaration | undefined;
}

function constantsOf(file: SourceFile): Constant[] {
  const found: Constant[] = [];
  for (const statement of file.statements) {
    if (isClassDeclaration(statement)) found.push(...staticFields(statement));
    if (!isVariableStatement(statement)) continue;
    const isConstant = (statement.declarationList.flags & NodeFlags.Const) !== 0;
    for (const declaration of statement.declarationList.declarations) {
      const { name } = declaration;
      if (isIdentifier(name)) found.push({ name, declaration: isConstant ? declaration : undefined });
      // Parts of what another module exports, which is looked at there.
      else if (!isConstant || !isObjectBindingPattern(name)) throw new Error(`${file.fileName}: not a plain constant.`);
    }
  }
  return found;
}

function staticFields(node: Node): Constant[] {
  const found: Constant[] = [];
  walk(node, (child) => {
    if (!isPropertyDeclaration(child) || !isIdentifier(child.name)) return true;
    if (child.modifiers?.some(({ kind }) => kind === SyntaxKind.StaticKeyword)) {
      found.push({ name: child.name, declaration: undefined });
    }
    return true;
  });
  return found;
}

/** A pattern with a place where it goes on. */
function remembersPlace(declaration: VariableDeclaration | undefined): boolean {
  const first = declaration?.initializer;
  return first !== undefined && isRegularExpressionLiteral(first) && /\/[a-z]*[gy][a-z]*$/.test(first.text);
}

/** Names into whose fields some function of the file writes. */
function writtenIn(file: SourceFile): Set<string> {
  const found = new Set<string>();
  walk(file, (node) => {
    const target = targetOf(node);
    const root = target && rootOf(target);
    if (root !== undefined && target !== root && !isLocal(root)) found.add(root.text);
    return true;
  });
  return found;
}

function targetOf(node: Node): Node | undefined {
  if (isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    return kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment ? node.left : undefined;
  }
  if (isPrefixUnaryExpression(node) || isPostfixUnaryExpression(node)) {
    const isStep = node.operator === SyntaxKind.PlusPlusToken || node.operator === SyntaxKind.MinusMinusToken;
    return isStep ? node.operand : undefined;
  }
  if (isDeleteExpression(node)) return node.expression;
  if (isCallExpression(node) && /^Object\.(assign|defineProperty|setPrototypeOf)$/.test(node.expression.getText())) {
    // As a field of the object: it is written into, not the name.
    return node;
  }
  return undefined;
}

function rootOf(node: Node): Identifier | undefined {
  if (isIdentifier(node)) return node;
  if (isCallExpression(node)) return node.arguments[0] && rootOf(node.arguments[0]);
  if (isPropertyAccessExpression(node) || isElementAccessExpression(node) || isNonNullExpression(node)) {
    return rootOf(node.expression);
  }
  return undefined;
}

/** Whether a function around the name declares it: a parameter, or a variable. */
function isLocal(name: Identifier): boolean {
  for (let node: Node = name; node.parent !== undefined; node = node.parent) {
    const isFunction =
      isFunctionDeclaration(node) || isArrowFunction(node) || isFunctionExpression(node) || "parameters" in node;
    if (isFunction && declares(node, name.text)) return true;
  }
  return false;
}

function declares(scope: Node, name: string): boolean {
  let isFound = false;
  walk(scope, (node) => {
    const { kind } = node;
    if (
      kind === SyntaxKind.Parameter ||
      kind === SyntaxKind.VariableDeclaration ||
      kind === SyntaxKind.BindingElement
    ) {
      const declared = (node as VariableDeclaration).name;
      if (isIdentifier(declared) && declared.text === name) isFound = true;
    }
    return !isFound;
  });
  return isFound;
}

/** A type may stand under a name of its own, so that its text does not say it. */
function isReadonlyList(type: Type): boolean {
  if (!type.isTypeReference()) return false;
  const target = type.getTarget();
  return target.isTupleType() ? target.readonly : target.getSymbol()?.name === "ReadonlyArray";
}

/** Whether objects of a type can be written into, each type asked about once. */
class Kinds {
  private readonly known = new Map<number, boolean>();
  private readonly checker: Checker;

  constructor(checker: Checker) {
    this.checker = checker;
  }

  isOpen(type: Type, depth: number): boolean {
    const known = this.known.get(type.id);
    if (known !== undefined) return known;
    // What holds itself is no reason to call it open.
    this.known.set(type.id, false);
    const isOpen = this.findOut(type, depth);
    this.known.set(type.id, isOpen);
    return isOpen;
  }

  private findOut(type: Type, depth: number): boolean {
    if (type.isUnionType() || type.isIntersectionType()) {
      return (type.getTypes() ?? []).some((one) => this.isOpen(one, depth));
    }
    if (!type.isObjectType()) return false;
    const text = this.checker.typeToString(type);
    if (CONTAINERS.test(text)) return true;
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      if (!isReadonlyList(type)) return true;
      const items = this.checker.getTypeArguments(type as never);
      return depth > 0 && items.some((item) => this.isOpen(item, depth - 1));
    }
    if (EMPTY.test(text) || this.checker.getSignaturesOfType(type, SignatureKind.Call).length > 0) return false;
    if (depth === 0) return false;
    return this.hasOpenField(type, depth);
  }

  private hasOpenField(type: Type, depth: number): boolean {
    const fields = this.checker.getPropertiesOfType(type).filter(({ flags }) => (flags & SymbolFlags.Property) !== 0);
    for (const { valueDeclaration } of fields) {
      const declaration = valueDeclaration?.resolve();
      const isField =
        declaration?.kind === SyntaxKind.PropertySignature || declaration?.kind === SyntaxKind.PropertyDeclaration;
      if (!isField) continue;
      const { modifiers } = declaration as unknown as { modifiers?: readonly Node[] };
      if (!modifiers?.some(({ kind }) => kind === SyntaxKind.ReadonlyKeyword)) return true;
    }
    const types = this.checker.getTypeOfSymbol(fields);
    return types.some((field) => field !== undefined && this.isOpen(field, depth - 1));
  }
}
