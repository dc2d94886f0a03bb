import { readStored, writeStored } from "#lib/storage.ts";

/** Two notes, a pause, and again. */
const notesHz = [659.25, 783.99] as const;
const noteMs = 420;
const everyMs = 2_400;
/** Heard, and no fright. */
const loudness = 0.12;

/** Whether this person has asked to hear who rings; before, no browser would let it be heard. */
export function isRingHeard(): boolean {
  return readStored("ringTone") === 1;
}

export function setRingHeard(on: boolean): void {
  writeStored("ringTone", on ? 1 : 0);
}

/** Rings until the answer is called; silent where the browser wants a press on this page first. */
export function playRingTone(): () => void {
  const context = new AudioContext();
  ring(context);
  const timer = setInterval(() => ring(context), everyMs);
  return () => {
    clearInterval(timer);
    void context.close();
  };
}

function ring(context: AudioContext): void {
  notesHz.forEach((hertz, index) => {
    const from = context.currentTime + (index * noteMs) / 1_000;
    const to = from + noteMs / 1_000;
    const note = new OscillatorNode(context, { frequency: hertz });
    const volume = new GainNode(context, { gain: loudness });
    volume.gain.setValueAtTime(loudness, from);
    volume.gain.exponentialRampToValueAtTime(0.001, to);
    note.connect(volume).connect(context.destination);
    note.start(from);
    note.stop(to);
  });
}
