import { existsSync } from "node:fs";
import { join } from "node:path";

const codeSpan = /`([^`\n]+)`/g;
/** A path of a file with an ending, from a folder of the root; patterns and placeholders are none. */
const filePath = /^(?:wire|server|web|e2e|sim|bench|tools|deploy|content|docs)\/[\w@./+-]+\.[a-z]{2,5}$/;
const metricName = /\bfava_[a-z_]+/g;
/** Examples of `docs/how-to/`, and what is built. */
const madeUp = /\bacme\b|\/sw\.|^server\/current\//;
/** Prometheus adds them to the names of histograms. */
const metricEnding = /_(?:bucket|count|sum)$/;

/**
 * Files and metrics that a document names in code spans and that do not exist, one line each.
 *
 * @param sources text of code and tests, in which every metric stands under its name.
 */
export function deadReferences(root: string, { path, text, sources }: { path: string; text: string; sources: string }) {
  const spans = Array.from(text.matchAll(codeSpan), ([, span = ""]) => span);
  const files = spans.filter((span) => filePath.test(span) && !madeUp.test(span) && !existsSync(join(root, span)));
  const metrics = spans
    .flatMap((span) => span.match(metricName) ?? [])
    .filter((name) => !sources.includes(name) && !sources.includes(name.replace(metricEnding, "")));
  return [...new Set([...files, ...metrics])].map((name) => `${path}: ${name} does not exist`);
}
