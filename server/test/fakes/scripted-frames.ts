import {
  type FrameClassifier,
  FrameUnreadableError,
  type FrameQuestion,
  type FrameVerdict,
} from "#ports/frame-classifier.ts";
import { verdictOf } from "#test/fixtures/picture-bench.ts";

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);

/** A picture that contains its verdict for `ScriptedFrames`. The content makes the picture unique. */
export function pictureThat(says: Partial<FrameVerdict> = {}): Buffer {
  return Buffer.concat([jpeg, Buffer.from(JSON.stringify(says))]);
}

/** A classifier that reads the verdict from the picture. Pictures that `pictureThat` did not make are unreadable. */
export class ScriptedFrames implements FrameClassifier {
  readonly engine = "marker";
  readonly model = "scripted 1";
  isUp = true;
  readonly questions: FrameQuestion[] = [];
  /** Awaited before each verdict, so that tests can delay or fail it. */
  before: () => Promise<void> = async () => {};
  #verdicts = 0;

  isReady(): boolean {
    return this.isUp;
  }

  backlog(): { waiting: number; oldestMs: number } {
    return { waiting: 0, oldestMs: 0 };
  }

  async classify(picture: Buffer, question: FrameQuestion): Promise<FrameVerdict> {
    this.questions.push(question);
    await this.before();
    this.#verdicts += 1;
    return verdictIn(picture, this.#verdicts);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** The verdict in a picture of `pictureThat`. */
export function verdictIn(picture: Buffer, number: number): FrameVerdict {
  return { ...verdictOf(readScript(picture), number) };
}

function readScript(picture: Buffer): Partial<FrameVerdict> {
  try {
    return JSON.parse(picture.subarray(jpeg.length).toString("utf8")) as Partial<FrameVerdict>;
  } catch (error) {
    throw new FrameUnreadableError("no picture", { cause: error });
  }
}
