import { parseSync, type CallExpression, Visitor } from "oxc-parser";

/** Phrases that hide who acts on what. A break of the line, with the sign of a comment on it, counts as a space. */
const space = String.raw`(?:[\s/]|\*|--|#)+`;
const phrases = [
  "whoever",
  "somebody",
  "anew",
  "any more",
  "bears repetition",
  "the other side hears",
  "so long",
  "so many",
];
const phrasePattern = new RegExp(
  String.raw`\b(?:${phrases.map((phrase) => phrase.replaceAll(" ", space)).join("|")})\b`,
  "gi",
);

/** Functions whose text arguments people read: names of tests, log lines, messages of errors. */
const testFunctions = new Set(["test", "it", "describe"]);
const logObjects = new Set(["logger", "log", "console"]);

/** The number of phrases in what a file says to its readers, by the kind of file. Code itself is not counted. */
export function countPhrases(path: string, text: string): number {
  if (!text.match(phrasePattern)) return 0;
  const told = /\.(?:[jt]sx?|m[jt]s)$/.test(path) ? toldInScript(path, text) : toldInText(path, text);
  return told.flatMap((each) => each.match(phrasePattern) ?? []).length;
}

function toldInText(path: string, text: string): string[] {
  if (path.endsWith(".md")) return [text.replaceAll(/```.*?```|`[^`]*`/gs, "")];
  if (path.endsWith(".css")) return text.match(/\/\*.*?\*\//gs) ?? [];
  return [text];
}

function toldInScript(path: string, text: string): string[] {
  const { program, comments } = parseSync(path, text);
  const told = comments.map(({ value }) => value);
  const sayTexts = ({ arguments: values }: CallExpression | { arguments: CallExpression["arguments"] }) => {
    for (const value of values) {
      if (value.type === "Literal" && typeof value.value === "string") told.push(value.value);
      if (value.type === "TemplateLiteral") told.push(...value.quasis.map(({ value: { raw } }) => raw));
    }
  };
  new Visitor({
    CallExpression: (call) => {
      if (isRead(call.callee)) sayTexts(call);
    },
    NewExpression: (made) => {
      if (made.callee.type === "Identifier" && made.callee.name.endsWith("Error")) sayTexts(made);
    },
  }).visit(program);
  return told;
}

/** Whether it is a call such as `test(...)`, `test.each(...)(...)`, `logger.warn(...)` or `this.#options.logger.warn(...)`. */
function isRead(callee: CallExpression["callee"]): boolean {
  if (callee.type === "CallExpression") return isRead(callee.callee);
  if (callee.type === "Identifier") return testFunctions.has(callee.name);
  if (callee.type !== "MemberExpression") return false;
  const { object } = callee;
  if (object.type === "Identifier") return testFunctions.has(object.name) || logObjects.has(object.name);
  if (object.type !== "MemberExpression") return false;
  const { property } = object;
  return (property.type === "Identifier" || property.type === "PrivateIdentifier") && logObjects.has(property.name);
}
