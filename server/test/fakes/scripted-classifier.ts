import { measure, readPixels } from "#lib/picture-pixels.ts";
import {
  ClassifierBusyError,
  type FrameClassifier,
  type FrameQuestion,
  type FrameVerdict,
} from "#ports/frame-classifier.ts";

/** The verdict on each picture, until a test changes it. */
export interface ScriptedWords {
  porn: number;
  hentai: number;
  sexy: number;
  code: string | null;
}

/** A classifier whose scores a test sets. Brightness, sharpness and hash are measured. */
export class ScriptedClassifier implements FrameClassifier {
  readonly engine = "marker";
  readonly model = "scripted 1";
  readonly asked: FrameQuestion[] = [];
  isUp = true;
  isBusy = false;
  #words: ScriptedWords = { porn: 0, hentai: 0, sexy: 0, code: null };

  says(words: Partial<ScriptedWords>): void {
    this.#words = { porn: 0, hentai: 0, sexy: 0, code: null, ...words };
  }

  isReady(): boolean {
    return this.isUp;
  }

  backlog(): { waiting: number; oldestMs: number } {
    return { waiting: 0, oldestMs: 0 };
  }

  async classify(picture: Buffer, question: FrameQuestion): Promise<FrameVerdict> {
    this.asked.push(question);
    if (this.isBusy) throw new ClassifierBusyError("scripted");
    const { code, ...shares } = this.#words;
    const explicit = shares.porn + shares.hentai;
    const scores = { ...shares, drawing: 0, neutral: 1 - explicit - shares.sexy };
    const measured = measure(await readPixels(picture));
    return { explicit, scores: { mobilenet: scores, mid: scores, inception: scores }, ...measured, code };
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
