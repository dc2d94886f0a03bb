import { type PeerFigure, readable } from "./report.ts";
import { type BenchmarkResult, readResults, type Series, seriesOf } from "./results.ts";

const width = 480;
const lineHeight = 200;
const plot = { left: 56, right: 16, top: 40, bottom: 40 } as const;
const bar = { top: 34, height: 22, gap: 8, left: 180, right: 70 } as const;
const gridLinesMax = 5;
const colors = { own: "#1a7f5a", other: "#9aa4ad", goal: "#c2410c", grid: "#e2e5e8", text: "#24292f" } as const;

/** All plots of the results, by file name: a line chart for each figure with two values, and bars beside the peers. */
export function plotsOf(results: readonly BenchmarkResult[] = readResults()): ReadonlyMap<string, string> {
  const lines = seriesOf(results)
    .filter(({ points }) => points.length > 1)
    .map((series) => [`${slug(`${series.benchmark} ${series.figure.name}`)}.svg`, lineChart(series)] as const);
  const newest = new Map<string, { figure: PeerFigure; result: BenchmarkResult }>();
  for (const result of results)
    for (const figure of result.peers)
      if (figure.bars.length > 1) newest.set(`${result.benchmark} ${figure.name}`, { figure, result });
  const bars = [...newest].map(
    ([name, { figure, result }]) => [`${slug(name)}-peers.svg`, barChart(figure, result)] as const,
  );
  return new Map([...lines, ...bars]);
}

/** Values over commits, oldest at the left, from zero; the goal is a dashed line. */
function lineChart({ benchmark, figure, points }: Series): string {
  const step = gridStep(Math.max(...points.map(({ value }) => value), figure.reach ?? 0) || 1);
  const most = step * gridLinesMax;
  const x = (index: number) => plot.left + ((width - plot.left - plot.right) * (index + 0.5)) / points.length;
  const y = (value: number) => plot.top + (lineHeight - plot.top - plot.bottom) * (1 - value / most);
  const grid = Array.from({ length: gridLinesMax + 1 }, (_, line) => step * line).flatMap((value) => [
    `<line x1="${plot.left}" x2="${width - plot.right}" y1="${round(y(value))}" y2="${round(y(value))}" stroke="${colors.grid}"/>`,
    text(readable(value), { x: plot.left - 6, y: y(value) + 4, anchor: "end" }),
  ]);
  const path = points.map(({ value }, index) => `${round(x(index))},${round(y(value))}`).join(" ");
  const marks = points.flatMap(({ result, value }, index) => [
    `<circle cx="${round(x(index))}" cy="${round(y(value))}" r="3.5" fill="${colors.own}"/>`,
    text(readable(value), { x: x(index), y: y(value) - 8, anchor: "middle" }),
    text(result.commit, { x: x(index), y: lineHeight - 22, anchor: "middle" }),
    text(result.date.slice(0, 10), { x: x(index), y: lineHeight - 8, anchor: "middle" }),
  ]);
  const goal =
    figure.reach === undefined
      ? []
      : [
          `<line x1="${plot.left}" x2="${width - plot.right}" y1="${round(y(figure.reach))}" y2="${round(y(figure.reach))}" stroke="${colors.goal}" stroke-dasharray="5 4"/>`,
        ];
  const title = `${benchmark}: ${figure.name}, ${figure.unit} (${figure.better} is better)`;
  return svg(lineHeight, title, [
    ...grid,
    ...goal,
    `<polyline points="${path}" fill="none" stroke="${colors.own}" stroke-width="2"/>`,
    ...marks,
  ]);
}

/** The least of 1, 2, 2.5 and 5 times a power of ten with which the grid lines reach above `most`. */
function gridStep(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / gridLinesMax));
  return [1, 2, 2.5, 5, 10, 20].map((factor) => factor * power).find((step) => step * gridLinesMax > most) ?? most;
}

/** The product and its peers in one run; shorter is less. */
function barChart({ name, unit, bars }: PeerFigure, { benchmark, commit }: BenchmarkResult): string {
  const most = Math.max(...bars.map(({ value }) => value)) || 1;
  const parts = bars.flatMap((each, index) => {
    const top = bar.top + index * (bar.height + bar.gap);
    const length = ((width - bar.left - bar.right) * each.value) / most;
    return [
      text(each.name, { x: bar.left - 8, y: top + bar.height / 2 + 4, anchor: "end" }),
      `<rect x="${bar.left}" y="${top}" width="${round(length)}" height="${bar.height}" fill="${index === 0 ? colors.own : colors.other}"/>`,
      text(readable(each.value), { x: bar.left + length + 6, y: top + bar.height / 2 + 4, anchor: "start" }),
    ];
  });
  const height = bar.top + bars.length * (bar.height + bar.gap) + 6;
  return svg(height, `${benchmark}: ${name}, ${unit}, commit ${commit}`, parts);
}

function svg(height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="11">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(title, { x: 12, y: 18, anchor: "start", weight: 600 }),
    ...parts,
    "</svg>",
    "",
  ].join("\n");
}

interface TextPlace {
  x: number;
  y: number;
  anchor: "start" | "middle" | "end";
  weight?: number;
}

function text(words: string, { x, y, anchor, weight = 400 }: TextPlace): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" font-weight="${weight}" fill="${colors.text}">${escaped(words)}</text>`;
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function slug(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
