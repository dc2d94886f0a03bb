import { readStored, writeStored } from "#lib/storage.ts";

/** Two notes, a pause, and again. */
const notesHz = [659.25, 783.99] as const;
const noteMs = 420;
const everyMs = 2_400;
/** Audible, but not startling. */
const loudness = 0.12;

/** Whether the user has turned the ring tone on; browsers play no sound before a press. */
export function isRingHeard(): boolean {
  return readStored("ringTone") === 1;
}

export function setRingHeard(on: boolean): void {
  writeStored("ringTone", on ? 1 : 0);
}

/** Plays the tone until the returned function is called; silent if the browser first requires a press on this page. */
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
