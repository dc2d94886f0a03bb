import { type Argument, type Expression, parseSync, type PrivateIdentifier, Visitor } from "oxc-parser";

/** A place where a source leaves integers, and how. */
export interface MoneyProblem {
  line: number;
  what: string;
}

/** A line with such a comment handles no money, for the reason after the colon. */
const exception = /\bnot money: \S/;
/** The unit is the last part of the name: factors of time are no amounts. */
const timeName = /(?:Ms|[sS]econds|[mM]inutes|[hH]ours|[dD]ays)$/;
const roundings = new Set(["round", "ceil", "floor", "trunc", "fround"]);
const decimals = new Set(["parseFloat", "toFixed", "toPrecision", "toExponential"]);
const factors = new Set(["*", "/", "%", "**", "*=", "/=", "%=", "**="]);
const sqlFraction = /::\s*(?:float[48]?|real|double precision)\b/;

/**
 * Finds in a TypeScript source what could turn an amount into a fraction: decimal functions, `Number(...)`, rounding,
 * fractions as literals, a unary plus, products and quotients with plain number literals, and floating point in SQL. It
 * sees no types, but `bigint` cannot be mixed with numbers anyway.
 */
export function moneyProblems(source: string): MoneyProblem[] {
  const lines = source.split("\n");
  const found: MoneyProblem[] = [];
  /** Start offsets of names that are allowed at their place. */
  const excused = new Set<number>();
  const tell = ({ start }: { start: number }, what: string) => {
    const line = source.slice(0, start).split("\n").length;
    const isExcepted = [lines[line - 1], lines[line - 2]].some((text) => exception.test(text ?? ""));
    if (!isExcepted) found.push({ line, what });
  };
  const tellFactor = (place: { start: number }, operator: string, sides: readonly Expression[]) => {
    const constants = sides.filter(isConstant);
    if (!factors.has(operator) || constants.length === 0 || (constants.length === 2 && operator === "*")) return;
    if (!sides.some((side) => timeName.test(nameOf(side)))) tell(place, `${operator} with a number literal`);
  };
  new Visitor({
    CallExpression: ({ callee, arguments: values }) => {
      if (callee.type === "MemberExpression" && values.every(isTime)) excused.add(callee.property.start);
    },
    MemberExpression: ({ object, property, computed }) => {
      if (object.type === "Identifier") excused.add(object.start);
      const name = property.type === "Identifier" && !computed ? property.name : "";
      if (roundings.has(name) && !excused.has(property.start)) tell(property, `Math.${name}`);
    },
    Identifier: (node) => {
      if (decimals.has(node.name)) tell(node, node.name);
      if (node.name === "Number" && !excused.has(node.start)) tell(node, "Number(...)");
    },
    Literal: (node) => {
      const raw = typeof node.value === "number" ? (node.raw ?? "") : "";
      if (!/^0x/i.test(raw) && /[.e]/i.test(raw)) tell(node, `the fraction ${raw}`);
      if (typeof node.value === "string" && sqlFraction.test(node.value)) tell(node, "floating point in SQL");
    },
    TemplateElement: (node) => {
      if (sqlFraction.test(node.value.raw)) tell(node, "floating point in SQL");
    },
    UnaryExpression: (node) => {
      if (node.operator === "+" && node.argument.type !== "Literal") tell(node, "a unary plus");
    },
    BinaryExpression: ({ start, operator, left, right }) => tellFactor({ start }, operator, [left, right]),
    AssignmentExpression: ({ start, operator, left, right }) =>
      tellFactor({ start }, operator, [left as Expression, right]),
  }).visit(parseSync("money.ts", source).program);
  return found;
}

/** A number literal, or a product of them such as `15 * 60_000`. */
function isConstant(node: Expression): boolean {
  if (node.type === "Literal") return typeof node.value === "number";
  return node.type === "BinaryExpression" && node.operator === "*" && isConstant(node.left) && isConstant(node.right);
}

/** The last name of an expression, such as `usedMs` of `state.usedMs`; empty for others. */
function nameOf(node: Argument | PrivateIdentifier): string {
  if (node.type === "Identifier") return node.name;
  return node.type === "MemberExpression" && node.property.type === "Identifier" ? node.property.name : "";
}

/** Whether all names in it end like a time, such as `state.freeMs - usedMs()`. */
function isTime(node: Argument | PrivateIdentifier): boolean {
  if (node.type === "BinaryExpression") return isTime(node.left) && isTime(node.right);
  if (node.type === "CallExpression") return isTime(node.callee);
  if (node.type === "ParenthesizedExpression") return isTime(node.expression);
  if (node.type === "Literal") return typeof node.value === "number";
  return timeName.test(nameOf(node));
}
