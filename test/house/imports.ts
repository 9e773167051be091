import {
  isCallExpression,
  isExportDeclaration,
  isExternalModuleReference,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isStringLiteral,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { lineOf, walk } from "./program.ts";

/** One place where a module reaches for another one. */
export interface Import {
  /** As written; `undefined` when it is computed and cannot be known. */
  readonly specifier: string | undefined;
  readonly line: number;
  /** Of types alone: it is gone when the program runs. */
  readonly isType: boolean;
  /** Loaded when the program comes to it, by `import()`. */
  readonly isDynamic: boolean;
}

/**
 * Every way in which a module reaches another file or package: import and re-export declarations, types included;
 * `import()`, in expressions and in types; `require`; and `new URL("./file", import.meta.url)`, which is how worker
 * threads and data files are found.
 */
export function importsOf(file: SourceFile): Import[] {
  const imports: Import[] = [];
  walk(file, (node) => {
    const target = importTarget(node);
    if (target !== undefined)
      imports.push({
        specifier: textOf(target.node),
        line: lineOf(file, node),
        isType: isOfTypes(node),
        isDynamic: isCallExpression(node),
      });
    const address = addressOf(node);
    if (address !== undefined)
      imports.push({ specifier: address, line: lineOf(file, node), isType: false, isDynamic: false });
    return true;
  });
  return imports;
}

function isOfTypes(node: Node): boolean {
  if (isImportDeclaration(node)) return node.importClause?.phaseModifier === SyntaxKind.TypeKeyword;
  if (isExportDeclaration(node)) return node.isTypeOnly;
  return isImportTypeNode(node);
}

/** The node that names what is reached for; `node` within is `undefined` for an `import()` without argument. */
function importTarget(node: Node): { node: Node | undefined } | undefined {
  if (isImportDeclaration(node)) return { node: node.moduleSpecifier };
  if (isExportDeclaration(node)) return node.moduleSpecifier === undefined ? undefined : { node: node.moduleSpecifier };
  if (isExternalModuleReference(node)) return { node: node.expression };
  if (isImportTypeNode(node)) {
    return { node: isLiteralTypeNode(node.argument) ? node.argument.literal : undefined };
  }
  if (isCallExpression(node)) {
    const dynamic = node.expression.kind === SyntaxKind.ImportKeyword;
    const required = isIdentifier(node.expression) && node.expression.text === "require";
    return dynamic || required ? { node: node.arguments[0] } : undefined;
  }
  return undefined;
}

/**
 * The file beside this one that `new URL("file", import.meta.url)` names; a first `./` is left out by some. An address
 * put together from pieces names data of the module's own: a worker's is always written out.
 */
function addressOf(node: Node): string | undefined {
  if (!isNewExpression(node) || !isIdentifier(node.expression) || node.expression.text !== "URL") return undefined;
  const [target, base] = node.arguments ?? [];
  if (base?.getText() !== "import.meta.url") return undefined;
  const text = textOf(target);
  return text === undefined || text.startsWith(".") ? text : `./${text}`;
}

function textOf(node: Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  return isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node) ? node.text : undefined;
}
