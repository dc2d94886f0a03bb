import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { FrameScores } from "@fava/server/ports/frame-classifier.ts";
import { paintedJpeg } from "@fava/server/test/fixtures/frame-pictures.ts";
import { root } from "./lib/bootstrap.mjs";
import {
  compare,
  compareFamilies,
  type Label,
  mcnemarP,
  outcomeOf,
  picturesOfCases,
  pointFor,
  precisionAt,
  rateOf,
  rocOf,
  type ScoredPicture,
  thresholdsDefault,
} from "./lib/evaluation.ts";
import { casesReport, evaluationReport } from "./lib/evaluation-report.ts";
import { EvaluationError, labelledFiles } from "./lib/labelled-pictures.ts";

// Only stops a test that hangs: a shared machine may stall for seconds.
vi.setConfig({ testTimeout: 120_000 });

let folder = "";
const workTree = () => join(folder, "tree");
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), `fava-evaluate-${process.pid}-`));
  await mkdir(workTree());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const scoresOf = (porn: number): FrameScores => ({ drawing: 0, hentai: 0, neutral: 1 - porn, porn, sexy: 0 });

/** A bright, sharp picture with these scores of the three models. */
function picture(label: Label, [mobilenet, mid, inception]: [number, number, number]): ScoredPicture {
  const scores = { mobilenet: scoresOf(mobilenet), mid: scoresOf(mid), inception: scoresOf(inception) };
  return { label, groups: {}, verdict: { scores, luma: 128, sharpness: 100 } };
}

const scored = (label: Label, score: number) => picture(label, [score, score, score]);

async function made(name: string, files: Record<string, string>): Promise<string> {
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, name, file);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, text);
  }
  return join(folder, name);
}

test("gives the Wilson intervals of published examples", () => {
  // Newcombe 1998, table I: 81 of 263, 0 of 20.
  expect(rateOf(81, 263)).toMatchObject({ low: expect.closeTo(0.2553, 4), high: expect.closeTo(0.3662, 4) });
  expect(rateOf(0, 20)).toMatchObject({ low: 0, high: expect.closeTo(0.1611, 4) });
  expect(rateOf(0, 0)).toEqual({ hits: 0, of: 0, share: null, low: 0, high: 1 });
});

test("gives McNemar's exact probability, also for many pictures", () => {
  expect(mcnemarP(0, 0)).toBe(1);
  expect(mcnemarP(1, 9)).toBeCloseTo(22 / 1024, 6);
  expect(mcnemarP(5, 5)).toBe(1);
  expect(mcnemarP(900, 1_100)).toBeCloseTo(8.5e-6, 6);
});

test("asks the models as the cascade does, and applies the rules of a call", () => {
  // The first model is sure that nothing is there, so nobody asks the others.
  expect(outcomeOf(picture("clean", [0.3, 0.9, 0.9]).verdict, thresholdsDefault)).toEqual({
    score: 0.3,
    hides: false,
    sure: false,
    open_nsfw: false,
  });
  const { score, hides, sure } = outcomeOf(picture("explicit", [0.9, 0.9, 0.75]).verdict, thresholdsDefault);
  expect([score, hides, sure]).toEqual([expect.closeTo(0.85), true, true]);
  const dark = { ...picture("explicit", [0.9, 0.9, 0.9]).verdict, luma: 5 };
  expect(outcomeOf(dark, thresholdsDefault)).toMatchObject({ hides: true, sure: false });
});

test("gives precision by the prevalence", () => {
  const quality = { recall: rateOf(90, 100), falseAlarms: rateOf(1, 100) };
  expect(precisionAt(0.01, quality).share).toBeCloseTo((0.9 * 0.01) / (0.9 * 0.01 + 0.01 * 0.99), 6);
  expect(precisionAt(0.01, { recall: rateOf(0, 0), falseAlarms: rateOf(0, 10) }).share).toBeNull();
  expect(precisionAt(0.01, { recall: rateOf(0, 10), falseAlarms: rateOf(0, 10) }).share).toBeNull();
});

test("gives the area under the ROC curve, and the threshold for a share of false alarms", () => {
  const pictures = [0.9, 0.7, 0.5].map((score) => scored("explicit", score));
  const others = [0.7, 0.3, 0.2, 0.1].map((score) => scored("clean", score));
  const { points, area } = rocOf([...pictures, ...others]);
  // Of twelve pairs the explicit picture scores higher in ten, equal in one.
  expect(area).toBeCloseTo(10.5 / 12, 6);
  expect(pointFor(points, 0)).toMatchObject({ threshold: expect.closeTo(0.9), recall: { hits: 1 } });
  expect(pointFor(points, 0.25)).toMatchObject({ threshold: expect.closeTo(0.5), recall: { hits: 3 } });
  expect(rocOf(pictures).area).toBeNull();
});

test("calls thresholds worse that miss or flag more than today's interval allows", () => {
  const pictures = [
    ...Array.from({ length: 20 }, () => scored("explicit", 0.7)),
    ...Array.from({ length: 40 }, () => scored("suggestive", 0.5)),
  ];
  const same = compare(pictures, "hides", thresholdsDefault);
  expect(same).toMatchObject({ isWorse: false, changed: { explicit: { p: 1 }, other: { p: 1 } } });
  const higher = compare(pictures, "hides", { ...thresholdsDefault, unsureScore: 0.75 });
  expect(higher).toMatchObject({ isWorse: true, changed: { explicit: { today: 20, proposed: 0 } } });
  const lower = compare(pictures, "hides", { ...thresholdsDefault, unsureScore: 0.45 });
  expect(lower).toMatchObject({ isWorse: true, changed: { other: { today: 0, proposed: 40 } } });
});

test("reports labels, groups, rules and a comparison", () => {
  const dark = { ...scored("explicit", 0.7), groups: { light: "dark" } };
  const pictures = [dark, scored("explicit", 0.9), scored("clean", 0.1), scored("minor", 0.2)];
  const { lines, isWorse } = evaluationReport({
    pictures,
    prevalence: 0.01,
    proposed: { ...thresholdsDefault, unsureScore: 0.95 },
  });
  const text = lines.join("\n");
  expect(text).toContain("explicit: 2 pictures, hides 100 % (2 of 2; 34.2 % to 100 %), sure 50 % (1 of 2;");
  expect(text).toContain("light dark: 1 picture, hides: recall 100 % (1 of 1;");
  expect(text).toContain("hides: precision where 1 % of pictures are explicit: 100 %");
  expect(text).toContain("at most 1 % false alarms: needs 100 other pictures");
  expect(text).toContain("explicit pictures flagged only today 2, only by the proposal 0, p = 0.50 (McNemar)");
  expect(text).toContain("WORSE");
  expect(isWorse).toBe(true);
});

test("takes the highest frame of each decided case, and reports precision without recall", () => {
  const frame = (caseId: bigint, porn: number, isConfirmed: boolean) => ({
    caseId,
    rule: "explicit_picture",
    isConfirmed,
    scores: { mobilenet: scoresOf(porn) },
  });
  const pictures = picturesOfCases([frame(1n, 0.2, true), frame(1n, 0.9, true), frame(2n, 0.7, false)]);
  expect(pictures.map(({ label, verdict }) => [label, verdict.scores.mobilenet?.porn])).toEqual([
    ["explicit", 0.9],
    ["clean", 0.7],
  ]);
  const text = casesReport(pictures, { ...thresholdsDefault, unsureScore: 0.8 }).join("\n");
  expect(text).toContain("hides: confirmed 50 % (1 of 2;");
  expect(text).toContain("hides, proposed: confirmed 100 % (1 of 1;");
  expect(text).not.toContain("recall 1");
  expect(text).toContain("nsfwjs found unknown (0 of 0)");
});

test("estimates how much each family of models misses, from what the other found", () => {
  const both = { ...scored("explicit", 0.9), verdict: { ...scored("explicit", 0.9).verdict, openNsfw: 0.9 } };
  const first = { ...both, verdict: { ...both.verdict, openNsfw: 0.1 } };
  const second = { ...both, verdict: { ...scored("explicit", 0.1).verdict, openNsfw: 0.9 } };
  const unasked = scored("explicit", 0.9);
  const pictures = [...Array.from({ length: 8 }, () => both), first, first, second, unasked];
  const { nsfwjs, openNsfw, all } = compareFamilies(pictures);
  expect([nsfwjs.hits, nsfwjs.of, openNsfw.hits, openNsfw.of]).toEqual([8, 9, 8, 10]);
  expect(all).toBeCloseTo((11 * 10) / 9 - 1, 6);
});

test("reads labels from folders, or with groups from a table", async () => {
  const byFolder = await made("folders", { "explicit/a.jpg": "", "clean/b.jpg": "", "other/c.jpg": "" });
  expect((await labelledFiles(byFolder, workTree())).map(({ label }) => label)).toEqual(["explicit", "clean"]);
  const byTable = await made("table", { "x/a.jpg": "", "labels.csv": "file,label,light\nx/a.jpg,adult,dark\n" });
  expect(await labelledFiles(byTable, workTree())).toEqual([
    { path: expect.stringMatching(/a\.jpg$/), label: "adult", groups: { light: "dark" } },
  ]);
});

test.each([
  ["file,name\na.jpg,clean", "the first columns must be file,label"],
  ["file,label\na.jpg,nice", "the label is none of"],
  ["file,label\na.jpg", "2 fields expected, 1 found"],
  ["file,label\nmissing.jpg,clean", "no such file in the folder"],
  ["file,label\n../labels/a.jpg,clean\n../../etc/passwd,clean", "no such file in the folder"],
  ["file,label", "no pictures"],
])("rejects a table with a mistake: %j", async (table, message) => {
  const path = await made("labels", { "a.jpg": "", "labels.csv": table });
  await expect(labelledFiles(path, workTree())).rejects.toThrow(message);
});

test("refuses pictures in the work tree, also through a link, and a folder that does not exist", async () => {
  const inside = await made("tree/pictures", { "clean/a.jpg": "" });
  await symlink(inside, join(folder, "link"));
  for (const path of [inside, workTree(), join(folder, "link")])
    await expect(labelledFiles(path, workTree())).rejects.toThrow("inside the work tree");
  await expect(labelledFiles(join(folder, "nowhere"), workTree())).rejects.toThrow(EvaluationError);
});

test("judges pictures with the real models, stores scores without names, and fails for worse settings", async () => {
  const path = await made("judged", { "clean/unreadable.txt": "no picture", "against.json": '{ "unsureScore": 0 }' });
  const grey = await paintedJpeg(() => [128, 128, 128]);
  for (const name of ["one", "two", "three", "four", "five"]) await writeFile(join(path, "clean", `${name}.jpg`), grey);
  const scoresPath = join(folder, "scores.jsonl");
  const words = ["node_modules/tsx/dist/cli.mjs", "tools/evaluate.ts", path, "--scores", scoresPath];
  const worse = promisify(execFile)(process.execPath, [...words, "--against", join(path, "against.json")], {
    cwd: root,
  });
  const error: unknown = await worse.catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 1, stdout: expect.stringMatching(/5 pictures judged, 1 unreadable[^]+WORSE/) });
  const lines = (await readFile(scoresPath, "utf8")).trim().split("\n");
  expect(lines).toHaveLength(5);
  expect(Object.keys(JSON.parse(lines[0] ?? "") as object)).toEqual(
    "sha256 phash label groups scores openNsfw luma sharpness aspect".split(" "),
  );
});
